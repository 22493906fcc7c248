/* Random games. */
#include "engine/playout.h"

#include "base/clock.h"

/* Returns false if a role has no legal move. */
static bool choose(Game *game, Random *random, Move *joint, uint32_t *stuck) {
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    if (!count) {
      *stuck = role;
      return false;
    }
    joint[role] = moves[count > 1 ? random_below(random, count) : 0];
  }
  return true;
}

enum { STEPS_BETWEEN_LOOKS = 16 }; /* at the clock */

PlayoutResult playout_run(Game *game, Random *random, uint32_t step_limit,
                          uint32_t *steps, uint32_t *stuck_role) {
  Move joint[RULE_ROLES];
  *steps = 0;
  while (!game_terminal(game)) {
    if (*steps == step_limit) return PLAYOUT_CUT_OFF;
    if (!choose(game, random, joint, stuck_role))
      return game_failed(game) ? PLAYOUT_FAILED : PLAYOUT_STUCK;
    game_make(game, joint);
    if (++*steps % STEPS_BETWEEN_LOOKS == 0 && game_late(game)) break;
  }
  return game_failed(game) ? PLAYOUT_FAILED : PLAYOUT_ENDED;
}

void playout_summary_init(PlayoutSummary *summary, uint32_t roles) {
  *summary = (PlayoutSummary){0};
  summary->goal_sum = memory_new(roles * sizeof(double));
  summary->goal_square_sum = memory_new(roles * sizeof(double));
}

void playout_summary_free(PlayoutSummary *summary) {
  memory_delete(summary->goal_sum);
  memory_delete(summary->goal_square_sum);
}

static void count_end(Game *game, uint32_t steps, PlayoutSummary *summary) {
  bool missing = false;
  summary->ended++;
  summary->length_sum += steps;
  summary->length_square_sum += (double)steps * steps;
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Term *values;
    missing |= game_goals(game, role, &values) != 1;
    int goal = game_goal(game, role);
    if (goal < 0) {
      missing = true;
      continue;
    }
    summary->goal_sum[role] += goal;
    summary->goal_square_sum[role] += (double)goal * goal;
  }
  summary->goals_missing += missing;
}

void playout_many(Game *game, uint64_t seed, double seconds, uint64_t games,
                  uint32_t step_limit, PlayoutSummary *summary) {
  Random random;
  random_seed(&random, seed);
  double start = clock_now();
  while (!game_failed(game) && !game_late(game)) {
    if (games && summary->playouts == games) break;
    if (seconds > 0 && summary->playouts && clock_now() - start >= seconds)
      break;
    uint32_t steps, stuck;
    game_reset(game);
    PlayoutResult result =
        playout_run(game, &random, step_limit, &steps, &stuck);
    summary->playouts++;
    summary->states += steps;
    switch (result) {
    case PLAYOUT_ENDED: count_end(game, steps, summary); break;
    case PLAYOUT_CUT_OFF: summary->cut_off++; break;
    case PLAYOUT_STUCK: summary->stuck++; break;
    case PLAYOUT_FAILED: break;
    }
  }
  summary->seconds += clock_now() - start;
  game->statistics.playouts += summary->playouts;
  if (!game_failed(game)) game_reset(game);
}
