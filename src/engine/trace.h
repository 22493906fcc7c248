/* One game as text, the same for every engine: for golden files, and for an
   independent implementation to check.

     roles ROLE ROLE …
     state NUMBER HASH
     true FACT            each true fact, sorted
     terminal             if it is
     goal ROLE VALUE      each, sorted by role, then value
     legal ROLE MOVE      each, if it is not terminal
     does ROLE MOVE       one for each role, if the game goes on
     end                  terminal | step-limit | stuck ROLE | failed WHY |
                          illegal ROLE MOVE (of a script) */
#ifndef TAFL_ENGINE_TRACE_H
#define TAFL_ENGINE_TRACE_H

#include "base/random.h"
#include "engine/game.h"

/* Play from the initial state and append the text: first the moves of `script`,
   one for each role in turn, then moves chosen at random among the sorted legal
   ones. False if the game failed or a move of the script was illegal. */
bool trace_write(Game *game, Random *random, const TermVector *script,
                 uint32_t step_limit, Text *text);

#endif
