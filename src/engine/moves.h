/* The legal moves of a role as texts: in order, found by what somebody wrote,
   or chosen at random. The order is that of the moves' terms, which does not
   depend on the engine, so that a seed gives the same game everywhere. */
#ifndef TAFL_ENGINE_MOVES_H
#define TAFL_ENGINE_MOVES_H

#include "base/random.h"
#include "engine/game.h"

typedef VECTOR(Move) MoveVector;

/* Appends the legal moves in order. */
void moves_sorted(Game *game, uint32_t role, MoveVector *sorted);
bool moves_contain(Game *game, uint32_t role, Move move);
/* The first in order, and any, each as likely; there must be one. */
Move moves_first(Game *game, uint32_t role);
Move moves_random(Game *game, uint32_t role, Random *random);

/* Appends a move as the rules spell it; a joint move is lines, one for each
   role. */
void moves_write(const Game *game, uint32_t role, Move move, Text *text);
void moves_write_joint(const Game *game, const Move *joint, Text *lines);
void moves_write_role(const Game *game, uint32_t role, Text *text);

/* The legal move that is spelled exactly so, or that is the term. Both return
   false if there is none. */
bool moves_find(Game *game, uint32_t role, const char *text, Move *move);
bool moves_find_term(Game *game, uint32_t role, Term term, Move *move);

#endif
