/* Symmetries of a puzzle: permutations of its fluents and moves that leave the
   rules and the start as they are. They map plans to plans of the same length
   and score, so of the first moves in an orbit it is enough to try one. What is
   said here is proved from the net.

   It pays where the first move matters long after it. States of `breadth` up to
   and with a depth, without and with it: public pegEuro 1,110,294 and 433,198
   (depth 9), queens08ug 679,121 and 267,331 (4), knightsTourLarge 1,288,337 and
   648,511 (9), tpeg 586,630 and 370,393 (9); to solve them: queens08lg 469,636
   and 204,442, lightsOnParallel 4,881 and 786, snakeParallel 1,617,202 and
   842,242. Work of `sat` to the shortest plan: simultaneousWin2 61,578 and
   11,828, lightsOnSimultaneous 1,617 and 262, but brain_teaser_extended 1,920
   and 3,741, and about the same in most others; long plans (tpeg, knightmove)
   it finds sooner or later than without, as luck has it. Of 83 public puzzles
   with a net 19 have such symmetries. It takes 2 ms in the median, and 66 ms at
   most, where proofs are hard. */
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
