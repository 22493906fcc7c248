/* What the model says for the numbers of threads and ranks that tables and
   charts show. A rank is a host of OUTLOOK_THREADS threads, as is the
   master. */
#ifndef TAFL_TEST_SCALE_OUTLOOK_H
#define TAFL_TEST_SCALE_OUTLOOK_H

#include "scale/bounds.h"
#include "scale/gains.h"

enum {
  OUTLOOK_THREADS = 16,
  OUTLOOK_POWERS = 11, /* ranks 1, 2, 4, … 1,024 */
  OUTLOOK_CROWDS = 7,  /* threads 1, 2, 4, … 64 */
  OUTLOOK_REPEATS = 3
};

extern const uint32_t outlook_repeats[OUTLOOK_REPEATS]; /* playouts a leaf */

/* Leaves per second of 2^i threads. */
typedef struct OutlookCrowds {
  double fine[OUTLOOK_CROWDS]; /* locks of nodes */
  double one[OUTLOOK_CROWDS];  /* one lock */
  double waiting;              /* share of the time, of the most threads */
  Bound bound;                 /* of the most threads, */
  double least;                /* and if they go in one bunch */
  double saturation;           /* threads, by the busiest lock */
} OutlookCrowds;

OutlookCrowds outlook_crowds(const Costs *costs, const GameCosts *game);

/* The leaf scheme with 2^i ranks, by repeat. */
typedef struct OutlookLeaf {
  LeafResult results[OUTLOOK_REPEATS][OUTLOOK_POWERS];
  Bound bounds[OUTLOOK_REPEATS];      /* of the most ranks */
  LeafLimits limits[OUTLOOK_REPEATS]; /* in threads of ranks, with
                                         the pieces of one rank */
  double alone; /* simulations per second of the master's own threads */
} OutlookLeaf;

OutlookLeaf outlook_leaf(const Costs *costs, const GameCosts *game);

/* Simulations per second of 2^power ranks and the master, with the k-th of the
   repeats. */
double outlook_simulations(const OutlookLeaf *leaf, uint32_t k, uint32_t power);

/* Which of the repeats the courier comes to with 2^power ranks: the first with
   which their threads have enough to do, or the last. */
uint32_t outlook_choice(const OutlookLeaf *leaf, uint32_t power);

/* Root and runs with 2^i ranks. */
typedef struct OutlookRoot {
  RootResult results[2][OUTLOOK_POWERS]; /* by `back` */
  double limits[2];                      /* ranks that the foreman can serve */
} OutlookRoot;

OutlookRoot outlook_root(const Costs *costs, const GameCosts *game);

/* What 2^i ranks are worth, in Elo over the master alone, when a move has ten
   seconds. */
typedef struct OutlookStrength {
  double leaf[OUTLOOK_REPEATS][OUTLOOK_POWERS];
  double root[2][OUTLOOK_POWERS];
} OutlookStrength;

OutlookStrength outlook_strength(const OutlookLeaf *leaf,
                                 const OutlookRoot *root, const Gains *gains);

#endif
