/* Whoever works for a search outside of its threads: the ranks of a cluster, a
   graphics card. An ally plays out leaves of the search's tree, or thinks about
   the same state and tells what it found at the root, or both. It may be lost
   at any moment; the search then goes on with its own threads, and forgets the
   leaves that the ally had.

   Moves have the numbers of the net, states are its bits: both are the same
   wherever the same rules were grounded. */
#ifndef TAFL_SEARCH_ALLY_H
#define TAFL_SEARCH_ALLY_H

#include <stdbool.h>

#include "base/vector.h"

/* The state that a search thinks about. */
typedef struct AllyPosition {
  const uint64_t *state;
  uint32_t words;
  uint32_t depth; /* steps since the initial state */
  double horizon; /* seconds after which thinking will end; 0: not known */
} AllyPosition;

/* Leaves to play out. */
typedef struct AllyTask {
  uint32_t number;         /* the search's, to know it by */
  uint32_t leaves, repeat; /* playouts from each leaf */
  uint32_t words;
  const uint64_t *states; /* leaf by leaf */
} AllyTask;

/* What playouts say of a move (MAST). */
typedef struct AllyCredit {
  uint32_t move;
  double playouts, total; /* in which it was made; the sum of their returns */
} AllyCredit;

/* A task that was done, or lost: `leaves` is 0 then. */
typedef struct AllyResult {
  uint32_t number, leaves;
  NumberVector playouts, steps; /* by leaf: playouts made, their lengths' sum */
  VECTOR(double) sums;          /* by leaf and role: of discounted returns */
  VECTOR(double) highest; /* of those; empty unless the settings need them */
  NumberVector tails; /* moves of each leaf's first playout, joint by joint, */
  NumberVector ends;  /* and where each leaf's end; empty without RAVE */
  VECTOR(AllyCredit) credit;
  uint64_t states, cut_off;
} AllyResult;

/* What others found at the root, by action. */
typedef struct RootSum {
  uint32_t move; /* its number tells the role */
  uint32_t visits;
  double total;  /* of returns */
  int16_t exact; /* value that is proved (search/action.h); -1: none */
  uint16_t distance;
} RootSum;

typedef struct RootSums {
  VECTOR(RootSum) actions;
  uint64_t simulations, states; /* work behind them */
} RootSums;

typedef struct Ally Ally;

/* Called by one thread of the search at a time, except `wake`. None waits but
   `wait`. */
typedef struct AllyOperations {
  /* The search begins to think at this state: what was under way is dropped,
     and what arrives of it is not told any more. */
  void (*stand)(Ally *ally, const AllyPosition *position);
  /* The search has stopped thinking. */
  void (*rest)(Ally *ally);
  /* Returns how many more leaves would keep the ally at work; 0: none, or it
     is not there. */
  uint32_t (*room)(Ally *ally);
  /* The task's memory is the caller's. */
  void (*play)(Ally *ally, const AllyTask *task);
  /* Takes a result; returns false if there is none yet. */
  bool (*take)(Ally *ally, AllyResult *result);
  /* The search's own scores for the choice of moves, Q(a) / tau by move. */
  void (*score)(Ally *ally, const double *scores, uint32_t count);
  /* Takes the sums over the whole time at this state; returns false if they
     are those that were taken last. */
  bool (*roots)(Ally *ally, RootSums *sums);
  /* Waits until there is something to take, or room, or wake is called. */
  void (*wait)(Ally *ally, double seconds);
  void (*wake)(Ally *ally);
} AllyOperations;

struct Ally {
  const AllyOperations *operations;
  bool joins; /* roots go into the search's tree, and guide it from then on;
                 false: they are for its answer alone */
};

void ally_free_result(AllyResult *result);

#endif
