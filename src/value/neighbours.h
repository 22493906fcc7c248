/* Pairs of pieces on neighbouring places, wherever these are: a white pawn with
   a white pawn diagonally ahead. Places are neighbours if each coordinate
   differs by at most one in its order. */
#ifndef TAFL_VALUE_NEIGHBOURS_H
#define TAFL_VALUE_NEIGHBOURS_H

#include "value/kinds.h"

enum {
  NEIGHBOURS_PLACES = 1024, /* of a board; larger ones have no pairs */
  NEIGHBOURS_MOST = 4096    /* pairs of kinds with their directions */
};

/* A feature: `first` on a place and `second` one step further in a direction.
 */
typedef struct NeighbourPair {
  uint32_t first, second; /* kinds */
  uint32_t way; /* a number of base 3, a digit for each place argument of the
                   board from the last one on: step + 1 */
} NeighbourPair;

/* Pieces beside a place, in one word of the state. */
typedef struct NeighbourPart {
  uint64_t mask;
  uint32_t word;
  uint32_t table; /* where that of the direction begins */
} NeighbourPart;

typedef struct NeighbourFluent {
  uint32_t piece;            /* number of its kind on its board, + 1; 0: none */
  uint32_t width;            /* number of such kinds */
  uint32_t first, back, end; /* of what is beside it, in `parts`; from `back` on
                                in directions below the middle */
} NeighbourFluent;

typedef struct Neighbours {
  VECTOR(NeighbourPair) pairs;
  NeighbourFluent *fluents;
  VECTOR(NeighbourPart) parts;
  NumberVector table; /* pair, by direction, piece and piece beside it */
} Neighbours;

void neighbours_init(Neighbours *neighbours, const Kinds *kinds);
void neighbours_free(Neighbours *neighbours);

/* Adds to `counts`, by pair, those in which this fluent is the first. */
void neighbours_count(const Neighbours *neighbours, const uint64_t *state,
                      uint32_t fluent, float *counts);
/* Adds `sign` times the weights of all pairs that the fluent makes with pieces
   beside it. `weights` are by entry of `table` and row. */
void neighbours_add(const Neighbours *neighbours, const uint64_t *state,
                    uint32_t fluent, int32_t sign, const int32_t *weights,
                    uint32_t rows, int32_t *sums);

#endif
