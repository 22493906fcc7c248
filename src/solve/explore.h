/* Best-first search of a puzzle, the state with the best rating first: what the
   methods greedy and novelty do, with different orders. */
#ifndef TAFL_SOLVE_EXPLORE_H
#define TAFL_SOLVE_EXPLORE_H

#include "solve/atoms.h"
#include "solve/nodes.h"

typedef struct Explore Explore;

typedef struct ExploreOrder {
  Guide guide;
  uint32_t weight; /* of the guide, against `depth` of the depth */
  uint32_t depth;
  bool novelty; /* first by novelty, then by the guide */
  bool oldest;  /* among equals the one that waits longest; else the newest */
  Measure measure;
  uint64_t seed;
} ExploreOrder;

typedef enum {
  EXPLORE_WORKING,
  EXPLORE_FULL,     /* there is no room for more states */
  EXPLORE_EXHAUSTED /* every state has been expanded */
} ExploreStatus;

/* Bytes for each node that a search needs besides the nodes. */
enum { EXPLORE_NODE = 7 };

/* `nodes` and `atoms` are borrowed; `atoms` may be NULL without novelty. */
Explore *explore_new(Nodes *nodes, Atoms *atoms);
void explore_delete(Explore *explore);

/* Begins anew, at the puzzle's state. */
void explore_begin(Explore *explore, const ExploreOrder *order);
/* Expands one batch. */
ExploreStatus explore_step(Explore *explore);

/* Since it began: states expanded, the best and the worst value of the guide.
 */
uint64_t explore_expanded(const Explore *explore);
uint32_t explore_best(const Explore *explore);
uint32_t explore_worst(const Explore *explore);

#endif
