/* Pseudo-random numbers: xoshiro256** (Blackman and Vigna 2018), seeded by
   splitmix64. The same seed gives the same numbers on every machine. */
#ifndef TAFL_BASE_RANDOM_H
#define TAFL_BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
  uint64_t state[4];
} Random;

void random_seed(Random *random, uint64_t seed);
uint64_t random_next(Random *random);
uint32_t random_below(Random *random, uint32_t limit); /* limit > 0, unbiased */

#endif
