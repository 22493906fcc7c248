#include "search/numbering.h"

#include "base/hash.h"

void numbering_init(Numbering *moves, const Net *net) {
  *moves = (Numbering){.net = net};
}

void numbering_free(Numbering *moves) {
  vector_free(&moves->list);
  map_free(&moves->map);
}

uint32_t numbering_number(Numbering *moves, uint32_t role, Move move) {
  if (moves->net) return move;
  uint64_t hash = hash_pair(role, move);
  MapCursor at = {0};
  for (uint32_t entry = map_first(&moves->map, hash, &at); entry;
       entry = map_next(&moves->map, &at)) {
    const NumberedMove *known = &moves->list.data[entry - 1];
    if (known->role == role && known->move == move) return entry - 1;
  }
  NumberedMove numbered = {role, move};
  vector_push(&moves->list, numbered);
  map_add(&moves->map, hash, moves->list.count);
  return moves->list.count - 1;
}

Move numbering_move(const Numbering *moves, uint32_t number) {
  return moves->net ? number : moves->list.data[number].move;
}

uint32_t numbering_count(const Numbering *moves) {
  return moves->net ? moves->net->moves.count : moves->list.count;
}
