/* Best-first search of a puzzle, the state with the best rating first: what the
   methods greedy and novelty do, with different orders. */
#ifndef TAFL_SOLVE_BESTFIRST_H
#define TAFL_SOLVE_BESTFIRST_H

#include "solve/atoms.h"
#include "solve/nodes.h"

typedef struct BestFirst BestFirst;

typedef struct BestFirstOrder {
  Guide guide;
  uint32_t weight; /* of the guide, against `depth` of the depth */
  uint32_t depth;
  bool novelty; /* first by novelty, then by the guide */
  bool oldest;  /* among equals the one that waits longest; else the newest */
  Measure measure;
  uint64_t seed;
} BestFirstOrder;

typedef enum {
  BESTFIRST_WORKING,
  BESTFIRST_FULL,     /* there is no room for more states */
  BESTFIRST_EXHAUSTED /* every state has been expanded */
} BestFirstStatus;

/* Bytes for each node that a search needs besides the nodes. */
enum { BESTFIRST_NODE = 7 };

/* `nodes` and `atoms` are borrowed; `atoms` may be NULL without novelty. */
BestFirst *bestfirst_new(Nodes *nodes, Atoms *atoms);
void bestfirst_delete(BestFirst *bestfirst);

/* Begins anew, at the puzzle's state. */
void bestfirst_begin(BestFirst *bestfirst, const BestFirstOrder *order);
/* Expands one batch. */
BestFirstStatus bestfirst_step(BestFirst *bestfirst);

/* Since it began: states expanded, the best and the worst value of the guide.
 */
uint64_t bestfirst_expanded(const BestFirst *bestfirst);
uint32_t bestfirst_best(const BestFirst *bestfirst);
uint32_t bestfirst_worst(const BestFirst *bestfirst);

#endif
