/* All states within some moves of the start, or of an end: breadth-first, with
   complete layers, so that each state has its distance and a shortest way. */
#ifndef TAFL_SOLVE_PERIMETER_H
#define TAFL_SOLVE_PERIMETER_H

#include "solve/factor.h"
#include "solve/store.h"

enum { PERIMETER_ENDS = 1000 }; /* that one may begin with */

typedef struct Perimeter Perimeter;

struct Perimeter {
  const Factor *factor;  /* borrowed */
  bool forward;          /* around the start */
  Store *store;          /* of keys; NULL: there are too many ends */
  uint32_t depth;        /* of the last layer that is complete */
  NumberVector first;    /* states before each layer, and all of them */
  VECTOR(uint16_t) acts; /* by state: the act between it and the layer before */
  uint32_t at;           /* the next state to expand */
  bool closed;           /* there are no more states */
  bool full;             /* there is no room for the next layer */
  Perimeter *other;      /* around the other side, or NULL; borrowed */
  bool met;              /* a state of the next layer is inside that one */
  uint64_t *key;         /* scratch */
  uint8_t *row, *near;   /* scratch; `near` is the state that was met */
};

void perimeter_init(Perimeter *perimeter, const Factor *factor, bool forward,
                    size_t memory);
void perimeter_free(Perimeter *perimeter);

/* Expands up to `states` states of the last layer, and takes them off; gives up
   beyond `most` states in all. Returns true if a layer became complete. */
bool perimeter_grow(Perimeter *perimeter, uint32_t most, uint64_t *states);
static inline bool perimeter_grows(const Perimeter *perimeter) {
  return perimeter->store && !perimeter->full && !perimeter->closed;
}

/* Returns true if the state is in a complete layer. */
bool perimeter_has(Perimeter *perimeter, const uint8_t *row);
/* Appends the acts of a shortest way from a state inside to the end, or those
   from the start to it. A state of the layer that is being made will do. */
void perimeter_follow(Perimeter *perimeter, const uint8_t *row,
                      NumberVector *acts);

#endif
