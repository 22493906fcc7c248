/* Which of two kernels that can play the same batches is faster: they take
   turns until each has played some, and the one with more states a second plays
   on. The others of a card's batches run beside them, as they do later. */
#ifndef TAFL_GPU_RACE_H
#define TAFL_GPU_RACE_H

#include <stdbool.h>
#include <stdint.h>

enum { RACE_BATCHES = 6 }; /* of each runner */

/* Zeroed at first. */
typedef struct Race {
  uint32_t begun, done[2];
  double seconds[2];
  uint64_t states[2];
  bool over;
  uint32_t winner;
} Race;

/* Returns the runner, 0 or 1, that plays the next batch. */
uint32_t race_next(Race *race);
/* A batch that a runner has played took so long. */
void race_count(Race *race, uint32_t runner, double seconds, uint64_t states);

#endif
