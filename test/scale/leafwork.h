/* The leaf scheme as a discrete-event simulation: a thread of the master, the
   courier, descends for leaves and sends them over one connection to the
   foreman, which deals them in pieces to the threads of the ranks; results take
   the same way back. The courier first backs up what has come, then makes
   leaves while there is room, and else waits. The foreman handles one message
   at a time; wires carry one message at a time in each direction. The master's
   other threads search by themselves meanwhile. */
#ifndef TAFL_TEST_SCALE_LEAFWORK_H
#define TAFL_TEST_SCALE_LEAFWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "scale/costs.h"

typedef struct LeafPlan {
  uint32_t threads;        /* of all ranks */
  uint32_t stock;          /* pieces under way for each */
  uint32_t most;           /* leaves under way in all */
  uint32_t leaves, repeat; /* of a piece; playouts of a leaf */
  double make, back;       /* seconds of the courier a leaf */
  double start, playout;   /* seconds of a thread: a piece, and each playout */
  double spread;           /* variation of a piece's time */
  double slow_share,
      slow_factor;      /* of the threads; how much longer they take */
  double message;       /* seconds of the courier for a message, */
  double relay;         /* and of the foreman to receive and send one */
  double byte;          /* the same a byte */
  double latency, rate; /* of the wires */
  double piece_head, piece_leaf;   /* bytes of a piece: in all, and a leaf */
  double result_head, result_leaf; /* the same of its result */
  double seconds;
  uint64_t seed;
} LeafPlan;

typedef struct LeafResult {
  double rate;       /* leaves per second of the ranks */
  double under_way;  /* leaves, on the average */
  double turnaround; /* seconds from a piece's leaving to its backup */
  double courier, foreman, wire, ranks; /* shares of the time at work; `wire` of
                                          the busiest one */
  uint64_t sent, returned, open; /* leaves; those that were not back yet */
} LeafResult;

/* `threads` is of each rank and of the master. */
LeafPlan leafwork_plan(const Costs *costs, const GameCosts *game,
                       uint32_t ranks, uint32_t threads, uint32_t repeat);
LeafResult leafwork_run(const LeafPlan *plan);

#endif
