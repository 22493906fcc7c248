/* What tafl solve shows: the plan and what is known about it, as text that is a
   plan itself, or as JSON. */
#ifndef TAFL_COMMAND_SOLVE_SHOW_H
#define TAFL_COMMAND_SOLVE_SHOW_H

#include "engine/moves.h"
#include "options.h"
#include "solve/portfolio.h"

enum { SOLVE_MEMBERS = 64 }; /* methods that are shown */

typedef struct SolveResult {
  const Options *options;
  Game *game;         /* stands at the state that the plan begins in */
  Plan plan;          /* plan.score -1: there is none */
  int maximum;        /* highest goal in the rules */
  int bound;          /* proved: no plan has a higher score */
  const char *prover; /* of the bound; NULL: the rules have no higher goal */
  uint32_t least;     /* no plan with the score `bound` is shorter */
  PlanNewsVector news;
  uint64_t expanded, generated, simulations;
  double seconds;
  uint32_t threads;
  bool interrupted;
  MemberReport members[SOLVE_MEMBERS];
  uint32_t member_count;
  Text remarks; /* what methods say about their work, a line each */
} SolveResult;

/* The score of the plan is the best; there may be no plan at all. */
static inline bool solve_show_proven(const SolveResult *result) {
  return result->plan.score >= result->bound;
}
static inline bool solve_show_shortest(const SolveResult *result) {
  return solve_show_proven(result) && result->plan.score >= 0 &&
         result->plan.moves.count <= result->least;
}

/* Prints the result. */
void solve_show(const SolveResult *result);

/* Shows how far it has come in a line on stderr, if that is a terminal. Call it
   often: it draws twice a second. `left`: seconds; < 0: there is no limit. */
void solve_show_progress(Puzzle *puzzle, double spent, double left);

#endif
