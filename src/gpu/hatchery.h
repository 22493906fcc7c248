/* Broods made on the card, ahead of a search that is going to ask for them: the
   legal moves of thousands of states at once, and which fluents each of them
   changes. For games in which at most one role has a choice in each state.

   What comes back are facts of the game: they hold for ever, and for any
   evaluation. One thread at a time. If the card fails, functions return false
   and hatchery_error says what happened. */
#ifndef TAFL_GPU_HATCHERY_H
#define TAFL_GPU_HATCHERY_H

#include "gpu/gpu.h"

enum {
  HATCH_CHANGES = 22,     /* fluents that a child may have changed */
  HATCH_NUMBERS = 1 << 16 /* moves and fluents are less */
};

/* A move of the role in turn, and the state that it leads to. */
typedef struct HatchChild {
  uint16_t move;
  uint8_t over;  /* the state is an end */
  uint8_t count; /* of fluents that change */
  uint16_t changes[HATCH_CHANGES];
} HatchChild;

/* A state that is not an end, and its legal moves in ascending order. */
typedef struct HatchNode {
  uint64_t key;          /* the sum of the keys of its fluents */
  uint32_t first, count; /* children; count 0: it could not be made */
  uint32_t mover;        /* the role in turn; where none has a choice, 0 */
  uint32_t forced;       /* none has a choice */
} HatchNode;

#endif
