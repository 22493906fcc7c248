/* Numbering as dense numbers; for moves that are terms an open-addressing hash
   of (role, term), at most half full. */
#include "search/numbering.h"

#include "base/hash.h"

void numbering_init(Numbering *moves, const Net *net) {
  *moves = (Numbering){.net = net};
}

void numbering_free(Numbering *moves) {
  vector_free(&moves->list);
  memory_delete(moves->slots);
}

/* The slot that has the move, or the empty one where it belongs. */
static uint32_t *find_slot(const Numbering *moves, uint32_t role, Move move) {
  uint32_t mask = moves->slot_count - 1;
  uint32_t at = (uint32_t)hash_pair(role, move) & mask;
  for (;; at = (at + 1) & mask) {
    uint32_t number = moves->slots[at];
    if (!number) return &moves->slots[at];
    const NumberedMove *known = &moves->list.data[number - 1];
    if (known->role == role && known->move == move) return &moves->slots[at];
  }
}

static void grow(Numbering *moves) {
  memory_delete(moves->slots);
  moves->slot_count = moves->slot_count ? 2 * moves->slot_count : 64;
  moves->slots = memory_new(moves->slot_count * sizeof *moves->slots);
  for (uint32_t i = 0; i < moves->list.count; i++)
    *find_slot(moves, moves->list.data[i].role, moves->list.data[i].move) =
        i + 1;
}

uint32_t numbering_number(Numbering *moves, uint32_t role, Move move) {
  if (moves->net) return move;
  if (2 * (moves->list.count + 1) > moves->slot_count) grow(moves);
  uint32_t *slot = find_slot(moves, role, move);
  if (!*slot) {
    NumberedMove numbered = {role, move};
    vector_push(&moves->list, numbered);
    *slot = moves->list.count;
  }
  return *slot - 1;
}

Move numbering_move(const Numbering *moves, uint32_t number) {
  return moves->net ? number : moves->list.data[number].move;
}

uint32_t numbering_count(const Numbering *moves) {
  return moves->net ? moves->net->moves.count : moves->list.count;
}
