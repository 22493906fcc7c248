/* Plans in layers: in each layer any set of moves is made none of which
   interfere with each other, in an order that does not matter. Puzzles whose
   moves place one thing after the other need a single layer, and what is left
   is the puzzle itself: a formula about its last state.

   A bold plan has one layer, in which moves may also make each other legal; not
   every such set of moves has an order. */
#ifndef TAFL_SOLVE_LAYERS_H
#define TAFL_SOLVE_LAYERS_H

#include "solve/interfere.h"
#include "solve/puzzle.h"

typedef struct Layers Layers;

typedef enum {
  LAYERS_WORKING,
  LAYERS_FOUND, /* a plan, in `moves` of layers_run */
  LAYERS_SPENT  /* it will find nothing more */
} LayersStatus;

/* The description, which must be ready, is borrowed. */
Layers *layers_new(Puzzle *puzzle, const Interfere *interfere, bool bold,
                   size_t memory);
void layers_delete(Layers *layers);

/* Looks for a plan with at least the goal. Adds to `states`, in which
   `literals` propagated literals count as one, what it has done. */
LayersStatus layers_run(Layers *layers, int goal, uint64_t literals,
                        uint64_t *states, MoveVector *moves);
void layers_explain(const Layers *layers, Text *text);

#endif
