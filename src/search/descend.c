/* Descents for a stream of leaves: all descents of a round go down the tree
   together, one node each in turn. While one chooses, the memory that the next
   ones need is prefetched. A descent is pending in every action it took: it
   counts there as visits that returned 0 (virtual loss), so that others choose
   differently. */
#include "search/descend.h"

#include <sched.h>

#include "search/judge.h"
#include "search/select.h"
#include "search/settle.h"
#include "search/survey.h"
#include "search/tree_share.h"

enum {
  FEWEST_LEAVES = 32,
  VISITS_PER_LEAF = 4, /* of the root, before there may be more leaves, */
  /* and before several threads have more than one has: one thread with up to
     512 leaves scored 45.9 ± 3.7 % of 400 games of Connect Four against one
     with 256, at 20,000 simulations a move */
  VISITS_PER_MORE = 16,
  /* and for each leaf of all threads on the graphics card, beside those in
     lanes. Reversi at 200,000 simulations a move, 50,000 leaves, 40 games
     each: 512 leaves at once score 60 ± 15 % against 256, 2,048 33.8 ± 14.6 %,
     and 30 ± 14 % if a pending descent counts as a whole visit. */
  VISITS_PER_EXTRA = 128,
  /* how many descents ahead nodes, and then actions, are prefetched */
  FAR_AHEAD = 8,
  NEAR_AHEAD = 4
};

/* ---- pending descents ----

   They are counted where they matter: in actions of roles that have a choice,
   and in those that children hang on. */

static void add_pending(const Search *search, Node *node,
                        const uint32_t *choices, int change) {
  const uint32_t *firsts = node_firsts(node);
  Action *actions = node_all(search->tree, node);
  node->pending = (uint16_t)(node->pending + change);
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t at = firsts[role] + choices[role];
    bool chosen = firsts[role + 1] - firsts[role] > 1;
    if (!chosen && role != node->main) continue;
    actions[at].pending = (uint16_t)(actions[at].pending + change);
    if (chosen) select_note(search, node, at);
  }
}

void descend_forget(Search *search, const Path *path) {
  for (uint32_t step = 0; step < path->steps; step++) {
    Node *node = tree_lock(search->tree, path->nodes.data[step]);
    add_pending(search, node, path->choices.data + step * search->role_count,
                -1);
    tree_unlock(search->tree, node);
  }
}

/* ---- one step ---- */

/* Nothing is allocated while a node is locked. */
static void reserve_step(const Search *search, Leaf *leaf) {
  Path *path = &leaf->path;
  uint32_t choices = (path->steps + 1) * search->role_count;
  vector_reserve(&path->nodes, path->steps + 1);
  vector_reserve(&path->choices, choices);
  vector_reserve(&path->moves, choices);
  vector_reserve(&path->hints, path->hints.count + PATH_HINTS);
}

static const uint32_t *choose(Search *search, Scratch *own, Node *node,
                              Leaf *leaf) {
  Path *path = &leaf->path;
  uint32_t roles = search->role_count, at = path->steps++;
  vector_push(&path->nodes, node->id);
  vector_resize(&path->choices, (at + 1) * roles);
  vector_resize(&path->moves, (at + 1) * roles);
  uint32_t *choices = path->choices.data + at * roles;
  for (uint32_t role = 0; role < roles; role++) {
    uint32_t count, first = node_firsts(node)[role];
    const Action *actions = node_actions(search->tree, node, role, &count);
    uint32_t choice = count > 1 ? select_action(search, own, node, role) : 0;
    choices[role] = choice;
    path->moves.data[at * roles + role] = actions[choice].move;
    if (role != node->main) continue;
    vector_push(&path->hints, &actions[choice]);
    const ActionBound *bounds =
        search->quick ? node_bounds(search->tree, node) + first : NULL;
    vector_push(&path->hints, bounds ? (const void *)(bounds + choice) : node);
  }
  vector_push(&path->hints, node);
  add_pending(search, node, choices, 1);
  return choices;
}

/* Returns true if this descent has been here before. The stamp alone says only
   that some descent of the round has; where others use the tree, it may be
   theirs. */
static bool is_cycle(const Batch *batch, const Node *node, const Path *path) {
  if (!batch->search->tree->shared && node->path != batch->own->number)
    return false;
  uint32_t step = path->steps;
  while (step && path->nodes.data[step - 1] != node->id) step--;
  return step;
}

/* Lets a descent wait until the node it has come to is surveyed, by whoever
   came first. Both lists have room for all leaves. */
static void ask(Batch *batch, uint32_t number, Node *node) {
  if (!(node->flags & NODE_ASKED)) vector_push(&batch->asked, node->id);
  node_raise(node, NODE_ASKED);
  vector_push(&batch->waiting, number);
}

/* Returns the next node of a descent, or 0 if it has ended or waits. `locked`
   is the node it has come to. */
static NodeId step(Batch *batch, uint32_t number, Node **locked) {
  Search *search = batch->search;
  Leaf *leaf = &batch->list[number];
  Node *node = *locked;
  leaf->kind = LEAF_KNOWN;
  if (node->flags & NODE_PROVEN &&
      !settle_passes(search, node, leaf->path.steps))
    return 0;
  leaf->kind = LEAF_PLAY;
  if (is_cycle(batch, node, &leaf->path)) return 0;
  if (node->flags & NODE_CLOSED) {
    node = tree_open(search->tree, batch->store, node);
    if (!node) {
      search_set_full(search, true);
      return 0;
    }
    *locked = node;
  }
  if (survey_needed(search, node)) {
    ask(batch, number, node);
    return 0;
  }
  node->path = batch->own->number;
  leaf->kind = LEAF_STEP;
  return tree_child(search->tree, node, choose(search, batch->own, node, leaf));
}

/* The lock of the root, where all descents of a round begin: it is kept for a
   row of them, since handing it over to another thread takes longer than a
   step. (Connect Four, two threads, medians of six alternated runs when paths
   were still backed up one by one: 1.6 times the simulations of one thread in a
   cold tree and 1.7 in a warm one; 1.5 and 1.4 with a lock for each.) */
typedef struct Hold {
  Node *node; /* NULL: it is not held */
  uint32_t row;
} Hold;

static void let_go(const Search *search, Hold *hold) {
  if (hold->node) tree_unlock(search->tree, hold->node);
  *hold = (Hold){0};
}

static NodeId walk(Batch *batch, uint32_t number, Hold *hold) {
  enum { ROW = 32 };
  const Search *search = batch->search;
  Leaf *leaf = &batch->list[number];
  bool begins = !leaf->path.steps;
  if (!begins || hold->row == ROW) let_go(search, hold);
  if (!begins) reserve_step(search, leaf);
  if (!hold->node) hold->node = tree_lock(search->tree, leaf->node);
  NodeId next = step(batch, number, &hold->node);
  hold->row++;
  if (!begins) let_go(search, hold);
  return next;
}

/* ---- all of a round ---- */

/* Prefetches for the descents whose turn comes soon. */
static void look_ahead(const Batch *batch, uint32_t at) {
  const Tree *tree = batch->search->tree;
  const uint32_t *walks = batch->walks.data;
  uint32_t count = batch->walks.count;
  if (at + FAR_AHEAD < count)
    tree_prefetch(tree, batch->list[walks[at + FAR_AHEAD]].node);
  if (at + NEAR_AHEAD < count)
    tree_prefetch_actions(tree, batch->list[walks[at + NEAR_AHEAD]].node);
}

/* Descents take turns: one that made a step and has not ended queues up
   again. */
static void walk_all(Batch *batch) {
  Search *search = batch->search;
  Hold hold = {0};
  vector_reserve(&batch->walks, 2 * batch->walks.count);
  for (uint32_t i = 0; i < batch->walks.count; i++) {
    uint32_t number = batch->walks.data[i];
    Leaf *leaf = &batch->list[number];
    look_ahead(batch, i);
    NodeId next = walk(batch, number, &hold);
    if (next) {
      leaf->node = next;
      tree_prefetch_offset(search->tree, next);
      vector_push(&batch->walks, number);
    } else {
      tree_prefetch_state(search->tree, leaf->node);
    }
  }
  let_go(search, &hold);
}

/* Descents that wait go on, until none does; also those that wait for another
   thread. */
static void survey_all(Batch *batch) {
  while (batch->waiting.count) {
    if (!batch->asked.count) sched_yield();
    survey_nodes(batch, batch->asked.data, batch->asked.count);
    vector_clear(&batch->asked);
    vector_clear(&batch->walks);
    for (uint32_t i = 0; i < batch->waiting.count; i++)
      vector_push(&batch->walks, batch->waiting.data[i]);
    vector_clear(&batch->waiting);
    walk_all(batch);
  }
}

static void begin(Batch *batch, uint32_t playouts) {
  uint32_t number = batch->free.data[--batch->free.count];
  Leaf *leaf = &batch->list[number];
  leaf->node = batch->search->root;
  leaf->playouts = playouts;
  leaf->path.steps = 0;
  leaf->path.pending = true;
  vector_clear(&leaf->path.nodes);
  vector_clear(&leaf->path.hints);
  reserve_step(batch->search, leaf);
  vector_push(&batch->fresh, number);
  vector_push(&batch->walks, number);
}

static void count_depths(Batch *batch) {
  BatchTally *tally = &batch->tally;
  for (uint32_t i = 0; i < batch->fresh.count; i++) {
    uint32_t steps = batch->list[batch->fresh.data[i]].path.steps;
    tally->depths += steps;
    if (steps > tally->depth_most) tally->depth_most = steps;
  }
  tally->descents += batch->fresh.count;
}

static uint32_t count_visits(const Search *search) {
  Node *root = tree_lock(search->tree, search->root);
  uint32_t visits = root->visits;
  tree_unlock(search->tree, root);
  return visits;
}

/* A small tree gets few leaves at once, with more playouts each so that all
   lanes have work: so descents see the results of earlier ones. Several threads
   have as many leaves and playouts together as one would, and their lanes wait
   until the tree has grown. */
static uint32_t count_leaves(const Search *search, uint32_t usual,
                             uint32_t sharers) {
  uint32_t visits = count_visits(search);
  uint32_t most = visits / VISITS_PER_MORE, count = visits / VISITS_PER_LEAF;
  if (most < usual) most = usual;
  if (count > most) count = most;
  if (count < FEWEST_LEAVES) count = FEWEST_LEAVES;
  return count / sharers;
}

uint32_t descend_leaves(const Batch *batch, uint32_t sharers) {
  uint32_t count = count_leaves(batch->search, batch->leaves, sharers);
  if (!count) count = 1;
  return count < batch->leaves ? count : batch->leaves;
}

uint32_t descend_extra(const Batch *batch) {
  uint32_t count =
      count_visits(batch->search) / VISITS_PER_EXTRA / batch->sharers;
  return count < batch->leaves ? count : batch->leaves;
}

uint32_t descend_playouts(const Batch *batch, uint32_t leaves) {
  uint32_t playouts = batch->lanes / leaves / batch->sharers;
  if (judge_alone(batch->search)) return 1; /* none: it counts as one */
  return playouts < batch->repeat ? batch->repeat : playouts;
}

void descend_round(Batch *batch, uint32_t count, uint32_t playouts) {
  vector_clear(&batch->fresh);
  vector_clear(&batch->walks);
  for (uint32_t i = 0; i < count; i++) begin(batch, playouts);
  batch->own->number++;
  walk_all(batch);
  survey_all(batch);
  count_depths(batch);
}
