/* What kernels add up for each start, and how they find it: GpuSums, then
   GpuRoleSums of each role, all numbers of 64 bits. */
#ifndef TAFL_GPU_SUMS_H
#define TAFL_GPU_SUMS_H

#include <stddef.h>
#include <stdint.h>

/* Sums over the playouts from one start. */
typedef struct GpuSums {
  uint64_t states; /* moves made in all playouts */
  uint64_t ended, cut_off, stuck;
  uint64_t steps; /* of the playouts that ended */
  /* Discounts γ^steps in units of 2^-16: of the playouts that ended, and of the
     others */
  uint64_t discounts, other_discounts;
} GpuSums;

/* The same by role, over the playouts that ended with a goal for it. */
typedef struct GpuRoleSums {
  uint64_t scored, goals, goal_squares;
  uint64_t returns; /* discounted goals, in units of 2^-16 */
} GpuRoleSums;

/* Places of the fields, in numbers; SUMS_FIELDS is how many there are. */
enum {
  SUMS_STATES = offsetof(GpuSums, states) / sizeof(uint64_t),
  SUMS_ENDED = offsetof(GpuSums, ended) / sizeof(uint64_t),
  SUMS_CUT_OFF = offsetof(GpuSums, cut_off) / sizeof(uint64_t),
  SUMS_STUCK = offsetof(GpuSums, stuck) / sizeof(uint64_t),
  SUMS_STEPS = offsetof(GpuSums, steps) / sizeof(uint64_t),
  SUMS_DISCOUNTS = offsetof(GpuSums, discounts) / sizeof(uint64_t),
  SUMS_OTHER_DISCOUNTS = offsetof(GpuSums, other_discounts) / sizeof(uint64_t),
  SUMS_FIELDS = sizeof(GpuSums) / sizeof(uint64_t)
};

/* The same by role. */
enum {
  SUMS_SCORED = offsetof(GpuRoleSums, scored) / sizeof(uint64_t),
  SUMS_GOALS = offsetof(GpuRoleSums, goals) / sizeof(uint64_t),
  SUMS_SQUARES = offsetof(GpuRoleSums, goal_squares) / sizeof(uint64_t),
  SUMS_RETURNS = offsetof(GpuRoleSums, returns) / sizeof(uint64_t),
  SUMS_ROLE_FIELDS = sizeof(GpuRoleSums) / sizeof(uint64_t)
};

#endif
