/* Numbers for moves, from 0 without gaps, so that tables over moves are arrays.
   On a net, moves have such numbers already; the rules engine's moves are terms
   and get numbers when they are first seen, for each role separately. */
#ifndef TAFL_SEARCH_NUMBERING_H
#define TAFL_SEARCH_NUMBERING_H

#include "base/map.h"
#include "engine/game.h"
#include "net/net.h"

typedef struct NumberedMove {
  uint32_t role;
  Move move;
} NumberedMove;

typedef struct Numbering {
  const Net *net; /* NULL: numbers are given out */
  VECTOR(NumberedMove) list;
  Map map; /* (role, move) to number + 1 */
} Numbering;

void numbering_init(Numbering *moves, const Net *net);
void numbering_free(Numbering *moves);
uint32_t numbering_number(Numbering *moves, uint32_t role, Move move);
Move numbering_move(const Numbering *moves, uint32_t number);
uint32_t numbering_count(const Numbering *moves); /* numbers given out so far */

#endif
