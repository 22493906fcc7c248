/* Texts of game masters compared with how the rules spell it, in any case and
   with f for (f). A joint move is one line for each role. */
#ifndef TAFL_MATCH_SPELLING_H
#define TAFL_MATCH_SPELLING_H

#include "engine/game.h"
#include "match/message.h"

/* Finds the role of that name: the exact spelling, or else any case. Returns
   false if there is none. */
bool spelling_role(const Description *description, const char *name,
                   uint32_t *role);

/* Appends the normal form of a text: single spaces, f for (f). */
void spelling_normal(const char *text, Text *normal);
/* Returns true if the normal forms agree in any case. */
bool spelling_same(const char *a, const char *b);

/* Finds the legal move of that text: the exact spelling, or else any case.
   Returns false if there is none. */
bool spelling_find(Game *game, uint32_t role, const char *text, Move *move);
/* Finds a move for each role in turn, up to the first that is not legal;
   returns how many were found. */
uint32_t spelling_find_joint(Game *game, const TextVector *moves, Move *joint);

/* Returns the term of that text: words in their exact spelling, or else any
   case. Returns 0 if it is not a term, a word is not one of the rules, or the
   term is new and none is to be made. */
Term spelling_term(Terms *terms, const char *text, bool make);

/* Appends each line to `moves`. */
void spelling_split(const char *lines, TextVector *moves);

#endif
