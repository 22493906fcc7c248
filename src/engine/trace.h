/* One game as text, the same for every engine: for golden files, and to be
   checked by an independent implementation.

     roles ROLE ROLE …
     state NUMBER HASH
     true FACT            each true fact, sorted
     terminal             if the state is
     goal ROLE VALUE      each, sorted by role, then value
     legal ROLE MOVE      each, if it is not terminal
     does ROLE MOVE       one for each role, if the game goes on
     end                  terminal | step-limit | stuck ROLE | failed WHY |
                          illegal ROLE MOVE (of a script) */
#ifndef TAFL_ENGINE_TRACE_H
#define TAFL_ENGINE_TRACE_H

#include "base/random.h"
#include "engine/game.h"

/* Plays from the initial state and appends the text: first the moves of
   `script`, one for each role in turn, then random ones among the sorted legal
   moves. Returns false if the game failed or a scripted move was illegal. If
   `flush` is not NULL it is called after each state, and may clear the text. */
bool trace_write(Game *game, Random *random, const TermVector *script,
                 uint32_t step_limit, void (*flush)(Text *text), Text *text);

#endif
