/* The states of one simulation, and how much another differs from the last of
   them: the Exploration strategy (Świechowski, Mańdziuk and Ong 2016, section
   V, equations 2 to 4). */
#ifndef TAFL_SEARCH_EXPLORE_H
#define TAFL_SEARCH_EXPLORE_H

#include <stdbool.h>

#include "base/vector.h"

enum { EXPLORE_MOST = 8 }; /* states are remembered */

/* The last states, in a ring of slots of equal size. */
typedef struct Explore {
  bool bits;      /* words are sets of bits; else sorted numbers */
  uint32_t count; /* states since the simulation began */
  uint32_t facts[EXPLORE_MOST], words[EXPLORE_MOST]; /* of each */
  uint32_t room;                                     /* words of a slot */
  VECTOR(uint64_t) states;
} Explore;

void explore_init(Explore *explore, bool bits);
void explore_free(Explore *explore);
/* Forgets all states: a new simulation. */
void explore_begin(Explore *explore);
void explore_add(Explore *explore, const uint64_t *words, uint32_t count);
/* The least difference from any of the last `last` states, equation 3; with
   `both`, facts that the new state lacks count as well (delta = 1). */
uint32_t explore_difference(const Explore *explore, const uint64_t *words,
                            uint32_t count, uint32_t last, bool both);

#endif
