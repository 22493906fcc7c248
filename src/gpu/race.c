#include "gpu/race.h"

uint32_t race_next(Race *race) {
  return race->over ? race->winner : race->begun++ % 2;
}

/* The first batch of each does not count: it waits for memory that the card has
   to find. */
void race_count(Race *race, uint32_t runner, double seconds, uint64_t states) {
  if (race->over) return;
  if (race->done[runner]++) {
    race->seconds[runner] += seconds;
    race->states[runner] += states;
  }
  race->over = race->done[0] > RACE_BATCHES && race->done[1] > RACE_BATCHES;
  double first = (double)race->states[0] * race->seconds[1];
  double second = (double)race->states[1] * race->seconds[0];
  race->winner = second > first;
}
