/* A root that is won is searched a little longer, in the actions without exact
   values: one of them may win sooner. In a root that is lost all actions have
   exact values. The opponent's answers were proved to win, but perhaps in more
   steps than necessary; so the action with the longest resistance is searched
   on, in those answers that have no exact value yet. That finds shorter wins of
   the opponent, and averages for the case that it does not see them.

   If all actions of an inner node have exact values and the node is not proved,
   the best of them differ in what other roles get: they are taken in turn. */
#include "search/settle.h"

enum { WON_SIMULATIONS = 64 }; /* for each action of a root that is won */

static bool has_open(const Search *search, Node *node) {
  uint32_t count;
  const Action *actions = node_actions(search->tree, node, node->main, &count);
  for (uint32_t i = 0; i < count; i++)
    if (action_exact(&actions[i]) < 0) return true;
  return false;
}

/* Returns true if a proved node may still turn out to end sooner. */
static bool may_shorten(const Search *search, Node *node) {
  return node_flags(node) & NODE_PROVEN && node->movers == 1 &&
         node_distance(node) > 1 && has_open(search, node);
}

/* Returns true if all actions of the root have exact values. */
static bool is_lost(const Search *search, Node *root) {
  return node_exact(root) >= 0 && !has_open(search, root);
}

/* Returns true if it is worth while to go on below the root's action. */
static bool resists(const Search *search, const Node *root,
                    const Action *action) {
  if (action->exact != root->exact || !action->child) return false;
  return may_shorten(search, tree_node(search->tree, action->child));
}

bool settle_passes(const Search *search, Node *node, uint32_t steps) {
  if (search->settings.solver < 2 || steps > 1 || node->movers != 1)
    return false;
  if (steps == 0) return node->main == search->role;
  Node *root = tree_node(search->tree, search->root);
  return root->main == search->role && is_lost(search, root) &&
         may_shorten(search, node);
}

/* Returns true if `a` is to be chosen rather than `b`. */
static bool comes_first(const Action *a, const Action *b, bool lost) {
  if (lost && a->distance != b->distance) return a->distance > b->distance;
  return a->visits + a->pending < b->visits + b->pending;
}

uint32_t settle_choose(const Search *search, Node *node, uint32_t role) {
  uint32_t count;
  const Action *actions = node_actions(search->tree, node, role, &count);
  for (int resist = node->id == search->root; resist >= 0; resist--) {
    uint32_t best = count;
    for (uint32_t i = 0; i < count; i++) {
      const Action *action = &actions[i];
      if (action->exact != node->exact) continue;
      if (resist && !resists(search, node, action)) continue;
      if (best == count || comes_first(action, &actions[best], resist))
        best = i;
    }
    if (best < count) return best;
  }
  return 0;
}

static bool is_win_settled(const Search *search, Node *root, uint32_t count) {
  return root->distance <= 1 || !has_open(search, root) ||
         search->report.simulations >= (uint64_t)WON_SIMULATIONS * count;
}

bool settle_near(const Search *search) {
  const Node *root = tree_node(search->tree, search->root);
  return node_flags(root) & NODE_PROVEN || node_exact(root) >= 0;
}

bool settle_done(const Search *search) {
  uint32_t count;
  Node *root = tree_node(search->tree, search->root);
  bool proved = root->flags & NODE_PROVEN;
  if (search->settings.solver < 2 || root->movers != 1 ||
      root->main != search->role)
    return proved;
  const Action *actions =
      node_actions(search->tree, root, search->role, &count);
  if (!is_lost(search, root))
    return proved && is_win_settled(search, root, count);
  for (uint32_t i = 0; i < count; i++)
    if (resists(search, root, &actions[i])) return false;
  return true;
}
