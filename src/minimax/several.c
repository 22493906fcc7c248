/* A value is one score for each role, so windows do not cut, but a role that
   has the best possible end looks no further. The table gives only the move to
   begin with: a value of all roles has no room in it. */
#include "minimax/several.h"

#include "minimax/alphabeta.h"
#include "minimax/brood.h"

typedef struct Shares {
  Score scores[RULE_ROLES]; /* by role, from its own view */
  bool exact;
} Shares;

static void take_end(Worker *worker, uint32_t ply, Shares *shares) {
  const Minimax *minimax = worker->minimax;
  float goals[RULE_ROLES];
  brood_goals(worker, goals);
  for (uint32_t role = 0; role < minimax->role_count; role++)
    shares->scores[role] = scale_end(&minimax->scales[role], goals, ply);
  shares->exact = true;
}

static void take_evaluation(Worker *worker, const Ply *node, Shares *shares) {
  const Minimax *minimax = worker->minimax;
  const Evaluation *evaluation = minimax->evaluation;
  float values[RULE_ROLES];
  worker->evaluated++;
  if (evaluation)
    evaluation_values(evaluation, node->state, node->sums, NULL, values);
  for (uint32_t role = 0; role < minimax->role_count; role++) {
    const Scale *scale = &minimax->scales[role];
    shares->scores[role] = evaluation ? scale_values(scale, values)
                                      : (scale->low + scale->high) / 2;
  }
  shares->exact = false;
}

static Move known_move(Worker *worker, uint64_t key) {
  Transposition entry;
  bool found = transpositions_find(&worker->minimax->table, key, &entry);
  return found ? entry.move : no_move;
}

/* The move of the table first, then by what they are worth at once. */
static void order(Worker *worker, const Brood *brood, Move first) {
  for (uint32_t i = 0; i < brood->count; i++) {
    Child *child = brood_child(worker, brood, i);
    child->order = child->move == first ? INT32_MAX : child->score;
  }
  brood_sort(worker, brood, 0, brood->count);
}

static void search(Worker *worker, uint32_t ply, uint32_t depth,
                   Shares *shares);

/* Takes the best child for the role in turn. */
static Move choose(Worker *worker, const Brood *brood, uint32_t depth,
                   Shares *best) {
  const Scale *scale = &worker->minimax->scales[brood->mover];
  Move move = no_move;
  bool exact = true;
  for (uint32_t i = 0; i < brood->count; i++) {
    const Child *child = brood_child(worker, brood, i);
    Shares shares;
    brood_descend(worker, brood->ply, child);
    search(worker, brood->ply + 1, depth - 1, &shares);
    if (worker->stopped) return no_move;
    exact &= shares.exact;
    Score score = shares.scores[brood->mover];
    if (i && score <= best->scores[brood->mover]) continue;
    *best = shares;
    move = child->move;
    /* Nothing is better than the best end, one step away. */
    if (shares.exact &&
        score >= scale->high + SCORE_DISTANCE - (Score)(brood->ply + 1))
      return move;
  }
  best->exact = exact;
  return move;
}

static void search(Worker *worker, uint32_t ply, uint32_t depth,
                   Shares *shares) {
  const Ply *node = &worker->plies[ply];
  Brood brood;
  *shares = (Shares){.exact = false};
  if (ply > worker->depth_most) worker->depth_most = ply;
  if (alphabeta_stopped(worker)) return;
  brood_enter(worker, ply);
  if (game_terminal(worker->game)) {
    take_end(worker, ply, shares);
    return;
  }
  if (!depth || ply + 1 >= PLY_MOST || !brood_list(worker, ply, &brood)) {
    take_evaluation(worker, node, shares);
    return;
  }
  brood_make_some(worker, &brood, 0, brood.count);
  order(worker, &brood, known_move(worker, node->key));
  Move move = choose(worker, &brood, depth, shares);
  brood_free(worker, &brood);
  if (worker->stopped) return;
  Transposition entry = {.bound = BOUND_NONE, .depth = depth, .move = move};
  transpositions_store(&worker->minimax->table, node->key, &entry);
}

Result several_search_move(Worker *worker, Move move, uint32_t depth,
                           Score *own) {
  Shares shares = {.exact = false};
  const Child *child = alphabeta_root_child(worker, move);
  if (!child) return (Result){0, false};
  brood_descend(worker, 0, child);
  search(worker, 1, depth - 1, &shares);
  *own = shares.scores[worker->minimax->role];
  return (Result){shares.scores[worker->root.mover], shares.exact};
}
