/* All states within some moves of an end, breadth-first backwards. Layers are
   complete, so each has its distance and the first act of a shortest way. */
#ifndef TAFL_SOLVE_PERIMETER_H
#define TAFL_SOLVE_PERIMETER_H

#include "solve/factor.h"
#include "solve/store.h"

typedef struct Perimeter {
  const Factor *factor;  /* borrowed */
  Store *store;          /* of keys; NULL: there are too many ends */
  uint32_t depth;        /* of the last layer that is complete */
  NumberVector first;    /* states before each layer, and all of them */
  VECTOR(uint16_t) acts; /* by state: the next act on the way */
  uint64_t *key;         /* scratch */
  uint8_t *row;
  bool closed; /* there are no more states */
  bool full;   /* there is no room for the next layer */
} Perimeter;

/* Begins with the ends, at most `most` of them. */
void perimeter_init(Perimeter *perimeter, const Factor *factor, uint32_t most,
                    size_t memory);
void perimeter_free(Perimeter *perimeter);
/* Adds a layer; gives up, with a perimeter as it was but for its store, beyond
   `most` states in all. Returns true if a layer was added. */
bool perimeter_grow(Perimeter *perimeter, uint32_t most);

/* The distance of a state, or UINT32_MAX. */
uint32_t perimeter_find(Perimeter *perimeter, const uint8_t *row);
/* Appends the acts of a shortest way from a state inside. */
void perimeter_follow(Perimeter *perimeter, const uint8_t *row,
                      NumberVector *acts);

#endif
