/* Rules as players get them: without comments and, if wanted, with new names
   for everything but keywords and numbers, so that nobody recognizes the game
   by its words. */
#ifndef TAFL_MATCH_SCRAMBLE_H
#define TAFL_MATCH_SCRAMBLE_H

#include "base/text.h"
#include "gdl/symbol.h"

typedef struct Scramble {
  Symbols real;               /* words of the rules */
  Symbols taken;              /* names that must not be given: all words in
                                 lower case, and the names given before */
  VECTOR(const char *) names; /* by symbol; NULL: the name stays */
  Arena arena;
  Text rules; /* as players get them */
} Scramble;

/* The rules must be valid. Unless `active`, every name stays. A seed always
   gives the same names. */
void scramble_init(Scramble *scramble, const char *rules, size_t length,
                   bool active, uint64_t seed);
void scramble_free(Scramble *scramble);

/* Appends a term of the game as players get it, with single spaces. */
void scramble_tell(const Scramble *scramble, const char *term, Text *text);
/* The reverse. Returns false if the term has a word that players never got;
   that word is appended as it is. */
bool scramble_read(const Scramble *scramble, const char *term, Text *text);

#endif
