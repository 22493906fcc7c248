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

/* A game of two roles by alpha-beta: settings and evaluations by role. */
typedef struct MindsGame {
  Book *book;
  const Settings *settings[2];
  const Evaluation *evaluations[2];
  uint32_t random; /* steps at the beginning */
  uint64_t states; /* for each move */
} MindsGame;

/* Plays it and sets the goals. */
void minds_play(const MindsGame *game, uint64_t seed, int goals[2]);

#endif
