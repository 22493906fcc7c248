/* Threads of one machine that share a tree, as a discrete-event simulation.

   Each thread makes rounds, as src/search/workers.c does: it descends for some
   leaves, expands them, plays them out and backs them up. On the way down every
   leaf needs the lock of each node, except that the root's is kept for a row of
   leaves (src/search/descend.c); on the way up leaves that made the same move
   in a node teach it once, and lessons of one node that follow each other need
   its lock once (src/search/merge.c). Now and then a thread needs a chunk of
   memory for new nodes, which has one lock; after each round the desk. Locks
   are stations: while a thread waits for one, it does nothing else.

   Threads meet in the nodes of the main line, which most descents follow: a
   descent passes its first node, the root, always, the second with the
   probability `best`, and goes on along it so that it passes `line` of them
   below the root on the average. Whoever leaves the line goes to one of the
   other children of its last node there; these are told apart, too. What lies
   below costs time, but nobody waits there. Now and then all must leave the
   tree, until one of them, alone there, has found the answer so far. */
#ifndef TAFL_TEST_SCALE_CROWDING_H
#define TAFL_TEST_SCALE_CROWDING_H

#include <stdbool.h>
#include <stdint.h>

#include "scale/costs.h"

enum { CROWDING_LEAVES = 94 }; /* that a round backs up, as was counted */

typedef struct CrowdPlan {
  uint32_t threads;
  bool one_lock; /* the whole tree has one lock, held for each phase of a round
                    that touches the tree */
  double descend, expand, backup, playout; /* seconds a leaf, alone */
  double held;     /* share of the time at a node, going down, that its lock
                      is held, */
  double taught;   /* and of a backup that lessons take: the rest is looking
                      for what paths have in common */
  double lock;     /* seconds that a free lock costs, */
  double transfer; /* and one that another thread had: cache lines move */
  double insert;   /* seconds that a new node takes to be seen by others */
  double allocate; /* seconds that the allocator is held for a chunk */
  uint32_t chunk;  /* nodes of it */
  double desk;     /* seconds that the desk is held after a round */
  double clear_every, clear; /* seconds from one clearing of the tree to the
                                next, and that one is alone; 0: never */
  double depth, best, line;
  double lessons; /* a leaf */
  uint32_t width;
  double bytes;    /* that a leaf moves to and from memory */
  double rate;     /* at which all threads together can */
  uint32_t leaves; /* of a round */
  uint32_t row;    /* leaves for which the root's lock is kept, */
  uint32_t turn;   /* and that of another node which others want: locks are not
                      fair */
  double seconds;
  uint64_t seed;
} CrowdPlan;

typedef struct CrowdResult {
  double rate;          /* leaves per second */
  double waiting;       /* share of the threads' time: for locks and memory */
  double root;          /* share of the time that the root's lock is held */
  uint64_t begun, done; /* leaves */
  uint64_t under_way;   /* when the time was over */
} CrowdResult;

/* A plan of `threads` threads for a game, with `repeat` playouts a leaf. */
CrowdPlan crowding_plan(const MachineCosts *machine, const GameCosts *game,
                        uint32_t threads, uint32_t repeat);
CrowdResult crowding_run(const CrowdPlan *plan);
/* Of the descents that are at the main line's node of this level, the root
   being 0: the share that goes on along it. */
double crowding_stay(const CrowdPlan *plan, uint32_t level);
/* Nodes of the main line that are told apart, the root among them. */
uint32_t crowding_levels(const CrowdPlan *plan);

#endif
