/* Numbers for moves, from 0 without gaps, so that tables over moves are arrays.
   On a net a move has its number already; the rules engine's moves are terms
   and get theirs when they are first seen, role by role. */
#ifndef TAFL_SEARCH_NUMBERING_H
#define TAFL_SEARCH_NUMBERING_H

#include "engine/game.h"
#include "net/net.h"

typedef struct NumberedMove {
  uint32_t role;
  Move move;
} NumberedMove;

typedef struct Numbering {
  const Net *net; /* NULL: numbers are given out */
  VECTOR(NumberedMove) list;
  uint32_t *slots; /* hash of `list`: number + 1, 0 is empty */
  uint32_t slot_count;
} Numbering;

void numbering_init(Numbering *moves, const Net *net);
void numbering_free(Numbering *moves);
uint32_t numbering_number(Numbering *moves, uint32_t role, Move move);
Move numbering_move(const Numbering *moves, uint32_t number);
uint32_t numbering_count(const Numbering *moves); /* numbers given out so far */

#endif
