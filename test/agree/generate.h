/* Small random games that are valid by construction, as lists of rules.

   A game has one to three roles that move at the same time, static facts, six
   fluents, and nine derived predicates: three static ones, three of the state,
   three of state and moves, each in one of three strata. A literal is safe:
   what a head, a negation or `distinct` names is bound by a positive literal.
   Positive literals may be of the head's own stratum (recursion, with every
   variable guarded by a static fact as the language demands), negative ones are
   of lower strata. Columns hold plain values, or values within a function; a
   column of the latter kind may also be met by a variable that stands for the
   whole term. Doing nothing is always legal, and a counter ends the game. */
#ifndef TAFL_TEST_AGREE_GENERATE_H
#define TAFL_TEST_AGREE_GENERATE_H

#include "agree/rulelist.h"
#include "base/random.h"

void random_game_make(RandomGame *game, uint64_t seed);

#endif
