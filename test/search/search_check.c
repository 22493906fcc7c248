#include "search/search_check.h"

#include <math.h>

#include "search/tree_check.h"
#include "support/unit.h"

/* The kept terms of an action's bound. */
static void check_terms(const Action *action, const ActionBound *bound) {
  double visits = action->visits;
  double mean = visits > 0 ? action->total / visits : INFINITY;
  double width = visits > 0 ? 1 / sqrt(visits) : 0;
  assert_true(bound->mean == mean || fabs(bound->mean - mean) <= 1e-4 ||
              (bound->mean == -INFINITY && action->exact >= 0));
  assert_true(fabs(bound->width - width) <= 1e-6);
}

/* Visits of actions add up to the node's for each role that has a choice,
   nothing is pending, and totals are in the range of returns. */
void search_check_node(Search *search, NodeId id, uint32_t depth) {
  Node *node = tree_node(search->tree, id);
  uint32_t choices[RULE_ROLES] = {0};
  assert_int_equal(node->pending, 0);
  if (!node_action_count(search->tree, node) || node->flags & NODE_CLOSED)
    return;
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t count, sum = 0;
    const Action *actions = node_actions(search->tree, node, role, &count);
    for (uint32_t i = 0; i < count; i++) {
      sum += actions[i].visits;
      assert_int_equal(actions[i].pending, 0);
      if (search->quick && count > 1)
        check_terms(&actions[i], node_bounds(search->tree, node) +
                                     node_firsts(node)[role] + i);
      assert_true(actions[i].total <= 100.0001 * actions[i].visits);
      assert_true(actions[i].total >= -100.0001 * actions[i].visits);
    }
    if (count > 1 || role == node->main)
      assert_int_equal(sum, node->visits);
    else
      assert_true(sum <= node->visits);
    for (uint32_t i = 0; i < count && depth; i++) {
      choices[role] = i;
      NodeId child = tree_child(search->tree, node, choices);
      if (child) search_check_node(search, child, depth - 1);
    }
    choices[role] = 0;
  }
}

void search_check(Search *search) {
  char message[200];
  if (!tree_check(search->tree, search->root, message, sizeof message))
    fail_msg("%s", message);
  search_check_node(search, search->root, 3);
}
