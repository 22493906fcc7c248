/* Questions with a time limit, for whoever has to answer in time whatever the
   rules are. If an answer is not found before `until` (by clock_now), the game
   stays as it is. An engine whose answers are always quick has no operations
   for this: the usual ones are asked. */
#ifndef TAFL_ENGINE_ATTEMPT_H
#define TAFL_ENGINE_ATTEMPT_H

#include "engine/moves.h"

/* Appends legal moves, in any order. Returns true if these are all; otherwise
   they are some of them, none only if none was found in time. */
bool attempt_moves(Game *game, uint32_t role, double until, MoveVector *moves);
/* The same for moves that are legal in every state, the current one being
   unknown; an engine that always knows it finds none. Works on a game that has
   failed. */
void attempt_static_moves(Game *game, uint32_t role, double until,
                          MoveVector *moves);
/* Is the term a legal move? If so, sets `move`. */
Verdict attempt_move(Game *game, uint32_t role, Term term, double until,
                     Move *move);
Verdict attempt_terminal(Game *game, double until);
/* Returns false if the successor was not found in time. */
bool attempt_make(Game *game, const Move *joint, double until);
/* Enters a state that has only those facts of the successor that are found in
   time: a guess. */
bool attempt_make_partly(Game *game, const Move *joint, double until);

#endif
