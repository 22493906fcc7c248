/* Plans in stages: in each stage any set of moves is made none of which
   interfere with each other, in an order that does not matter. Puzzles whose
   moves place one thing after the other need a single stage, and what is left
   is the puzzle itself: a formula about its last state.

   A bold plan has one stage, in which moves may also make each other legal; not
   every such set of moves has an order. */
#ifndef TAFL_SOLVE_STAGES_H
#define TAFL_SOLVE_STAGES_H

#include "solve/interfere.h"
#include "solve/puzzle.h"

typedef struct Stages Stages;

typedef enum {
  STAGES_WORKING,
  STAGES_FOUND, /* a plan, in `moves` of stages_run */
  STAGES_SPENT  /* it will find nothing more */
} StagesStatus;

/* The description, which must be ready, is borrowed. */
Stages *stages_new(Puzzle *puzzle, const Interfere *interfere, bool bold,
                   size_t memory);
void stages_delete(Stages *stages);

/* Looks for a plan with at least the goal. Adds to `states`, in which
   `literals` propagated literals count as one, what it has done. */
StagesStatus stages_run(Stages *stages, int goal, uint64_t literals,
                        uint64_t *states, MoveVector *moves);
void stages_explain(const Stages *stages, Text *text);

#endif
