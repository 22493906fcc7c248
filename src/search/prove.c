/* Exact values: a node whose children were proved goes in, its own value comes
   out (Winands, Björnsson and Saito 2008, section 3, for any goals and roles).

   A role that has the only choice takes what is best for it. Where several
   roles choose at once, nothing short of equal goals everywhere is a proof,
   since no role knows what the others do. A proof rests on proofs that were
   there before, down to terminal states; so cycles of the graph prove nothing
   of themselves. The value for the mover is remembered in the action, so that
   children are looked at no more, and stays when the child is recycled. */
#include "search/prove.h"

#include <string.h>

static const int8_t *goals_of(const Tree *tree, NodeId id) {
  if (!id) return NULL;
  Node *node = tree_node(tree, id);
  return node->flags & NODE_PROVEN ? node_goals(tree, node) : NULL;
}

static bool same_goals(const Tree *tree, const int8_t *a, const int8_t *b) {
  return !memcmp(a, b, tree->role_count * sizeof *a);
}

/* ---- one role at most has a choice ---- */

/* Look for children that were proved since; returns the highest exact value, -1
   if there is none, and whether every action has one. */
static int note_exact(const Tree *tree, Node *node, bool *all) {
  uint32_t count;
  Action *actions = node_actions(tree, node, node->main, &count);
  int highest = -1;
  *all = true;
  for (uint32_t i = 0; i < count; i++) {
    Action *action = &actions[i];
    const int8_t *goals =
        action->exact < 0 ? goals_of(tree, action->child) : NULL;
    if (goals) action->exact = goals[node->main];
    if (action->exact < 0) *all = false;
    if (action->exact > highest) highest = action->exact;
  }
  return highest;
}

/* The goals of the actions with this value; NULL if they differ or are not all
   known, unless the value is the best there is: then any of them will do. */
static const int8_t *goals_with(const Tree *tree, Node *node, int value,
                                bool is_best) {
  uint32_t count;
  Action *actions = node_actions(tree, node, node->main, &count);
  const int8_t *found = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (actions[i].exact != value) continue;
    const int8_t *goals = goals_of(tree, actions[i].child);
    if (goals && is_best) return goals;
    if (!goals && !is_best) return NULL;
    if (found && goals && !same_goals(tree, found, goals)) return NULL;
    found = goals;
  }
  return found;
}

static const int8_t *goals_of_choice(const Tree *tree, Node *node,
                                     const int *best) {
  bool all;
  int highest = note_exact(tree, node, &all);
  node->exact = (int8_t)highest;
  bool is_best = highest >= 0 && highest >= best[node->main];
  return is_best || all ? goals_with(tree, node, highest, is_best) : NULL;
}

/* Nobody had a choice: every role's only action has the node's value. */
static void note_forced(const Tree *tree, Node *node, const int8_t *goals) {
  uint32_t count;
  for (uint32_t role = 0; role < tree->role_count; role++)
    node_actions(tree, node, role, &count)->exact = goals[role];
}

/* ---- several roles have a choice ---- */

/* The goals that all joint moves with one action of the main role lead to; NULL
   if they are not all known or not the same. */
static const int8_t *goals_of_chain(const Tree *tree, uint32_t edge,
                                    uint64_t joints) {
  const TreeEdge *edges = tree_edges(tree);
  const int8_t *found = NULL;
  uint64_t length = 0;
  for (; edge; edge = edges[edge].next, length++) {
    const int8_t *goals = goals_of(tree, edges[edge].child);
    if (!goals || (found && !same_goals(tree, found, goals))) return NULL;
    found = goals;
  }
  return length == joints ? found : NULL;
}

static const int8_t *goals_of_joint(const Tree *tree, Node *node) {
  const uint32_t *firsts = node_firsts(node);
  uint64_t joints = 1;
  for (uint32_t role = 0; role < tree->role_count; role++)
    if (role != node->main &&
        __builtin_mul_overflow(
            joints, (uint64_t)(firsts[role + 1] - firsts[role]), &joints))
      return NULL;
  uint32_t count;
  Action *actions = node_actions(tree, node, node->main, &count);
  const int8_t *found = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const int8_t *goals = goals_of_chain(tree, actions[i].child, joints);
    if (!goals || (found && !same_goals(tree, found, goals))) return NULL;
    found = goals;
  }
  return found;
}

/* ---- the acts ---- */

bool prove_node(Tree *tree, Node *node, const int *best) {
  if (node->flags & NODE_PROVEN || !node->action_count) return false;
  const int8_t *goals = node->movers < 2 ? goals_of_choice(tree, node, best)
                                         : goals_of_joint(tree, node);
  if (!goals) return false;
  memcpy(node_goals(tree, node), goals, tree->role_count * sizeof *goals);
  node->flags |= NODE_PROVEN;
  if (!node->movers) note_forced(tree, node, goals);
  return true;
}
