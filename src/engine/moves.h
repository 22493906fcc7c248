/* The legal moves of a role: in order, as text, found by their text, or chosen
   at random. They are ordered by their terms, which does not depend on the
   engine, so that a seed gives the same game everywhere. */
#ifndef TAFL_ENGINE_MOVES_H
#define TAFL_ENGINE_MOVES_H

#include "base/random.h"
#include "engine/game.h"

/* Appends the legal moves in order. */
void moves_sorted(Game *game, uint32_t role, MoveVector *sorted);
/* Puts moves of the role in order. */
void moves_sort(const Game *game, uint32_t role, MoveVector *moves);
bool moves_contain(Game *game, uint32_t role, Move move);
/* Return the first move in order, and one of all with equal chances; there must
   be one. */
Move moves_first(Game *game, uint32_t role);
Move moves_random(Game *game, uint32_t role, Random *random);

/* Append a move as the rules spell it; a joint move is one line for each
   role. */
void moves_write(const Game *game, uint32_t role, Move move, Text *text);
void moves_write_joint(const Game *game, const Move *joint, Text *lines);
void moves_write_role(const Game *game, uint32_t role, Text *text);

/* Find the legal move with exactly this text, or this term. Return false if
   there is none. */
bool moves_find(Game *game, uint32_t role, const char *text, Move *move);
bool moves_find_term(Game *game, uint32_t role, Term term, Move *move);

#endif
