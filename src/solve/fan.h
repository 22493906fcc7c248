/* All successors of many states of a puzzle at once. States come and go as
   packed keys; a batch is loaded into lanes and looked at, then each round has
   another pair of state and legal move in every lane.

       fan_load(fan, &batch);            what is terminal, and its goals
       while ((count = fan_round(fan)))  fan->keys, lanes, moves: successors

   A fan belongs to one thread. It has programs of its own, for the net on keys
   (packing_net), and does not change the book. */
#ifndef TAFL_SOLVE_FAN_H
#define TAFL_SOLVE_FAN_H

#include "solve/packing.h"

typedef struct FanBatch {
  uint32_t count;         /* at most fan->most */
  const uint64_t *keys;   /* one after the other; read by all rounds */
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
  /* After fan_round: successors in the order of states in the batch, those of
     one state in the order of moves in the net. */
  const uint64_t *keys;  /* one after the other */
  const uint16_t *lanes; /* places in the batch of the states they come from */
  const uint32_t *moves; /* that lead to them */
  struct FanInside *inside;
} Fan;

/* The packing is borrowed. */
Fan *fan_new(const Book *book, Packing *packing);
void fan_delete(Fan *fan);

void fan_load(Fan *fan, const FanBatch *batch);
/* After fan_load: how many moves each lane has, 0 if it is terminal; for all
   `most` lanes. */
void fan_count(Fan *fan, uint16_t *counts);
/* Makes the next legal moves that are not skipped, about fan->most; returns the
   number of successors, 0 if all moves have been made. */
uint32_t fan_round(Fan *fan);

/* Returns the first move that leads from one state to another, for plans; by
   the scalar engine. FAN_NONE: there is none. */
static const Move FAN_NONE = UINT32_MAX;
Move fan_move(Fan *fan, const uint64_t *from, uint32_t depth,
              const uint64_t *to);

#endif
