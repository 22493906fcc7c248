/* Rules as they are told to players: without comments, and, if that is asked
   for, with all names but keywords and numbers replaced by others, so that
   nobody knows the game by its words. */
#ifndef TAFL_MATCH_SCRAMBLE_H
#define TAFL_MATCH_SCRAMBLE_H

#include "base/text.h"
#include "gdl/symbol.h"

typedef struct Scramble {
  Symbols real;               /* words of the rules */
  Symbols taken;              /* what no new name may be: all words in lower
                                 case, and the names given */
  VECTOR(const char *) names; /* by symbol; NULL: it stays as it is */
  Arena arena;
  Text rules; /* as they are told */
} Scramble;

/* Of valid rules; not active: every name stays. The same seed gives the
   same names. */
void scramble_init(Scramble *scramble, const char *rules, size_t length,
                   bool active, uint64_t seed);
void scramble_free(Scramble *scramble);

/* A term of the game as it is told, with single spaces. */
void scramble_tell(const Scramble *scramble, const char *term, Text *text);
/* Back; false, with the text as far as it goes, if it has a word that was never
   told. */
bool scramble_read(const Scramble *scramble, const char *term, Text *text);

#endif
