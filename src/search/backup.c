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
                         const Lesson *lesson, uint32_t role, bool pending) {
  Action *action = node_all(search->tree, node) + at;
  action->visits += lesson->count;
  action->total += lesson->totals[role];
  if (pending) action->pending = (uint16_t)(action->pending - lesson->pending);
  if (search->tree->columns & 1u << COLUMN_maximum) {
    float *maximum = node_maximum(search->tree, node) + at;
    if (lesson->highest[role] > *maximum)
      *maximum = (float)lesson->highest[role];
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
static bool lift_values(const Search *search, Scratch *own, Node *node,
                        const uint32_t *choices) {
  uint32_t count;
  if (node->exact < 0 || node->movers != 1 || node->flags & NODE_PROVEN)
    return false;
  const Action *chosen = node_actions(search->tree, node, node->main, &count) +
                         choices[node->main];
  if (chosen->exact == node->exact) return false;
  double exact = aim_of_value(&search->aim, node->exact);
  if (chosen->total >= exact * (double)chosen->visits) return false;
  const int8_t *goals = find_exact_goals(search, node);
  if (goals) backup_known(search, own, goals);
  return goals;
}

/* The means of roles that have no choice are asked for at the root (summary.c),
   its children (agree.c) and their children (effective.c), nowhere else. */
bool backup_teach(const Search *search, Scratch *own, Node *node,
                  const Lesson *lesson) {
  uint32_t asked = search->settings.final == FINAL_EFFECTIVE ? 2 : 1;
  const uint32_t *firsts = node_firsts(node);
  node->visits += lesson->count;
  node->pending = (uint16_t)(node->pending - lesson->pending);
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t at = firsts[role] + lesson->choices[role];
    bool chosen = firsts[role + 1] - firsts[role] > 1;
    if (!chosen && lesson->step > asked && role != node->main) continue;
    teach_action(search, node, at, lesson, role, chosen || role == node->main);
    if (chosen) select_note(search, node, at);
    if (search->settings.rave && chosen)
      teach_rave(search, own, node, role, lesson->totals[role]);
  }
  return search->settings.solver &&
         lift_values(search, own, node, lesson->choices);
}

void backup_teach_moves(const Search *search, Scratch *own,
                        const Lesson *lesson) {
  if (search->settings.playout == PLAYOUT_UNIFORM && !search->strategies)
    return;
  for (uint32_t role = 0; role < search->role_count; role++) {
    uint32_t move = lesson->moves[role];
    mast_add(own->mast, move, lesson->count, lesson->totals[role]);
    if (own->gain)
      mast_add(own->gain, move, lesson->count, lesson->totals[role]);
  }
}

/* ---- paths ---- */

void backup_stamp(const Search *search, Scratch *own, const uint32_t *moves,
                  uint32_t count) {
  uint32_t known = numbering_count(&search->moves);
  while (own->stamp.count < known) vector_push(&own->stamp, 0);
  for (uint32_t i = 0; i < count; i++) own->stamp.data[moves[i]] = own->number;
}

static void discount(const Search *search, Scratch *own) {
  for (uint32_t role = 0; role < search->role_count; role++) {
    own->values[role] *= search->settings.gamma;
    if (own->highest != own->values)
      own->highest[role] *= search->settings.gamma;
  }
}

/* Returns what a path has to say at a step. */
static Lesson lesson_at(const Search *search, const Scratch *own,
                        const Path *path, uint32_t step) {
  uint32_t roles = search->role_count;
  return (Lesson){.step = step,
                  .count = 1,
                  .pending = path->pending,
                  .choices = path->choices.data + step * roles,
                  .moves = path->moves.data + step * roles,
                  .totals = own->values,
                  .highest = own->highest};
}

static void teach_node(Search *search, Scratch *own, const Path *path,
                       const Lesson *lesson) {
  uint32_t next = lesson->step + 1;
  bool judged = search->minimax && next < path->nodes.count;
  double judgement =
      judged ? survey_judgement(search, path->nodes.data[next]) : NAN;
  Node *node = tree_lock(search->tree, path->nodes.data[lesson->step]);
  if (judged)
    survey_back_up(search, node, lesson->choices, path->nodes.data[next],
                   judgement);
  backup_teach(search, own, node, lesson);
  tree_unlock(search->tree, node);
}

void backup_path(Search *search, Scratch *own, const Path *path) {
  uint32_t roles = search->role_count;
  for (uint32_t step = path->steps; step-- > 0;) {
    discount(search, own);
    Lesson lesson = lesson_at(search, own, path, step);
    if (search->settings.rave) backup_stamp(search, own, lesson.moves, roles);
    backup_teach_moves(search, own, &lesson);
    if (search->settings.playout == PLAYOUT_NST && !search->workers)
      for (uint32_t role = 0; role < roles; role++)
        ngrams_add(&search->ngrams, path, roles, step, role, own->values[role]);
    if (step < path->nodes.count) teach_node(search, own, path, &lesson);
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
