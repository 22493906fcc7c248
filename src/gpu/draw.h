/* The uniform choice of a move in 32 games at once: legal moves are counted in
   planes, a rank below the count is drawn, and the move of that rank is found
   by descending the tree of counts. Of many moves a group is found first, and
   then one of the moves in it. */
#ifndef TAFL_GPU_DRAW_H
#define TAFL_GPU_DRAW_H

#include "gpu/frame.h"

enum {
  DRAW_PLANES = 16,
  DRAW_ROW = 32 /* slots in memory that a loop looks at together */
};

/* xorshift of 128 bits (Marsaglia 2003): a bit of a lane in each word. */
typedef struct Dice {
  Reg state[4];
} Dice;

/* A number in each lane, at most `most`. */
typedef struct Planes {
  uint32_t count, most;
  Reg bits[DRAW_PLANES];
} Planes;

void draw_seed(Ptx *ptx, Dice *dice, Reg seed);
/* A number that is zero at first, in registers that stay its own. */
Planes draw_zero(Ptx *ptx, uint32_t most);
/* Counts the words, up to DRAW_ROW of them, and adds that to such a number. */
void draw_add(Ptx *ptx, const Planes *number, const Reg *words, uint32_t count);
/* Chooses among the moves of `count` slots from `first` on, in the lanes of
   `free`: the legal moves become the chosen ones, in their slots or as lines of
   the frame. `legal`: how many legal moves there are, or NULL. Returns the
   lanes with a legal move. */
Reg draw_move(Frame *frame, Dice *dice, uint32_t first, uint32_t count,
              const Planes *legal, Reg free);

/* Returns whether a choice among so many moves leaves lanes without a move that
   are not free. Of few moves the one that is legal may stay, in all lanes. */
bool draw_clears(uint32_t moves, bool by_loop);

/* Returns how many lines in memory (gpu/frame.h) a choice by a loop takes; 0:
   there is nothing to choose. */
uint32_t draw_lines(uint32_t moves);

#endif
