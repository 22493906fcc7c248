/* A candidate is the state that one of our moves leads to. If only other roles
   have a choice there, the worst of the states after it counts; if only we
   have, the best; if both have, half of the worst and half of the average of
   the candidate itself. Where other roles choose at the root, too, a move leads
   to several states; their qualities are averaged by visits.

   Chance is a number drawn for each root, mixed with the move, so that the
   answer is the same as often as it is asked for. */
#include "search/effective.h"

#include "base/hash.h"

static double action_quality(const Search *search, const Node *node,
                             uint32_t at) {
  const Action *action = node_all(search->tree, node) + at;
  if (!action->visits) return -INFINITY;
  if (search->settings.estimate == ESTIMATE_MAXIMUM)
    return node_maximum(search->tree, node)[at];
  return action->total / action->visits;
}

/* Q of a state for the searching role: the average, or the maximum, of what
   was played from it. */
static double state_quality(const Search *search, Node *node) {
  const uint32_t *firsts = node_firsts(node) + search->role;
  double total = 0, visits = 0, most = -INFINITY;
  if (node->flags & NODE_TERMINAL) {
    const int8_t *goals = node_goals(search->tree, node);
    return aim_return(&search->aim, goals[search->role],
                      search->role_count == 2 ? goals[1 - search->role] : 0);
  }
  if (node->flags & NODE_CLOSED) return -INFINITY;
  for (uint32_t i = firsts[0]; i < firsts[1]; i++) {
    const Action *action = node_all(search->tree, node) + i;
    if (!action->visits) continue;
    total += action->total;
    visits += action->visits;
    most = fmax(most, action_quality(search, node, i));
  }
  if (search->settings.estimate == ESTIMATE_MAXIMUM) return most;
  return visits > 0 ? total / visits : -INFINITY;
}

typedef struct Range {
  double least, most;
} Range;

static void widen(const Search *search, NodeId child, Range *range) {
  double quality =
      child ? state_quality(search, tree_node(search->tree, child)) : -INFINITY;
  if (quality == -INFINITY) return;
  range->least = fmin(range->least, quality);
  range->most = fmax(range->most, quality);
}

/* The qualities of the known children of one action of the main role. */
static void widen_by_action(const Search *search, const Node *node,
                            const Action *action, Range *range) {
  const TreeEdge *edges = tree_edges(search->tree);
  if (node->movers < 2) {
    widen(search, action->child, range);
    return;
  }
  for (uint32_t edge = action->child; edge; edge = edges[edge].next)
    widen(search, edges[edge].child, range);
}

/* Table I for a candidate. */
static double table_value(const Search *search, Node *node) {
  uint32_t count, own;
  Range range = {INFINITY, -INFINITY};
  double quality = state_quality(search, node);
  if (node->flags & (NODE_TERMINAL | NODE_CLOSED)) return quality;
  const Action *actions = node_actions(search->tree, node, node->main, &count);
  for (uint32_t i = 0; i < count; i++)
    widen_by_action(search, node, &actions[i], &range);
  if (range.most == -INFINITY) return quality;
  node_actions(search->tree, node, search->role, &own);
  if (own == 1) return range.least;
  if (node->movers > 1) return (range.least + quality) / 2;
  return range.most;
}

/* The choice of a role in an edge of the node, whose number for the choices of
   all but the main role is in mixed radix. */
static uint32_t edge_choice(const Search *search, const Node *node,
                            uint64_t joint, uint32_t wanted) {
  const uint32_t *firsts = node_firsts(node);
  for (uint32_t role = search->role_count; role-- > 0;) {
    uint64_t count = firsts[role + 1] - firsts[role];
    if (role == node->main) continue;
    if (role == wanted) return (uint32_t)(joint % count);
    joint /= count;
  }
  return 0;
}

/* A weighted sum of the qualities of candidates. */
typedef struct Mixture {
  double total, weight;
} Mixture;

static void mix(const Search *search, NodeId child, Mixture *mixture) {
  if (!child) return;
  Node *node = tree_node(search->tree, child);
  double quality = table_value(search, node), weight = node->visits + 1;
  if (!isfinite(quality)) return;
  mixture->total += quality * weight;
  mixture->weight += weight;
}

/* The candidates of our action, where other roles choose as well. */
static void mix_edges(const Search *search, Node *root, uint32_t action,
                      Mixture *mixture) {
  const TreeEdge *edges = tree_edges(search->tree);
  uint32_t count;
  const Action *actions = node_actions(search->tree, root, root->main, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (root->main == search->role && i != action) continue;
    for (uint32_t edge = actions[i].child; edge; edge = edges[edge].next)
      if (root->main == search->role ||
          edge_choice(search, root, edges[edge].joint, search->role) == action)
        mix(search, edges[edge].child, mixture);
  }
}

double effective_quality(const Search *search, uint32_t action) {
  Node *root = tree_node(search->tree, search->root);
  uint32_t at = node_firsts(root)[search->role] + action;
  if (!node_all(search->tree, root)[at].visits) return -INFINITY;
  Mixture mixture = {0};
  if (root->movers > 1)
    mix_edges(search, root, action, &mixture);
  else
    mix(search, node_all(search->tree, root)[at].child, &mixture);
  return mixture.weight > 0 ? mixture.total / mixture.weight
                            : action_quality(search, root, at);
}

static uint64_t chance(const Search *search, uint32_t move) {
  return hash_pair(search->chance, move);
}

uint32_t effective_best(const Search *search) {
  uint32_t count, best = 0;
  double most = -INFINITY;
  Node *root = tree_node(search->tree, search->root);
  const Action *actions =
      node_actions(search->tree, root, search->role, &count);
  for (uint32_t i = 0; i < count; i++) {
    double quality = effective_quality(search, i);
    double history = mast_value(&search->mast, actions[i].move);
    double before = mast_value(&search->mast, actions[best].move);
    if (i && quality <= most &&
        (quality < most || history < before ||
         (history == before && chance(search, actions[i].move) <=
                                   chance(search, actions[best].move))))
      continue;
    most = quality;
    best = i;
  }
  return best;
}
