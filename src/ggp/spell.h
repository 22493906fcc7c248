/* Moves as texts: what game masters write, and how the rules spell it. A joint
   move is lines, one for each role. */
#ifndef TAFL_GGP_SPELL_H
#define TAFL_GGP_SPELL_H

#include "engine/game.h"
#include "ggp/message.h"

/* The role of that name: as it is spelled, else in any case. */
bool spell_role(const Description *description, const char *name,
                uint32_t *role);

/* The one form of a text that says the same: single spaces, f for (f). */
void spell_normal(const char *text, Text *normal);
bool spell_same(const char *a, const char *b); /* in any case and form */

/* Append a move as the rules spell it. */
void spell_move(const Game *game, uint32_t role, Move move, Text *text);
void spell_joint(const Game *game, const Move *joint, Text *lines);

/* The legal move that the text says: as it is spelled, else in any case. */
bool spell_find(Game *game, uint32_t role, const char *text, Move *move);
/* One for each role, found in turn: how many were. */
uint32_t spell_find_joint(Game *game, const TextVector *moves, Move *joint);

void spell_split(const char *lines, TextVector *moves);

#endif
