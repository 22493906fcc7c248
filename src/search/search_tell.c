/* What a search has found out, for those who learn from it: the nodes of its
   tree with enough visits, each with the return that the role who chooses there
   can expect.

   The mean over all visits is too low, since it has the worse actions in it
   that were tried; the best mean is too high, since it is the luckiest, too. In
   between is closer than either. */
#include "search/parts.h"
#include "search/search.h"

/* Returns the highest mean of an action with at least its share of visits. */
static double best_mean(const Search *search, const Action *actions,
                        uint32_t count, double visits) {
  double best = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    double value = -INFINITY;
    if (actions[i].exact >= 0)
      value = aim_of_value(&search->aim, actions[i].exact);
    else if (actions[i].visits && actions[i].visits * (double)count >= visits)
      value = actions[i].total / actions[i].visits;
    if (value > best) best = value;
  }
  return best;
}

static double value_of(const Search *search, Node *node) {
  uint32_t count;
  const Action *actions = node_actions(search->tree, node, node->main, &count);
  double total = 0, visits = 0;
  for (uint32_t i = 0; i < count; i++) {
    total += actions[i].total;
    visits += actions[i].visits;
  }
  double best = best_mean(search, actions, count, visits);
  return visits > 0 ? (total / visits + best) / 2 : best;
}

void search_tell(Search *search, uint32_t visits, SearchListener *listener,
                 void *context) {
  size_t place = TREE_FIRST_BLOCK;
  for (Node *node; (node = node_next(search->tree, &place));) {
    if (node->flags & (NODE_DEAD | NODE_TERMINAL | NODE_CLOSED)) continue;
    bool exact = node->flags & NODE_PROVEN;
    if (node->movers != 1 || (!exact && node->visits < visits)) continue;
    SearchNode told = {.state = node_state(search->tree, node),
                       .role = node->main,
                       .visits = node->visits,
                       .exact = exact};
    told.value = exact ? aim_of_value(&search->aim,
                                      aim_value(&search->aim,
                                                node_goals(search->tree, node),
                                                node->main))
                       : value_of(search, node);
    listener(context, &told);
  }
}

/* Visits; but a sure win comes first, and what is sure and no win last. */
static double preference(const Search *search, const Action *action,
                         uint32_t role) {
  if (action->exact < 0) return action->visits;
  return action->exact >= search->aim.best[role] ? INFINITY
                                                 : action->exact - 101;
}

Move search_favourite(Search *search, uint32_t role) {
  uint32_t count, best = 0;
  Node *root = tree_node(search->tree, search->root);
  const Action *actions = node_actions(search->tree, root, role, &count);
  for (uint32_t i = 1; i < count; i++)
    if (preference(search, &actions[i], role) >
        preference(search, &actions[best], role))
      best = i;
  return numbering_move(&search->moves, actions[best].move);
}
