/* A random game of a description, drawn state by state. */
#ifndef TAFL_TEST_SUPPORT_DRAWING_H
#define TAFL_TEST_SUPPORT_DRAWING_H

#include "base/random.h"
#include "game/boards.h"
#include "game/book.h"

typedef struct Drawn {
  Description description;
  Book book;
  Boards *boards;
  Game *game;
  Random random;
  TermVector facts, before; /* now, and before the last move */
  bool moved;
} Drawn;

/* Opens the game, with a net and an analysis if `net` is set. Returns false if
   the file is no valid game. */
bool drawn_open(Drawn *drawn, const char *path, bool net, uint64_t seed);
void drawn_close(Drawn *drawn);
/* Makes random moves; returns false at the end of the game. */
bool drawn_step(Drawn *drawn);
/* Makes these moves. */
void drawn_take(Drawn *drawn, const Move *joint);
void drawn_write(Drawn *drawn, const BoardsStyle *style, Text *text);

#endif
