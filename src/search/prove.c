/* Exact values of nodes from those of their children (Winands, Björnsson and
   Saito 2008, section 3, for any goals and any number of roles).

   If only one role has a choice, it takes what is best for it. Where several
   roles choose at once, only equal goals everywhere are a proof, since no role
   knows what the others do. A proof rests on earlier proofs, down to terminal
   states; so cycles of the graph cannot prove themselves. The value for the
   mover is stored in the action, so that the child is not visited again, and
   stays when the child is recycled.

   The distance of a node is the number of steps that its proof takes to the
   end: a role that has won takes the shortest way known, a role that has not
   the longest. A shorter win may exist as long as some action has no exact
   value, so distances are upper bounds. */
#include "search/prove.h"

#include <string.h>

static const int8_t *goals_of(const Tree *tree, NodeId id) {
  if (!id) return NULL;
  Node *node = tree_node(tree, id);
  return node_flags(node) & NODE_PROVEN ? node_goals(tree, node) : NULL;
}

static bool same_goals(const Tree *tree, const int8_t *a, const int8_t *b) {
  return !memcmp(a, b, tree->role_count * sizeof *a);
}

/* ---- distances ---- */

static uint8_t one_more(uint8_t distance) {
  return distance < UINT8_MAX ? (uint8_t)(distance + 1) : distance;
}

/* Returns the distance of a node where one role at most has a choice, by its
   actions with the value that it has. */
static uint8_t distance_of_choice(const Tree *tree, Node *node,
                                  const Aim *aim) {
  uint32_t count;
  const Action *actions = node_actions(tree, node, node->main, &count);
  bool won = aim_is_won(aim, node->main, node->exact);
  uint8_t found = won ? UINT8_MAX : 0;
  for (uint32_t i = 0; i < count; i++) {
    uint8_t distance = actions[i].distance;
    if (actions[i].exact != node->exact) continue;
    if (won ? distance < found : distance > found) found = distance;
  }
  return found;
}

/* ---- at most one role has a choice ---- */

/* Looks for newly proved children. Returns the highest exact value or -1, and
   whether all actions have one. */
static int note_exact(const Tree *tree, Node *node, const Aim *aim, bool *all) {
  uint32_t count;
  Action *actions = node_actions(tree, node, node->main, &count);
  int highest = -1;
  *all = true;
  for (uint32_t i = 0; i < count; i++) {
    Action *action = &actions[i];
    const int8_t *goals =
        action->exact < 0 ? goals_of(tree, action->child) : NULL;
    if (goals) {
      const Node *child = tree_node(tree, action->child);
      action_prove(action, (int8_t)aim_value(aim, goals, node->main),
                   one_more(node_distance(child)));
    }
    if (action->exact < 0) *all = false;
    if (action->exact > highest) highest = action->exact;
  }
  return highest;
}

/* Returns the goals of the actions with this value; NULL if they differ or are
   not all known. If the value is the best possible, any of them will do. */
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
                                     const Aim *aim) {
  bool all;
  int highest = note_exact(tree, node, aim, &all);
  node_set_exact(node, (int8_t)highest);
  bool is_best = highest >= 0 && highest >= aim->best[node->main];
  return is_best || all ? goals_with(tree, node, highest, is_best) : NULL;
}

/* No role has a choice: each role's only action gets the node's value. */
static void note_forced(const Tree *tree, Node *node, const int8_t *goals,
                        const Aim *aim) {
  uint32_t count;
  for (uint32_t role = 0; role < tree->role_count; role++) {
    Action *action = node_actions(tree, node, role, &count);
    action_prove(action, (int8_t)aim_value(aim, goals, role), node->distance);
  }
}

/* ---- several roles have a choice ---- */

/* Returns the goals that all joint moves with one action of the main role lead
   to; NULL if they are not all known or not equal. Raises `distance` to the
   longest of them. */
static const int8_t *goals_of_chain(const Tree *tree, uint32_t edge,
                                    uint64_t joints, uint8_t *distance) {
  const TreeEdge *edges = tree_edges(tree);
  const int8_t *found = NULL;
  uint64_t length = 0;
  for (; edge; edge = edges[edge].next, length++) {
    const int8_t *goals = goals_of(tree, edges[edge].child);
    if (!goals || (found && !same_goals(tree, found, goals))) return NULL;
    uint8_t own = one_more(node_distance(tree_node(tree, edges[edge].child)));
    if (own > *distance) *distance = own;
    found = goals;
  }
  return length == joints ? found : NULL;
}

static const int8_t *goals_of_joint(const Tree *tree, Node *node,
                                    uint8_t *distance) {
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
    const int8_t *goals =
        goals_of_chain(tree, actions[i].child, joints, distance);
    if (!goals || (found && !same_goals(tree, found, goals))) return NULL;
    found = goals;
  }
  return found;
}

/* ---- either way ---- */

bool prove_node(Tree *tree, Node *node, const Aim *aim) {
  if (node->flags & NODE_PROVEN || !node_action_count(tree, node)) return false;
  uint8_t distance = 0;
  const int8_t *goals = node->movers < 2
                            ? goals_of_choice(tree, node, aim)
                            : goals_of_joint(tree, node, &distance);
  if (!goals) return false;
  memcpy(node_goals(tree, node), goals, tree->role_count * sizeof *goals);
  node_set_distance(node, node->movers < 2 ? distance_of_choice(tree, node, aim)
                                           : distance);
  node_raise(node, NODE_PROVEN);
  if (!node->movers) note_forced(tree, node, goals, aim);
  return true;
}

bool prove_shorten(Tree *tree, Node *node, const Aim *aim) {
  if (!(node->flags & NODE_PROVEN) || node->movers != 1) return false;
  bool all;
  uint32_t count;
  Action *actions = node_actions(tree, node, node->main, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (actions[i].exact < 0 || !goals_of(tree, actions[i].child)) continue;
    uint8_t now = one_more(node_distance(tree_node(tree, actions[i].child)));
    if (now < actions[i].distance)
      action_prove(&actions[i], actions[i].exact, now);
  }
  note_exact(tree, node, aim, &all);
  uint8_t before = node->distance;
  node_set_distance(node, distance_of_choice(tree, node, aim));
  return node->distance != before;
}
