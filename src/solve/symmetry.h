/* Symmetries of a puzzle: permutations of its fluents and moves that leave the
   rules and the start as they are. They map plans to plans of the same length
   and score, so of the first moves in an orbit it is enough to try one. What is
   said here is proved from the net. */
#ifndef TAFL_SOLVE_SYMMETRY_H
#define TAFL_SOLVE_SYMMETRY_H

#include "solve/puzzle.h"

typedef struct Symmetry {
  uint64_t *later;  /* set of the first moves that need not be tried */
  uint32_t skipped; /* how many these are */
  uint32_t
      candidates;   /* permutations of fluents that leave the start as it is */
  uint32_t sampled; /* of them, those that sampled states did not refute, and
                       that join orbits */
  uint32_t proved;  /* of those */
  uint64_t work;    /* inputs of gates evaluated, literals propagated, and
                       states compared */
} Symmetry;

/* Returns false, and has nothing to free, if all first moves are different or
   the game is too large. Uses the book's analysis if that has been made. Of
   each orbit the move with the least number is kept. */
bool symmetry_init(Symmetry *symmetry, Puzzle *puzzle);
void symmetry_free(Symmetry *symmetry);

#endif
