/* One worker's batch of simulations, for batch.c and leaves.c. */
#ifndef TAFL_SEARCH_BATCH_H
#define TAFL_SEARCH_BATCH_H

#include "search/parts.h"
#include "wide/expand.h"
#include "wide/wide.h"

typedef enum {
  LEAF_STEP,  /* a joint move not yet tried in its last node */
  LEAF_KNOWN, /* a node whose goals are known */
  LEAF_PLAY   /* a node to play out */
} LeafKind;

typedef struct Leaf {
  LeafKind kind;
  uint32_t first, steps;     /* its path: nodes and joint moves */
  NodeId node;               /* that it ends in, once known */
  uint32_t start;            /* its row among the starts of playouts */
  uint32_t tail, tail_count; /* moves of its first playout (RAVE) */
} Leaf;

/* Everything of one thread but the search's lock, tree and tables. */
struct Batch {
  Search *search;
  Expand expand;
  Wide *wide;
  uint32_t lanes;
  uint32_t leaves, repeat; /* of a batch, once the tree has grown */
  uint32_t playouts;       /* of each leaf of this batch */
  uint64_t batches, cut_off;

  VECTOR(Leaf) list;
  VECTOR(NodeId) nodes;        /* of all paths, one after the other */
  NumberVector choices, moves; /* role_count for each node */
  NumberVector tails;

  /* of the wide step, item by item */
  NumberVector stepping; /* leaves */
  VECTOR(uint64_t) states, successors, legal;
  NumberVector joints;
  bool *terminal;
  int *goals;

  /* of the playouts, start by start */
  VECTOR(uint64_t) starts;
  NumberVector start_leaf;
  VECTOR(double) sums; /* returns, by role */
  NumberVector counts;
  double *discount; /* γ^steps */
  double *scores;   /* Q(a)/τ by move */
};

/* The steps of a batch in order; those marked so hold the search's lock. */
void leaves_descend(Batch *batch);       /* locked */
void leaves_collect_steps(Batch *batch); /* locked */
void leaves_expand(Batch *batch);
void leaves_place(Batch *batch); /* locked */
void leaves_play(Batch *batch);
void leaves_back_up(Batch *batch); /* locked */
/* What playouts told of moves goes into MAST, and MAST into the playouts. */
void leaves_exchange_scores(Batch *batch); /* locked */
/* Hears of each playout. */
WideListener leaves_hear;

#endif
