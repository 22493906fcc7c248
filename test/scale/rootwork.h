/* The root schemes as a discrete-event simulation: every rank searches by
   itself, and at intervals sends the sums of its root to the foreman. The
   foreman adds them up, and as often tells the master; with `back` it also
   tells every rank (multiple runs). It handles one message at a time. */
#ifndef TAFL_TEST_SCALE_ROOTWORK_H
#define TAFL_TEST_SCALE_ROOTWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "scale/costs.h"

typedef struct RootPlan {
  uint32_t ranks;
  double interval; /* seconds from one message of a rank to its next, */
  double telling;  /* and of the foreman */
  bool back;
  double rate;           /* simulations per second of a rank, */
  double lost;           /* which loses so many seconds for each message */
  double message;        /* seconds of the foreman for one of a rank, */
  double report;         /* for one to the master, */
  double sum;            /* and to add up a rank's sums when it tells them */
  double byte;           /* seconds a byte, of either */
  double bytes;          /* of sums */
  double latency, speed; /* of the wires */
  double seconds;
  uint64_t seed;
} RootPlan;

typedef struct RootResult {
  double rate;    /* simulations per second, all ranks */
  double foreman; /* share of its time at work */
  double age;     /* how old what the master knows is, on the average */
  uint64_t sent, taken, open; /* messages of ranks */
} RootResult;

/* `threads` is of each rank. */
RootPlan rootwork_plan(const Costs *costs, const GameCosts *game,
                       uint32_t ranks, uint32_t threads, bool back);
RootResult rootwork_run(const RootPlan *plan);

#endif
