/* A search makes conventions of its own: which of two equal ways all roles take
   in its tree is an accident, and another search of the same game has another
   one. So the averages of the root's actions say little where it matters most
   that both players choose the same way. The averages after each joint move do
   not depend on a convention in this step: they are the payoffs of a matrix
   game, whose best equilibrium is played if there is one that both prefer to
   the average. */
#include "search/agree.h"

#include <math.h>

enum { BARGAIN_MOST = 64 }; /* joint moves to be looked at */

/* Returns the mean return of a role in a node; -INFINITY if not known. */
static double mean_in(const Search *search, NodeId id, uint32_t role) {
  if (!id) return -INFINITY;
  uint32_t count;
  double total = 0, visits = 0;
  Node *node = tree_node(search->tree, id);
  const int8_t *goals = node_goals(search->tree, node);
  if (node->flags & NODE_CLOSED) return -INFINITY;
  if (node->flags & NODE_PROVEN)
    return aim_of_value(&search->aim, aim_value(&search->aim, goals, role));
  const Action *actions = node_actions(search->tree, node, role, &count);
  for (uint32_t i = 0; i < count; i++) {
    total += actions[i].total;
    visits += actions[i].visits;
  }
  return visits > 0 ? total / visits : -INFINITY;
}

/* The returns of two roles that choose at once, by the choice of each. */
typedef struct Bargain {
  uint32_t counts[2];
  double returns[BARGAIN_MOST][2];
  double now[2]; /* what they get on the average */
} Bargain;

static bool fill_bargain(const Search *search, Node *root, Bargain *bargain) {
  for (uint32_t role = 0; role < 2; role++) {
    node_actions(search->tree, root, role, &bargain->counts[role]);
    bargain->now[role] = mean_in(search, search->root, role);
  }
  uint64_t joints = (uint64_t)bargain->counts[0] * bargain->counts[1];
  if (joints > BARGAIN_MOST) return false;
  for (uint32_t i = 0; i < joints; i++) {
    uint32_t choices[2] = {i / bargain->counts[1], i % bargain->counts[1]};
    NodeId child = tree_child(search->tree, root, choices);
    for (uint32_t role = 0; role < 2; role++)
      bargain->returns[i][role] = mean_in(search, child, role);
  }
  return true;
}

/* Returns true if both roles get more than on the average, and neither would
   get `even` more by another choice of its own. */
static bool is_bargain(const Bargain *bargain, uint32_t joint, double even) {
  const double *own = bargain->returns[joint];
  uint32_t width = bargain->counts[1], row = joint / width;
  if (own[0] <= bargain->now[0] || own[1] <= bargain->now[1]) return false;
  for (uint32_t i = joint % width; i < bargain->counts[0] * width; i += width)
    if (bargain->returns[i][0] > own[0] + even) return false;
  for (uint32_t i = row * width; i < (row + 1) * width; i++)
    if (bargain->returns[i][1] > own[1] + even) return false;
  return true;
}

bool agree_choose(const Search *search, uint32_t *choice) {
  Bargain bargain;
  double even = search->settings.even, most = -INFINITY;
  Node *root = tree_node(search->tree, search->root);
  if (even <= 0 || root->movers < 2 || search->role_count != 2 ||
      !fill_bargain(search, root, &bargain))
    return false;
  for (uint32_t i = 0; i < bargain.counts[0] * bargain.counts[1]; i++) {
    double sum = bargain.returns[i][0] + bargain.returns[i][1];
    if (!is_bargain(&bargain, i, even) || sum <= most + 2 * even) continue;
    most = sum;
    *choice = search->role ? i % bargain.counts[1] : i / bargain.counts[1];
  }
  return most > -INFINITY;
}
