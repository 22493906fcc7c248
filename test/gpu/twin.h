/* What playouts on a card must add up to, by plain evaluation of the net. */
#ifndef TAFL_TEST_GPU_TWIN_H
#define TAFL_TEST_GPU_TWIN_H

#include "gpu/gpu.h"
#include "support/random_net.h"

enum { TWIN_ROLES = 32 };

/* Leaves each role one legal move at most: the first from a random place on,
   all around. Playouts then need no chance, and sums are exact. */
void twin_single(Net *net, Random *random);

typedef struct TwinSums {
  GpuSums sums;
  GpuRoleSums roles[TWIN_ROLES];
} TwinSums;

/* Plays such a net once from the row, or from the initial state if it is NULL.
   `gamma`: the discount of a step. */
TwinSums twin_playout(const Net *net, const uint64_t *row, uint32_t limit,
                      double gamma);
/* Checks the sums of `repeat` such playouts. Returns are rounded, once for
   each playout or for a thread's. */
void twin_check(const Net *net, const TwinSums *one, uint64_t repeat,
                const GpuSums *sums, const GpuRoleSums *roles,
                const char *what);

/* Writes the states of the playout from the initial state to rows, which the
   caller frees; returns how many there are, `limit` + 1 at most. */
uint32_t twin_path(const Net *net, uint32_t limit, uint64_t **rows);
/* Makes `count` random rows, which the caller frees; the first is the initial
   state. */
uint64_t *twin_rows(const Net *net, Random *random, uint32_t count);

/* Returns any shape that a roster can have. */
RosterShape twin_shape(Random *random);

#endif
