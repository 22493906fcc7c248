/* What the people of one match share: the screen, the keyboard, and what they
   said beside moves. */
#ifndef TAFL_COMMAND_TERMINAL_H
#define TAFL_COMMAND_TERMINAL_H

#include <stdatomic.h>

#include "base/random.h"
#include "engine/game.h"
#include "game/boards.h"
#include "game/book.h"

typedef struct Terminal {
  atomic_bool *stop; /* set when somebody quits; ends the reading if set */
  bool undo;         /* somebody wants to take back a move */
  uint32_t turns;    /* that can be taken back */
  const char *final; /* says why nothing can be; NULL: see `turns` */

  Boards *boards;
  Random random; /* of hints */
  Text why;      /* what agents thought last */
  Text learned;  /* what they have learned */
  uint32_t people;
  bool human[RULE_ROLES]; /* by role */
  bool begun;             /* a joint move was made */
  bool drawn;             /* the state is on the screen, its moves are not */
  bool stale;             /* `why` is about an earlier state */
} Terminal;

/* For one match. The book and the flag are borrowed. */
void terminal_open(Terminal *terminal, Book *book, uint64_t seed,
                   atomic_bool *stop);
void terminal_close(Terminal *terminal);

/* Draws the state; terminal_draw only if it is not on the screen yet. */
void terminal_draw(Terminal *terminal, Game *game);
void terminal_redraw(Terminal *terminal, Game *game);
/* Reads a line without its end. Returns false at the end of input and if the
   flag is set. */
bool terminal_read(Terminal *terminal, char *line, int size);

#endif
