/* Playouts as the wide engine tells them, kept whole, and the slow evaluation
   of the net that replays them. */
#ifndef TAFL_TEST_SUPPORT_REPLAY_H
#define TAFL_TEST_SUPPORT_REPLAY_H

#include "support/unit.h"
#include "wide/lanes.h"
#include "wide/wide.h"

enum { REPLAY_ROLES = 8 };

typedef struct ReplayGame {
  WideOutcome outcome;
  uint32_t start, steps, first; /* moves[first …], role by role, step by step */
  int goals[REPLAY_ROLES];
} ReplayGame;

typedef struct Replay {
  const Net *net;
  Wide *wide;
  VECTOR(ReplayGame) games;
  NumberVector moves;
  bool *state, *does, *values;
} Replay;

void replay_init(Replay *replay, const Net *net);
void replay_free(Replay *replay);

/* The listener; its context is the replay. */
void replay_listen(void *context, const WidePlayout *playout);

bool replay_value(const Replay *replay, Signal signal);

/* Into the successor, and see it. */
void replay_make(Replay *replay, const uint32_t *joint);

/* `row` NULL: the initial state. */
void replay_enter(Replay *replay, const uint64_t *row);

uint32_t replay_count_legal(const Replay *replay, uint32_t role);
int replay_goal(const Replay *replay, uint32_t role);

/* Every move legal, every state on the way open, and the end as told. */
void replay_check(Replay *replay, const ReplayGame *game, const uint64_t *row,
                  uint32_t limit);

#endif
