/* Random games: every role chooses uniformly among its legal moves. */
#ifndef TAFL_ENGINE_PLAYOUT_H
#define TAFL_ENGINE_PLAYOUT_H

#include "base/random.h"
#include "engine/game.h"

typedef enum {
  PLAYOUT_ENDED,   /* in a terminal state */
  PLAYOUT_CUT_OFF, /* at the step limit */
  PLAYOUT_STUCK,   /* a role has no legal move, and the state is not terminal */
  PLAYOUT_FAILED   /* game_failed */
} PlayoutResult;

/* Plays on from the current state; retract `steps` times to return to it.
   `stuck_role` is set with PLAYOUT_STUCK. */
PlayoutResult playout_run(Game *game, Random *random, uint32_t step_limit,
                          uint32_t *steps, uint32_t *stuck_role);

/* What happened in many random games from the initial state. */
typedef struct PlayoutSummary {
  uint64_t playouts, ended, cut_off, stuck;
  uint64_t states;
  double seconds;
  double length_sum, length_square_sum; /* of ended games */
  double *goal_sum, *goal_square_sum;   /* by role, of ended games */
  uint64_t goals_missing; /* ended games where a role did not have one goal */
} PlayoutSummary;

void playout_summary_init(PlayoutSummary *summary, uint32_t roles);
void playout_summary_free(PlayoutSummary *summary);
/* Plays random games until `seconds` have passed, `games` were played (0: no
   such limit) or the game fails. Resets the game afterwards. */
void playout_many(Game *game, uint64_t seed, double seconds, uint64_t games,
                  uint32_t step_limit, PlayoutSummary *summary);

#endif
