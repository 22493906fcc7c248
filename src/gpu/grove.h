/* A game tree on the card: it descends, expands, plays out and backs up there,
   thousands of leaves at once, and only the root is told to this side. For
   games in which at most one role has a choice in each state.

   It grows in waves. A wave's descents are dealt out from the root down, so
   that each takes account of all others, and each reaches a leaf of its own.
   The bound that chooses is that of the search (search/select.c), and a pending
   descent counts as lost visits as it does there. The tree has no
   transpositions and no exact values.

   One thread at a time. If the card fails, functions return false and
   grove_error says what happened. */
#ifndef TAFL_GPU_GROVE_H
#define TAFL_GPU_GROVE_H

#include "gpu/gpu.h"

typedef struct Grove Grove;

typedef struct GroveOptions {
  uint32_t leaves;   /* of a wave, at most; as many starts as a batch has */
  uint32_t playouts; /* of a leaf: a power of two, at most 32 */
  uint32_t growth;   /* a wave has a leaf for so many visits of the root */
  size_t bytes;      /* of the card, for the tree; 0: a share of it */
  double c, loss;
  double own, other, constant, cut; /* returns, as search/aim.h has them */
} GroveOptions;

typedef struct GroveSum {
  uint32_t move, visits;
  double total; /* of returns of the role that moves */
} GroveSum;

typedef struct GroveReport {
  uint64_t waves, leaves, playouts; /* made, at this root */
  size_t used;                      /* bytes */
} GroveReport;

/* Batch 0 of `playing` plays out, and is the tree's from now on; the programs
   of `growing` make nodes. Both are borrowed. Compiles kernels, which takes
   about as long as the first of a Gpu. Returns NULL and says why if there can
   be none. */
Grove *grove_new(Gpu *playing, const Gpu *growing, const GroveOptions *options,
                 Text *why);
/* Waits for what is under way. */
void grove_delete(Grove *grove);
const char *grove_error(const Grove *grove);

/* Makes the state the root: what is known of it is kept if it is a child of the
   last root, or a child of one. Returns false, too, if it cannot be: no leg of
   a round has this state, or it is an end. */
bool grove_stand(Grove *grove, const uint64_t *state);
/* Lets the tree grow by a wave, and waits for it. */
bool grove_grow(Grove *grove);
/* Returns how many actions the root has, and what is known of them. */
uint32_t grove_root(const Grove *grove, const GroveSum **sums);
GroveReport grove_report(const Grove *grove);

#endif
