/* What a role can force, by exhaustive search: the slow, sure twin of the
   search that plays. A question is "does the role reach at least this goal from
   the current state, whatever the others do"; answers are cached by the state's
   key (64 bits stand for the state) and the question. Where several roles
   choose at once there are two orders: the own role chooses first, which gives
   what it can force, or the others do, which gives what it cannot exceed; mixed
   play is worth something in between. In games of two roles whose goals add up
   to 100 these bounds hold for any play; where one role chooses at a time they
   are equal. */
#ifndef TAFL_TEST_SUPPORT_SOLVE_H
#define TAFL_TEST_SUPPORT_SOLVE_H

#include "base/hash.h"
#include "engine/game.h"

enum {
  SOLVE_ROLES = 8,
  SOLVE_TABLE = 1 << 20, /* entries */
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
  bool own_last; /* the others choose first */
  uint64_t states, limit;
  bool beyond;       /* the limit was reached: answers mean nothing */
  bool simultaneous; /* several roles chose at once somewhere */
  bool constant_sum; /* so far */
  uint64_t salt;     /* a new one invalidates all answers */
  SolveEntry *table;
  VECTOR(Move) moves;                           /* of the states on the path */
  uint32_t history[SOLVE_ROLES][SOLVE_HISTORY]; /* how often a move decided */
} Solver;

void solver_init(Solver *solver, Game *game, uint64_t limit);
void solver_free(Solver *solver);

/* Begins questions about this role, with an empty cache. */
void solver_begin(Solver *solver, uint32_t role);

/* Returns whether the role reaches the goal within that many plies. */
bool solve_reaches(Solver *solver, int goal, uint32_t plies);

/* The same after one of the role's moves in the current state. */
bool solve_move_reaches(Solver *solver, Move move, int goal, uint32_t plies);

#endif
