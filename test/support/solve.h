/* What a role can force, by exhaustive search: the slow, sure twin of the
   search that plays. Questions are "does the role reach this goal at least,
   from the state at hand, whatever the others do"; answers are remembered in a
   table by the state's key (64 bits are taken for the state) and the question.
   Where several roles choose at once there are two orders: the own role names
   its move first, which gives what it can force for certain, or the others do,
   which gives what it cannot exceed; in between lies what mixed play is worth.
   In games of two roles whose goals add up to 100 these bounds hold for any
   play; where one role chooses at a time they are equal. */
#ifndef TAFL_TEST_SUPPORT_SOLVE_H
#define TAFL_TEST_SUPPORT_SOLVE_H

#include "base/hash.h"
#include "engine/game.h"

enum {
  SOLVE_ROLES = 8,
  SOLVE_TABLE = 1 << 20, /* entries, one for each place */
  SOLVE_HISTORY = 1 << 10,
  SOLVE_TO_THE_END = 1000 /* plies: more than any game here has */
};

typedef struct SolveEntry {
  uint64_t question;
  bool answer;
} SolveEntry;

typedef struct Solver {
  Game *game;
  uint32_t role;
  bool own_last; /* the others name their moves first */
  uint64_t states, limit;
  bool beyond;       /* the limit was reached: answers mean nothing */
  bool simultaneous; /* several roles chose at once somewhere */
  bool constant_sum; /* so far */
  uint64_t salt;     /* answers under another salt are forgotten */
  SolveEntry *table;
  VECTOR(Move) moves;                           /* of the states on the way */
  uint32_t history[SOLVE_ROLES][SOLVE_HISTORY]; /* how often it decided */
} Solver;

void solver_init(Solver *solver, Game *game, uint64_t limit);
void solver_free(Solver *solver);

/* For questions of this role; nothing is remembered. */
void solver_begin(Solver *solver, uint32_t role);

/* Does the role reach the goal within so many plies? */
bool solve_reaches(Solver *solver, int goal, uint32_t plies);

/* The same of one of the role's moves at the state at hand. */
bool solve_move_reaches(Solver *solver, Move move, int goal, uint32_t plies);

#endif
