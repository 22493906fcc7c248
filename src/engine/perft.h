/* Exact counts of move sequences, to test an engine. */
#ifndef TAFL_ENGINE_PERFT_H
#define TAFL_ENGINE_PERFT_H

#include "engine/game.h"

/* Counts the sequences of `depth` joint moves from the current state; none
   continues from a terminal state. Meaningless if game_failed; a count beyond
   64 bits is such a failure. */
uint64_t perft_count(Game *game, uint32_t depth);

#endif
