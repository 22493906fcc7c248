/* Returns go back along the path of a simulation, discounted at each step
   (Björnsson and Finnsson 2009, algorithm 1): the last action gets γ times the
   goal. In the tree N, Q and the maximum are updated, with RAVE also the
   averages of actions that occur later on the path (Finnsson and Björnsson
   2010, section 3.3); MAST averages every action of the path. */
#include "search/backup.h"

#include "search/prove.h"
#include "search/select.h"
#include "search/survey.h"
#include "search/tree_share.h"

void backup_returns(const Search *search, const int *goals, double *values) {
  bool two = search->role_count == 2;
  for (uint32_t role = 0; role < search->role_count; role++)
    values[role] =
        aim_return(&search->aim, goals[role], two ? goals[1 - role] : 0);
}

void backup_known(const Search *search, Scratch *own, const int8_t *goals) {
  bool two = search->role_count == 2;
  for (uint32_t role = 0; role < search->role_count; role++)
    own->values[role] = own->highest[role] =
        aim_return(&search->aim, goals[role], two ? goals[1 - role] : 0);
}

/* Updates an action, by its index among all of the node. */
static void teach_action(const Search *search, Node *node, uint32_t at,
                         bool pending, double value, double highest) {
  Action *action = node_all(search->tree, node) + at;
  action->visits++;
  action->total += value;
  if (pending) action->pending--;
  if (search->tree->columns & 1u << COLUMN_maximum) {
    float *maximum = node_maximum(search->tree, node) + at;
    if (highest > *maximum) *maximum = (float)highest;
  }
}

/* Updates the role's actions that occurred at this step or later. */
static void teach_rave(const Search *search, const Scratch *own, Node *node,
                       uint32_t role, double value) {
  uint32_t count;
  const Action *actions = node_actions(search->tree, node, role, &count);
  ActionRave *rave = node_rave(search->tree, node) + node_firsts(node)[role];
  for (uint32_t i = 0; i < count; i++)
    if (own->stamp.data[actions[i].move] == own->number) {
      rave[i].visits++;
      rave[i].total += value;
    }
}

/* Returns the goals of a child whose value is exact and best for the main
   role. */
static const int8_t *find_exact_goals(const Search *search, Node *node) {
  uint32_t count;
  const Action *actions = node_actions(search->tree, node, node->main, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (actions[i].exact != node->exact || !actions[i].child) continue;
    return node_goals(search->tree, tree_node(search->tree, actions[i].child));
  }
  return NULL;
}

/* If a simulation tried something worse than an exact value, the nodes above
   get the exact value. So exploring alternatives to a sure draw costs nothing.
   Below a proved root (settle.h) the averages say instead what happens if
   proofs are not seen. */
static void lift_values(const Search *search, Scratch *own, Node *node,
                        const uint32_t *choices) {
  uint32_t count;
  if (node->exact < 0 || node->movers != 1 || node->flags & NODE_PROVEN) return;
  const Action *chosen = node_actions(search->tree, node, node->main, &count) +
                         choices[node->main];
  if (chosen->exact == node->exact) return;
  double exact = aim_of_value(&search->aim, node->exact);
  if (chosen->total >= exact * (double)chosen->visits) return;
  const int8_t *goals = find_exact_goals(search, node);
  if (goals) backup_known(search, own, goals);
}

/* The means of roles that have no choice are asked for at the root (summary.c),
   its children (agree.c) and their children (effective.c), nowhere else. */
static void teach_node(Search *search, Scratch *own, const Path *path,
                       uint32_t step) {
  uint32_t asked = search->settings.final == FINAL_EFFECTIVE ? 2 : 1;
  bool judged = search->minimax && step + 1 < path->nodes.count;
  double judgement =
      judged ? survey_judgement(search, path->nodes.data[step + 1]) : NAN;
  Node *node = tree_lock(search->tree, path->nodes.data[step]);
  const uint32_t *choices = path->choices.data + step * search->role_count;
  const uint32_t *firsts = node_firsts(node);
  node->visits++;
  node->pending = (uint16_t)(node->pending - path->pending);
  if (judged)
    survey_back_up(search, node, choices, path->nodes.data[step + 1],
                   judgement);
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t at = firsts[role] + choices[role];
    bool chosen = firsts[role + 1] - firsts[role] > 1;
    if (!chosen && step > asked && role != node->main) continue;
    bool pending = path->pending && (chosen || role == node->main);
    teach_action(search, node, at, pending, own->values[role],
                 own->highest[role]);
    if (chosen) select_note(search, node, at);
    if (search->settings.rave && chosen)
      teach_rave(search, own, node, role, own->values[role]);
  }
  if (search->settings.solver) lift_values(search, own, node, choices);
  tree_unlock(search->tree, node);
}

void backup_stamp(const Search *search, Scratch *own, const uint32_t *moves,
                  uint32_t count) {
  uint32_t known = numbering_count(&search->moves);
  while (own->stamp.count < known) vector_push(&own->stamp, 0);
  for (uint32_t i = 0; i < count; i++) own->stamp.data[moves[i]] = own->number;
}

static void teach_mast(const Scratch *own, uint32_t move, double value) {
  mast_add(own->mast, move, value);
  if (own->gain) mast_add(own->gain, move, value);
}

void backup_path(Search *search, Scratch *own, const Path *path) {
  uint32_t roles = search->role_count;
  for (uint32_t step = path->steps; step-- > 0;) {
    const uint32_t *moves = path->moves.data + step * roles;
    if (search->settings.rave) backup_stamp(search, own, moves, roles);
    for (uint32_t role = 0; role < roles; role++) {
      own->values[role] *= search->settings.gamma;
      if (own->highest != own->values)
        own->highest[role] *= search->settings.gamma;
      if (search->settings.playout != PLAYOUT_UNIFORM || search->strategies)
        teach_mast(own, moves[role], own->values[role]);
      if (search->settings.playout == PLAYOUT_NST && !search->workers)
        ngrams_add(&search->ngrams, path, roles, step, role, own->values[role]);
    }
    if (step < path->nodes.count) teach_node(search, own, path, step);
  }
}

void backup_proofs(Search *search, const Path *path) {
  for (uint32_t step = path->nodes.count; step-- > 0;) {
    Node *node = tree_lock(search->tree, path->nodes.data[step]);
    bool news = prove_node(search->tree, node, &search->aim) ||
                prove_shorten(search->tree, node, &search->aim);
    tree_unlock(search->tree, node);
    if (!news) return;
  }
}
