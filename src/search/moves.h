/* Numbers for moves, from 0 without gaps, so that tables over moves are arrays.
   On a net a move has its number already; the rules engine's moves are terms
   and get theirs when they are first seen, role by role. */
#ifndef TAFL_SEARCH_MOVES_H
#define TAFL_SEARCH_MOVES_H

#include "engine/game.h"

typedef struct NumberedMove {
  uint32_t role;
  Move move;
} NumberedMove;

typedef struct Moves {
  const Net *net; /* NULL: numbers are given out */
  VECTOR(NumberedMove) list;
  uint32_t *slots; /* hash of `list`: number + 1, 0 is empty */
  uint32_t slot_count;
} Moves;

void moves_init(Moves *moves, const Net *net);
void moves_free(Moves *moves);
uint32_t moves_number(Moves *moves, uint32_t role, Move move);
Move moves_move(const Moves *moves, uint32_t number);
uint32_t moves_count(const Moves *moves); /* numbers given out so far */

#endif
