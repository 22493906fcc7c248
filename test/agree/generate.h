/* Small random games that are valid by construction, as lists of rules.

   A game has one to three roles that move at the same time, static facts, six
   fluents, and nine derived predicates: three static ones, three of the state,
   three of state and moves, each in one of three strata. A literal is safe:
   variables of a head, a negation or `distinct` are bound by a positive
   literal. Positive literals may be of the head's own stratum (recursion, with
   every variable guarded by a static fact as the language demands), negative
   ones are of lower strata. Columns hold plain values, or values within a
   function; a variable may match such a term as a whole. Doing nothing is
   always legal, and a counter ends the game. */
#ifndef TAFL_TEST_AGREE_GENERATE_H
#define TAFL_TEST_AGREE_GENERATE_H

#include "agree/rulelist.h"
#include "base/random.h"

/* The same seed makes the same game. */
void random_game_make(RandomGame *game, uint64_t seed);

#endif
