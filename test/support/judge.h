/* Proves what each move of a role is worth in the current state: the goal it
   guarantees and the goal it cannot exceed if the others know it. For two roles
   by what can be forced (support/solve.h), for more by all endings of rational
   play (support/outcomes.h). A move is right if it guarantees more than any
   other move can reach and, where others choose at the same time, no less than
   any mixture of moves could. */
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
  int ceiling;     /* no strategy, mixed or not, exceeds it */
  uint64_t states; /* visited for the proof */
  bool proved;     /* else the limit was reached or the game is unsuitable */
} Judgement;

/* Appends the goals named in rule heads, highest first. */
void judge_goals(const Game *game, NumberVector *goals);

void judgement_free(Judgement *judgement);
void judge_by_outcomes(Game *game, uint32_t role, uint64_t limit,
                       Judgement *judgement);
void judge(Solver *solver, uint32_t role, Judgement *judgement);

/* Returns the goal that right moves guarantee, or -1 unless there are right and
   wrong moves. With exact values the right moves are simply the best. */
int judge_best(const Judgement *judgement);

#endif
