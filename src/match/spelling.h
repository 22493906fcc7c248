/* Moves as texts: what game masters write, and how the rules spell it. A joint
   move is lines, one for each role. */
#ifndef TAFL_MATCH_SPELLING_H
#define TAFL_MATCH_SPELLING_H

#include "engine/game.h"
#include "match/message.h"

/* The role of that name: as it is spelled, else in any case. */
bool spelling_role(const Description *description, const char *name,
                   uint32_t *role);

/* The one form of a text that says the same: single spaces, f for (f). */
void spelling_normal(const char *text, Text *normal);
bool spelling_same(const char *a, const char *b); /* in any case and form */

/* The legal move that the text says: as it is spelled, else in any case. */
bool spelling_find(Game *game, uint32_t role, const char *text, Move *move);
/* One for each role, found in turn: how many were. */
uint32_t spelling_find_joint(Game *game, const TextVector *moves, Move *joint);

void spelling_split(const char *lines, TextVector *moves);

#endif
