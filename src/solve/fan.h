/* All successors of many states of a puzzle at once. States come and go as
   packed keys; in between they stay in lanes: a batch is loaded once, looked at
   once, and then each round makes the next legal move of every lane.

       fan_load(fan, &batch);            what is terminal, and its goals
       while ((count = fan_round(fan)))  fan->keys, fan->lanes: successors

   A fan belongs to one thread. It has programs of its own, for the net on keys
   (packing_net), and does not change the book. */
#ifndef TAFL_SOLVE_FAN_H
#define TAFL_SOLVE_FAN_H

#include "solve/packing.h"

typedef struct FanBatch {
  uint32_t count;         /* at most fan->most */
  const uint64_t *keys;   /* one after the other */
  const uint16_t *depths; /* of each; NULL: all have `depth` */
  uint32_t depth;
  /* Sets of moves that need not be made, as bits by move; NULL: none. */
  const uint64_t *const *skip;
} FanBatch;

typedef struct Fan {
  uint32_t most; /* states in a batch */
  /* After fan_load, by lane: the goal of a terminal state; -1 if it has none,
     or the state is not terminal. Terminal states have no successors here. */
  const int *goals;
  const uint64_t *terminal; /* lanes, as bits; bits beyond the batch are zero */
  bool any_terminal;
  /* After fan_round: successors in the order of their lanes. */
  const uint64_t *keys;  /* one after the other */
  const uint16_t *lanes; /* that they come from */
  struct FanInside *inside;
} Fan;

/* The packing is borrowed. */
Fan *fan_new(const Book *book, Packing *packing);
void fan_delete(Fan *fan);

void fan_load(Fan *fan, const FanBatch *batch);
/* After fan_load: how many moves each lane has, 0 if it is terminal; for all
   `most` lanes. */
void fan_count(Fan *fan, uint16_t *counts);
/* Makes the next legal move of each lane; returns the number of successors, 0
   if all moves have been made. Moves come in the order of the net, so round i
   has each lane's i-th legal move that is not skipped. */
uint32_t fan_round(Fan *fan);
/* After fan_round: the moves that lead to the successors. */
const uint32_t *fan_moves(Fan *fan);

/* Returns the first move that leads from one state to another, for plans; by
   the scalar engine. FAN_NONE: there is none. */
static const Move FAN_NONE = UINT32_MAX;
Move fan_move(Fan *fan, const uint64_t *from, uint32_t depth,
              const uint64_t *to);

#endif
