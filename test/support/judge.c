#include "support/judge.h"

void judgement_free(Judgement *judgement) {
  vector_free(&judgement->moves);
}

void judge_goals(const Game *game, NumberVector *goals) {
  const Rules *rules = &game->description->rules;
  bool named[101] = {0};
  for (uint32_t i = 0; i < rules->list.count; i++) {
    Term head = rules->list.data[i].head;
    if (term_symbol(&rules->terms, head) != SYMBOL_GOAL) continue;
    int64_t value =
        term_number(&rules->terms, term_argument(&rules->terms, head, 1));
    if (value >= 0 && value <= 100) named[value] = true;
  }
  for (uint32_t value = 101; value-- > 0;)
    if (named[value]) vector_push(goals, value);
}

static int judge_move(Solver *solver, const NumberVector *goals, Move move) {
  for (uint32_t i = 0; i < goals->count; i++)
    if (solve_move_reaches(solver, move, (int)goals->data[i], SOLVE_TO_THE_END))
      return (int)goals->data[i];
  return -1;
}

/* What the moves cannot exceed: the others choose first. */
static void judge_ceilings(Solver *solver, const NumberVector *goals,
                           Judgement *judgement) {
  solver->own_last = true;
  for (uint32_t i = 0; i < judgement->moves.count; i++)
    judgement->moves.data[i].high =
        judge_move(solver, goals, judgement->moves.data[i].move);
  uint32_t i = 0;
  while (i < goals->count &&
         !solve_reaches(solver, (int)goals->data[i], SOLVE_TO_THE_END))
    i++;
  judgement->ceiling = i < goals->count ? (int)goals->data[i] : -1;
  solver->own_last = false;
}

static void judge_by_force(Solver *solver, uint32_t role,
                           Judgement *judgement) {
  NumberVector goals = {0};
  judge_goals(solver->game, &goals);
  solver_begin(solver, role);
  for (uint32_t i = 0; i < judgement->moves.count; i++) {
    JudgedMove *move = &judgement->moves.data[i];
    move->low = move->high = judge_move(solver, &goals, move->move);
  }
  if (solver->simultaneous) judge_ceilings(solver, &goals, judgement);
  judgement->states = solver->states;
  judgement->proved = !solver->beyond && solver->constant_sum;
  vector_free(&goals);
}

void judge_by_outcomes(Game *game, uint32_t role, uint64_t limit,
                       Judgement *judgement) {
  Outcomes outcomes;
  outcomes_init(&outcomes, game, limit);
  Move joint[OUTCOME_ROLES];
  uint32_t mover = outcomes_mover(&outcomes, joint);
  judgement->proved = mover == role;
  for (uint32_t i = 0; mover == role && i < judgement->moves.count; i++) {
    JudgedMove *move = &judgement->moves.data[i];
    OutcomeSet set = {0};
    outcomes_of_move(&outcomes, joint, role, move->move, &set);
    move->low = outcome_set_least(&set, role);
    move->high = outcome_set_most(&set, role);
    vector_free(&set);
  }
  judgement->states = outcomes.states;
  judgement->proved &= !outcomes.beyond && !outcomes.simultaneous;
  outcomes_free(&outcomes);
}

void judge(Solver *solver, uint32_t role, Judgement *judgement) {
  Game *game = solver->game;
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves);
  vector_clear(&judgement->moves);
  judgement->ceiling = -1;
  for (uint32_t i = 0; i < count; i++)
    vector_push(&judgement->moves,
                ((JudgedMove){.move = moves[i],
                              .term = game_move_term(game, role, moves[i])}));
  if (game->role_count == 2)
    judge_by_force(solver, role, judgement);
  else
    judge_by_outcomes(game, role, solver->limit, judgement);
}

int judge_best(const Judgement *judgement) {
  int best = -1, rest = -1;
  for (uint32_t i = 0; i < judgement->moves.count; i++)
    if (judgement->moves.data[i].low > best)
      best = judgement->moves.data[i].low;
  for (uint32_t i = 0; i < judgement->moves.count; i++)
    if (judgement->moves.data[i].low < best &&
        judgement->moves.data[i].high > rest)
      rest = judgement->moves.data[i].high;
  bool right = rest >= 0 && best > rest && best >= judgement->ceiling;
  return judgement->proved && right ? best : -1;
}
