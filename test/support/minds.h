/* What tests of alpha-beta have in common. */
#ifndef TAFL_TEST_SUPPORT_MINDS_H
#define TAFL_TEST_SUPPORT_MINDS_H

#include "minimax/minimax.h"
#include "support/library.h"
#include "value/linear.h"

/* Returns an evaluation with random weights. */
Linear *minds_random_linear(TestGame *book, uint64_t seed);

/* Plays so many random moves from the initial state, and from there again
   whenever the game is over. */
void minds_play_random(Minimax *minimax, uint32_t steps, uint64_t seed);

#endif
