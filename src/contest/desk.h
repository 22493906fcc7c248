/* What a worker plays with: its own description, book and engines, since terms
   are not shared between threads. */
#ifndef TAFL_CONTEST_DESK_H
#define TAFL_CONTEST_DESK_H

#include "game/book.h"

typedef struct Desk {
  Description description;
  Book book;
} Desk;

/* Parses the description anew; without `ground` everybody plays on the rules
   engine. */
void desk_init(Desk *desk, const Description *from, const BookLimits *limits,
               bool ground);
void desk_free(Desk *desk);
/* Makes the desk ready for another game. Without a net a game adds terms to the
   description, which may change the order of moves in later games: the
   description is then parsed anew. */
void desk_clear(Desk *desk, const Description *from, const BookLimits *limits);

#endif
