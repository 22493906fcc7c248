/* One game as text, the same for every engine: for golden files, and for an
   independent implementation to check.

     roles ROLE ROLE …
     state NUMBER HASH
     true FACT            each true fact, sorted
     terminal             if it is
     goal ROLE VALUE      each, sorted by role, then value
     legal ROLE MOVE      each, if it is not terminal
     does ROLE MOVE       one for each role, if the game goes on
     end                  terminal | step-limit | stuck ROLE | failed … */
#ifndef TAFL_ENGINE_TRACE_H
#define TAFL_ENGINE_TRACE_H

#include "base/random.h"
#include "engine/game.h"

/* Play from the initial state, choosing moves at random among the sorted legal
   ones, and append the text. False if the game failed. */
bool trace_write(Game *game, Random *random, uint32_t step_limit, Text *text);

#endif
