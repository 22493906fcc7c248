/* States that playouts start from: a queue, given out to lanes, and what came
   of them. */
#ifndef TAFL_WIDE_STARTS_H
#define TAFL_WIDE_STARTS_H

#include "wide/phase.h"
#include "wide/results.h"

/* Playouts not yet given out. */
typedef struct StartsItem {
  const uint64_t *row; /* borrowed */
  uint32_t number, playouts;
} StartsItem;

typedef struct Starts {
  const Cones *cones;
  const Phase *phase;
  VECTOR(StartsItem) queue;
  uint32_t next;       /* item of the queue to give out */
  uint64_t waiting;    /* playouts in the queue */
  uint64_t *home;      /* each lane's start: vector i is fluent i */
  uint64_t *ready;     /* per phase, lanes that are to begin in it */
  uint64_t *all_ready; /* lanes that are to begin */
  uint32_t *start;     /* of each lane: its number, */
  uint32_t *phases;    /* phase, */
  uint32_t *left;      /* and playouts that the lane has to begin yet */
  VECTOR(StartsResult) results; /* by number */
  VECTOR(uint64_t) goals;       /* sums: by number, roles for each */
  NumberVector done;            /* numbers with nothing left */
} Starts;

void starts_init(Starts *starts, const Cones *cones, const Phase *phase);
void starts_free(Starts *starts);
void starts_clear(Starts *starts); /* forget all of them */

/* Queue a state, a row of bits_words(fluents) words, to be played so many
   times, > 0. Its result, under that number, is cleared. */
void starts_add(Starts *starts, uint32_t number, const uint64_t *row,
                uint32_t playouts);
/* Give starts to as many of `lanes` as there are: into `home`, into the fluents
   of `memory`; those lanes are ready. */
void starts_give(Starts *starts, uint64_t *memory, const uint64_t *lanes);
/* The lanes that begin in this phase: no longer ready. */
void starts_begin(Starts *starts, uint32_t phase, uint64_t *lanes);
/* A lane's playout is over, with goals by role, -1 for none. The lane is ready
   again if it has more playouts to begin; its state is then that in `home`. */
void starts_end(Starts *starts, uint32_t lane, WideOutcome outcome,
                const int *goals);

#endif
