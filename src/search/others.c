/* search->others has an element for each action of the root, or none. What has
   joined the tree is remembered there, too, so that it is not told as one's
   own, nor joined twice. */
#include "search/others.h"

#include "search/select.h"
#include "search/tree_share.h"

void others_clear(Search *search) {
  vector_clear(&search->others);
  search->allied = 0;
  search->joined = false;
}

/* Nothing is allocated while the root is locked. */
static Node *lock_root(Search *search) {
  const Node *root = tree_node(search->tree, search->root);
  vector_reserve(&search->others, node_action_count(search->tree, root));
  return tree_lock(search->tree, search->root);
}

static void begin(Search *search, const Node *root) {
  uint32_t count = node_action_count(search->tree, root);
  if (search->others.count == count) return;
  vector_clear(&search->others);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t move = node_all(search->tree, root)[i].move;
    vector_push(&search->others, ((RootSum){.move = move, .exact = -1}));
  }
}

/* Returns the index of the action with this move, or that of none. Numbers of
   moves tell the role. */
static uint32_t find(const Search *search, uint32_t move) {
  uint32_t i = 0;
  while (i < search->others.count && search->others.data[i].move != move) i++;
  return i;
}

/* Adds to an action of the root, which is locked. */
static void join(Search *search, Node *root, uint32_t at, uint32_t visits,
                 double total) {
  const uint32_t *firsts = node_firsts(root) + root->main;
  Action *action = node_all(search->tree, root) + at;
  action->visits += visits;
  action->total += total;
  if (at >= firsts[0] && at < firsts[1]) root->visits += visits;
  select_note(search, root, at);
}

static void prove(RootSum *sum, const RootSum *told) {
  if (sum->exact >= 0 || told->exact < 0) return;
  sum->exact = told->exact;
  sum->distance = told->distance;
}

void others_tell(Search *search, const RootSums *sums, bool joins) {
  Node *root = lock_root(search);
  begin(search, root);
  search->joined = joins;
  for (uint32_t i = 0; i < sums->actions.count; i++) {
    const RootSum *told = &sums->actions.data[i];
    uint32_t at = find(search, told->move);
    if (at == search->others.count) continue;
    RootSum *sum = &search->others.data[at];
    if (joins && told->visits > sum->visits)
      join(search, root, at, told->visits - sum->visits,
           told->total - sum->total);
    if (!joins || told->visits > sum->visits) {
      sum->visits = told->visits;
      sum->total = told->total;
    }
    prove(sum, told);
  }
  search->allied = sums->simulations;
  tree_unlock(search->tree, root);
}

void others_add(Search *search, const RootSums *sums) {
  Node *root = lock_root(search);
  begin(search, root);
  search->joined = true;
  for (uint32_t i = 0; i < sums->actions.count; i++) {
    const RootSum *told = &sums->actions.data[i];
    uint32_t at = find(search, told->move);
    if (at == search->others.count) continue;
    join(search, root, at, told->visits, told->total);
    search->others.data[at].visits += told->visits;
    search->others.data[at].total += told->total;
    prove(&search->others.data[at], told);
  }
  search->allied += sums->simulations;
  tree_unlock(search->tree, root);
}

void others_subtract(Search *search, RootSums *sums) {
  const Node *node = tree_node(search->tree, search->root);
  vector_clear(&sums->actions);
  vector_reserve(&sums->actions, node_action_count(search->tree, node));
  Node *root = tree_lock(search->tree, search->root);
  for (uint32_t i = 0; i < node_action_count(search->tree, root); i++) {
    const Action *action = node_all(search->tree, root) + i;
    RootSum sum = {.move = action->move,
                   .visits = action->visits,
                   .total = action->total,
                   .exact = action->exact,
                   .distance = action->distance};
    if (search->joined && i < search->others.count) {
      sum.visits -= search->others.data[i].visits;
      sum.total -= search->others.data[i].total;
    }
    vector_push(&sums->actions, sum);
  }
  tree_unlock(search->tree, root);
}

Action others_action(const Search *search, const Node *root, uint32_t at) {
  Action action = node_all(search->tree, root)[at];
  if (at >= search->others.count) return action;
  const RootSum *sum = &search->others.data[at];
  if (!search->joined) {
    action.visits += sum->visits;
    action.total += sum->total;
  }
  if (action.exact < 0 && sum->exact >= 0) {
    action.exact = (int8_t)sum->exact;
    action.distance = (uint8_t)sum->distance;
  }
  return action;
}
