/* The model on paper: what each scheme can reach at most, and which of its
   parts then has no time left. docs/cluster.md has the formulas. The
   simulations must agree with them where they hold. */
#ifndef TAFL_TEST_SCALE_BOUNDS_H
#define TAFL_TEST_SCALE_BOUNDS_H

#include "scale/crowding.h"
#include "scale/leafwork.h"
#include "scale/rootwork.h"

enum { BOUNDS_REPEAT = 4 }; /* playouts of a leaf, as the search has them */

typedef struct Bound {
  double rate;       /* leaves per second; of root schemes simulations */
  const char *where; /* what limits it: "threads", "root", "main line", … */
} Bound;

/* Throughput of a closed queue (machine repairman): customers that are away
   for `away` seconds and then need one server for `service`, both times
   exponential. Exact, by mean value analysis (Reiser and Lavenberg 1980). */
double bounds_repairman(uint32_t customers, double away, double service);
/* Mean wait before service that takes always the same time, for arrivals at
   random (M/D/1; Pollaczek 1930, Khinchin 1932). */
double bounds_wait(double arrivals, double service);

/* Seconds that a leaf needs the lock of the main line's node of this level, the
   root being 0, down and up, when other threads want it. */
double bounds_hold(const CrowdPlan *plan, uint32_t level);
/* Seconds of a thread a leaf, alone. */
double bounds_leaf_time(const CrowdPlan *plan);
/* Seconds a leaf that a thread of several needs more, without waiting: free
   locks, and lines that come over; going down, and going up. */
double bounds_sharing_down(const CrowdPlan *plan);
double bounds_sharing_up(const CrowdPlan *plan);
Bound bounds_threads(const CrowdPlan *plan);
/* The threads from which on the busiest lock has no time left. */
double bounds_saturation(const CrowdPlan *plan);
/* Leaves a second if the whole main line had one lock: what is left when all
   threads go along it in one bunch. */
double bounds_threads_least(const CrowdPlan *plan);

/* Leaves of the ranks; those of the master's own threads come on top. */
Bound bounds_leaf(const LeafPlan *plan);
/* The threads of ranks from which on the courier, the foreman, a wire or the
   number of leaves under way is the limit. */
typedef struct LeafLimits {
  double courier, foreman, wire, most;
} LeafLimits;
LeafLimits bounds_leaf_threads(const LeafPlan *plan);
/* Leaves a second of processor time: of the courier, and of a thread of a
   rank. */
double bounds_courier(const LeafPlan *plan);
double bounds_rank(const LeafPlan *plan);

/* Share of the foreman's time; above 1 it falls behind more and more. */
double bounds_foreman(const RootPlan *plan);
/* The ranks at which that is 1. */
double bounds_root_ranks(const RootPlan *plan);
/* Age of what the master knows, as long as the foreman keeps up. */
double bounds_age(const RootPlan *plan);

#endif
