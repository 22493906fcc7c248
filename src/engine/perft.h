/* Exact counts of move sequences, to test an engine. */
#ifndef TAFL_ENGINE_PERFT_H
#define TAFL_ENGINE_PERFT_H

#include "engine/game.h"

/* Counts the sequences of `depth` joint moves from the current state; none
   continues from a terminal state. Meaningless if game_failed; a count beyond
   64 bits is such a failure. */
uint64_t perft_count(Game *game, uint32_t depth);

/* Hears the count below a joint move, `done` of `all` being counted. */
typedef void PerftListener(void *context, const Move *joint, uint64_t count,
                           uint64_t done, uint64_t all);
/* The same for a depth of at least 1; the listener hears of each first joint
   move, in the order of the sorted moves. */
uint64_t perft_divide(Game *game, uint32_t depth, PerftListener *listener,
                      void *context);

#endif
