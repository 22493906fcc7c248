/* What is made once of a game's rules and shared by all who play it: the net
   (unless it was too large), Zobrist keys, what the analysis found, and the
   wide engine's programs. Each player makes engines of its own from it. */
#ifndef TAFL_GAME_BOOK_H
#define TAFL_GAME_BOOK_H

#include "game/features.h"
#include "game/load.h"
#include "wide/cones.h"

typedef struct Book {
  Description *description; /* borrowed */
  LoadLimits limits;
  bool has_net;
  Net net;
  Text why;           /* there is no net */
  uint64_t *zobrist;  /* by fluent */
  uint32_t words;     /* of a state */
  Analysis *analysis; /* NULL: not asked for yet */
  Features *features; /* NULL: not asked for yet */
  Cones *cones;       /* NULL: not asked for yet */
  Net preferring;     /* if its cones were made: captures come first */
  Cones *capturing;   /* NULL: not asked for yet, or there are no captures */
  int *best_goal;     /* by role: the highest that the rules know; 100 without a
                         net */
} Book;

void book_init(Book *book, Description *description, const LoadLimits *limits,
               bool ground);
void book_free(Book *book);

/* A new engine: scalar on the net, else rules. */
Game *book_game(Book *book);
/* NULL without a net; not to be called from two threads at once. */
const Analysis *book_analysis(Book *book);
const Features *book_features(Book *book);
/* The wide programs, for so many words of lanes (0: 8) in the best mode of this
   machine; made once, so later calls get the first one's. NULL without a net.
 */
const Cones *book_cones(Book *book, uint32_t words);

/* The same on a net that prefers captures; the plain ones where there are none.
 */
const Cones *book_capturing(Book *book, uint32_t words);

#endif
