/* Random games: every role chooses uniformly among its legal moves. */
#ifndef TAFL_ENGINE_PLAYOUT_H
#define TAFL_ENGINE_PLAYOUT_H

#include "base/random.h"
#include "engine/game.h"

typedef enum {
  PLAYOUT_ENDED,   /* in a terminal state */
  PLAYOUT_CUT_OFF, /* at the step limit */
  PLAYOUT_STUCK,   /* a role has no legal move in a state not terminal */
  PLAYOUT_FAILED   /* game_failed */
} PlayoutResult;

/* Play on from the current state, which stays entered states deep: retract
   `steps` times to return. `stuck_role` is set by PLAYOUT_STUCK. */
PlayoutResult playout_run(Game *game, Random *random, uint32_t step_limit,
                          uint32_t *steps, uint32_t *stuck_role);

/* What happened in many random games from the initial state. */
typedef struct PlayoutSummary {
  uint64_t playouts, ended, cut_off, stuck;
  uint64_t states;
  double seconds;
  double length_sum, length_square_sum; /* of ended games */
  double *goal_sum, *goal_square_sum;   /* by role, of ended games */
  uint64_t goals_missing; /* ended games in which a role had not one goal */
} PlayoutSummary;

void playout_summary_init(PlayoutSummary *summary, uint32_t roles);
void playout_summary_free(PlayoutSummary *summary);
/* Play random games until `seconds` have passed or `games` were played (0: no
   such limit), or the game fails. The game is reset afterwards. */
void playout_many(Game *game, uint64_t seed, double seconds, uint64_t games,
                  uint32_t step_limit, PlayoutSummary *summary);

#endif
