/* The uniform choice of a move in 32 games at once: legal moves are counted in
   planes, a rank below the count is drawn, and the move of that rank is found
   by descending the tree of counts. Of many moves a group is found first, and
   then one of the moves in it. */
#ifndef TAFL_GPU_DRAW_H
#define TAFL_GPU_DRAW_H

#include "gpu/frame.h"

enum {
  DRAW_PLANES = 16,
  DRAW_ROW = 16 /* slots in memory that are looked at together */
};

/* xorshift of 128 bits (Marsaglia 2003): a bit of a lane in each word. */
typedef struct Dice {
  Reg state[4];
} Dice;

void draw_seed(Ptx *ptx, Dice *dice, Reg seed);
/* Chooses among the moves of `count` slots from `first` on, in the lanes of
   `free`: the legal moves become the chosen ones, in their slots or as lines of
   the frame. Returns the lanes with a legal move. */
Reg draw_move(Frame *frame, Dice *dice, uint32_t first, uint32_t count,
              Reg free);

#endif
