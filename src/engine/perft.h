/* Exact counts of move sequences, the test of a rule set. */
#ifndef TAFL_ENGINE_PERFT_H
#define TAFL_ENGINE_PERFT_H

#include "engine/game.h"

/* Sequences of `depth` joint moves from the current state; none goes on from a
   terminal state. Meaningless if game_failed; a count beyond 64 bits is such a
   failure. */
uint64_t perft_count(Game *game, uint32_t depth);

#endif
