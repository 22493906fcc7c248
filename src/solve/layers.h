/* Plans in layers: in each layer any set of moves is made none of which
   interfere with each other, in an order that does not matter. Puzzles whose
   moves place one thing after the other need a single layer, and what is left
   is the puzzle itself: a formula about its last state. */
#ifndef TAFL_SOLVE_LAYERS_H
#define TAFL_SOLVE_LAYERS_H

#include "solve/puzzle.h"

typedef struct Layers Layers;

typedef enum {
  LAYERS_WORKING,
  LAYERS_FOUND, /* a plan, in `moves` of layers_run */
  LAYERS_SPENT  /* it will find nothing more */
} LayersStatus;

/* Returns NULL if the puzzle is not of this kind. */
Layers *layers_new(Puzzle *puzzle, size_t memory);
void layers_delete(Layers *layers);

/* Looks for a plan with at least the goal. Adds to `states`, in which
   `literals` propagated literals count as one, what it has done. */
LayersStatus layers_run(Layers *layers, int goal, uint64_t literals,
                        uint64_t *states, MoveVector *moves);
void layers_explain(const Layers *layers, Text *text);

#endif
