/* States that playouts start from: a queue from which lanes are loaded. */
#ifndef TAFL_WIDE_STARTS_H
#define TAFL_WIDE_STARTS_H

#include "wide/phase.h"

/* Playouts that no lane has taken yet. */
typedef struct StartsItem {
  const uint64_t *row; /* borrowed */
  uint32_t number, playouts;
} StartsItem;

typedef struct Starts {
  const Cones *cones;
  const Phase *phase;
  VECTOR(StartsItem) queue;
  uint32_t next;       /* first item of the queue that is not used up */
  uint64_t waiting;    /* playouts in the queue */
  uint64_t *home;      /* each lane's start: vector i is fluent i */
  uint64_t *ready;     /* by phase: lanes that will begin in it */
  uint64_t *all_ready; /* lanes that will begin in any */
  uint64_t *strays;    /* lanes whose start disagrees with the stage of its
                          phase; none without rounds */
  uint32_t *start;     /* of each lane: the number of its start, */
  uint32_t *phases;    /* its phase, */
  uint32_t *left;      /* and the playouts that the lane has still to begin */
  NumberVector open;   /* by number: playouts that are not over */
  NumberVector done;   /* numbers with none open */
} Starts;

void starts_init(Starts *starts, const Cones *cones, const Phase *phase);
void starts_free(Starts *starts);
void starts_clear(Starts *starts); /* forgets all starts */

/* Queues a state, a row of bits_words(fluents) words, to be played `playouts` >
   0 times. */
void starts_add(Starts *starts, uint32_t number, const uint64_t *row,
                uint32_t playouts);
/* Gives starts to `lanes` as far as the queue goes: loads them into `home` and
   into the fluents of `memory`, and makes the lanes ready. */
void starts_give(Starts *starts, uint64_t *memory, const uint64_t *lanes);
/* Takes the ready lanes of this phase into `lanes`. */
void starts_begin(Starts *starts, uint32_t phase, uint64_t *lanes);
/* Ends a lane's playout. The lane is ready again if it has more playouts to
   begin; its state is then the one in `home`. */
void starts_end(Starts *starts, uint32_t lane);

#endif
