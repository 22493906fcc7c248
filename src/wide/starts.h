/* States that playouts start from, given out to lanes. */
#ifndef TAFL_WIDE_STARTS_H
#define TAFL_WIDE_STARTS_H

#include "wide/cones.h"

typedef struct Starts {
  const Cones *cones;
  const uint64_t *rows; /* borrowed: the states, one after the other */
  uint32_t count, repeat;
  uint32_t next;    /* start to give out */
  uint32_t given;   /* of its playouts */
  uint64_t waiting; /* playouts not yet given out */
  uint64_t *home;   /* each lane's start: vector i is fluent i */
  uint32_t *start;  /* of each lane */
  uint32_t *left;   /* playouts that the lane has to begin yet */
} Starts;

void starts_init(Starts *starts, const Cones *cones);
void starts_free(Starts *starts);

/* Each of `count` states, rows of lanes_row_words(fluents) words, `repeat`
   times. */
void starts_set(Starts *starts, const uint64_t *rows, uint32_t count,
                uint32_t repeat);
/* Give starts to as many of `lanes` as there are: into `home` and into the
   fluents of `memory`. `lanes` becomes those that got one. */
void starts_give(Starts *starts, uint64_t *memory, uint64_t *lanes);
/* Whether the lane, whose playout is over, begins its start again. */
bool starts_again(Starts *starts, uint32_t lane);

#endif
