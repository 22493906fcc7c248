/* Keeps the playouts that the wide engine reports and replays them by plain
   evaluation of the net. */
#ifndef TAFL_TEST_SUPPORT_REPLAY_H
#define TAFL_TEST_SUPPORT_REPLAY_H

#include "support/unit.h"
#include "wide/expand.h"
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

/* A listener for the wide engine; the context is the replay. */
void replay_listen(void *context, const WidePlayout *playout);

bool replay_value(const Replay *replay, Signal signal);

/* Makes the joint move and evaluates the successor. */
void replay_make(Replay *replay, const uint32_t *joint);

/* Evaluates the state of the row, or the initial state if it is NULL. */
void replay_enter(Replay *replay, const uint64_t *row);

uint32_t replay_count_legal(const Replay *replay, uint32_t role);
int replay_goal(const Replay *replay, uint32_t role);

/* Checks that every move was legal, that no state before the last was terminal,
   and that the outcome is the reported one. */
void replay_check(Replay *replay, const ReplayGame *game, const uint64_t *row,
                  uint32_t limit);
/* Checks all results of an item that was expanded, or looked at if there are no
   joint moves. */
void replay_check_expansion(Replay *replay, const ExpandTask *task,
                            uint32_t item);
/* Returns a signature of everything that was reported. */
uint64_t replay_sign(const Replay *replay);

#endif
