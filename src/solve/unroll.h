/* A puzzle step by step as a formula: whatever satisfies it is a line of play
   from the start, one legal move a step, which is over after the first terminal
   state. Steps are added one by one; the formula is about lines of any length
   at once, and assumptions choose between lengths and goals. */
#ifndef TAFL_SOLVE_UNROLL_H
#define TAFL_SOLVE_UNROLL_H

#include "analyse/formula.h"
#include "solve/puzzle.h"

typedef struct UnrollMove {
  uint32_t move;
  SatLiteral literal;
} UnrollMove;

typedef struct UnrollStep {
  uint32_t first, count; /* in Unroll.moves: those that may be made */
  SatLiteral over;       /* this state or one before it is terminal */
  uint32_t ends;         /* in Unroll.ends, one for each goal value */
  uint32_t fluents;      /* in Unroll.fluents */
} UnrollStep;

typedef struct Unroll {
  Formula formula;
  const Net *net;           /* borrowed */
  const Analysis *analysis; /* borrowed; NULL: none */
  const uint64_t *later;    /* borrowed; set of moves that are not made first;
                               NULL: none. Set before the first step */
  NumberVector values;      /* goal values, highest first */
  VECTOR(UnrollStep)
  steps; /* by state; the last one has no moves yet, unless
            all lines are over */
  VECTOR(UnrollMove) moves;
  SatLiterals ends; /* the line ends in this state, with at least that goal */
  SatLiterals fluents; /* of all states */
  bool closed;         /* all lines are over: no step can be added */
  /* scratch */
  SatLiteral *gates;
  bool *state_cone, *move_cone;
} Unroll;

/* The net must have no loops and one role. */
void unroll_init(Unroll *unroll, const Net *net, const Analysis *analysis,
                 const uint64_t *start);
void unroll_free(Unroll *unroll);

/* Adds the moves of the last state and the state after them. */
void unroll_grow(Unroll *unroll);
/* The number of steps so far: the longest line has as many moves. */
static inline uint32_t unroll_length(const Unroll *unroll) {
  return unroll->steps.count - 1;
}

/* The line ends after that many steps with a goal of at least
   values.data[value]. */
static inline SatLiteral unroll_end(const Unroll *unroll, uint32_t length,
                                    uint32_t value) {
  return unroll->ends.data[unroll->steps.data[length].ends + value];
}

/* Appends the moves of the line that the solver has found. */
void unroll_read(const Unroll *unroll, MoveVector *moves);

#endif
