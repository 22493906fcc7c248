/* Kinds of facts about places: facts of one board with the same contents, such
   as white pawns anywhere. What is left behind where a move starts is blank;
   what blank squares turn into is seen in random games, too. */
#ifndef TAFL_VALUE_KINDS_H
#define TAFL_VALUE_KINDS_H

#include "analyse/analysis.h"

/* A board with more kinds of contents has none: its contents are numbers or
   the like. */
enum { KINDS_OF_BOARD = 64, KINDS_MOST = 256 };

typedef struct Kind {
  uint32_t board;   /* in Places.boards */
  uint32_t fluent;  /* an example, the first */
  uint32_t fluents; /* how many are of this kind */
  bool blank;
} Kind;

typedef struct Kinds {
  const Analysis *analysis; /* borrowed */
  VECTOR(Kind) list;
  uint32_t *of_fluent; /* kind + 1; 0: none */
  uint32_t *place_of;  /* by fluent: in Places.first, + 1; 0: none */
  uint64_t *followed;  /* by kind and kind: how often the second one took the
                          place of the first in random games */
} Kinds;

void kinds_init(Kinds *kinds, const Analysis *analysis);
void kinds_free(Kinds *kinds);

const Board *kinds_board(const Kinds *kinds, uint32_t fluent); /* or NULL */

/* Returns true if a place with the first was seen to get the second. */
static inline bool kinds_followed(const Kinds *kinds, uint32_t first,
                                  uint32_t second) {
  return kinds->followed[(size_t)first * kinds->list.count + second] > 0;
}

/* The place of the fluent's argument in the order of the board's values. */
uint32_t kinds_rank(const Terms *terms, const Board *board, Term fact,
                    uint32_t argument);

#endif
