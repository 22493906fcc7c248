/* What each move of a role at the state at hand is worth, proved: the goal it
   brings for certain and the goal it cannot exceed if the others know of it.
   Two roles: by what can be forced (solve.h); more: by all endings of
   reasonable play (outcomes.h). Right moves are those that bring more for
   certain than any other can exceed and, where others choose at the same time,
   no less than any mixture of moves could. */
#ifndef TAFL_TEST_SUPPORT_JUDGE_H
#define TAFL_TEST_SUPPORT_JUDGE_H

#include "support/outcomes.h"
#include "support/solve.h"

typedef struct JudgedMove {
  Move move;
  Term term;
  int low, high;
} JudgedMove;

typedef struct Judgement {
  VECTOR(JudgedMove) moves;
  int ceiling;     /* goal that no way to play, mixed ones too, can exceed */
  uint64_t states; /* visited for the proof */
  bool proved; /* else the limit was reached or the game is of another kind */
} Judgement;

void judgement_free(Judgement *judgement);
void judge_by_outcomes(Game *game, uint32_t role, uint64_t limit,
                       Judgement *judgement);
void judge(Solver *solver, uint32_t role, Judgement *judgement);

/* The goal that right moves bring for certain, if there are right moves and
   wrong ones; else -1. With exact values these are simply the best. */
int judge_best(const Judgement *judgement);

#endif
