/* Shorthand to open games of one role in tests of solve/. */
#ifndef TAFL_TEST_SUPPORT_PUZZLES_H
#define TAFL_TEST_SUPPORT_PUZZLES_H

#include "game/book.h"

typedef struct Puzzles {
  Description description;
  Book book;
  Game *game; /* in the initial state */
} Puzzles;

/* A game of games/, or a text; both must be valid. */
void puzzles_open_own(Puzzles *puzzles, const char *name);
void puzzles_open_text(Puzzles *puzzles, const char *text);
/* A public game of $SHARED; returns false if it is not there. */
bool puzzles_open_public(Puzzles *puzzles, const char *name);
void puzzles_close(Puzzles *puzzles);

/* Makes the move that is written so; it must be legal. */
void puzzles_make(Puzzles *puzzles, const char *move);

#endif
