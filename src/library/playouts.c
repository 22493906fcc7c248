/* Random playouts from a position: hundreds at once where the game has a net,
   else one after another on the position's engine. */
#include "engine/playout.h"
#include "library/position.h"
#include "wide/wide.h"

enum { STEP_LIMIT = 1000 };

typedef struct Playouts {
  tafl_position *position;
  const Cones *cones; /* NULL: without a net, or beyond the memory limit */
  uint32_t count, made, step_limit;
  uint64_t seed;
  int8_t *goals;
  uint32_t *lengths;
  uint8_t *ends;
} Playouts;

/* `goals` by role, for playouts that ended. */
static void add(Playouts *playouts, uint8_t end, uint32_t steps,
                const int *goals) {
  uint32_t roles = playouts->position->roles, i = playouts->made++;
  if (i >= playouts->count) return;
  if (playouts->lengths) playouts->lengths[i] = steps;
  if (playouts->ends) playouts->ends[i] = end;
  for (uint32_t role = 0; playouts->goals && role < roles; role++)
    playouts->goals[(size_t)i * roles + role] =
        (int8_t)(end == TAFL_PLAYOUT_ENDED ? goals[role] : -1);
}

static void hear(void *context, const WidePlayout *playout) {
  static const uint8_t ends[] = {[WIDE_ENDED] = TAFL_PLAYOUT_ENDED,
                                 [WIDE_CUT_OFF] = TAFL_PLAYOUT_CUT_OFF,
                                 [WIDE_STUCK] = TAFL_PLAYOUT_STUCK};
  add(context, ends[playout->outcome], playout->steps, playout->goals);
}

static void play_wide(Playouts *playouts) {
  tafl_position *position = playouts->position;
  WideOptions options = {.seed = playouts->seed,
                         .step_limit = playouts->step_limit,
                         .listener = hear,
                         .context = playouts};
  const uint64_t *row;
  game_state(position->engine, &row);
  Wide *wide = wide_new(playouts->cones, &options);
  wide_set_starts(wide, row, 1, playouts->count);
  wide_play(wide, 1);
  wide_delete(wide);
}

static void read_goals(Game *game, int *goals) {
  for (uint32_t role = 0; role < game->role_count; role++)
    goals[role] = game_goal(game, role);
}

static void play_singly(Playouts *playouts) {
  static const uint8_t ends[] = {[PLAYOUT_ENDED] = TAFL_PLAYOUT_ENDED,
                                 [PLAYOUT_CUT_OFF] = TAFL_PLAYOUT_CUT_OFF,
                                 [PLAYOUT_STUCK] = TAFL_PLAYOUT_STUCK};
  Game *game = playouts->position->engine;
  Random random;
  random_seed(&random, playouts->seed);
  while (playouts->made < playouts->count) {
    int goals[RULE_ROLES];
    uint32_t steps, stuck;
    PlayoutResult result =
        playout_run(game, &random, playouts->step_limit, &steps, &stuck);
    if (result == PLAYOUT_FAILED) return;
    if (result == PLAYOUT_ENDED) read_goals(game, goals);
    add(playouts, ends[result], steps, goals);
    while (steps--) game_retract(game);
  }
}

static void play(void *context) {
  Playouts *playouts = context;
  Game *game = playouts->position->engine;
  if (game_terminal(game)) {
    int goals[RULE_ROLES];
    read_goals(game, goals);
    while (playouts->made < playouts->count)
      add(playouts, TAFL_PLAYOUT_ENDED, 0, goals);
  } else if (playouts->cones) {
    play_wide(playouts);
  } else {
    play_singly(playouts);
  }
}

tafl_status tafl_position_playouts(tafl_position *position, uint32_t count,
                                   uint64_t seed, uint32_t step_limit,
                                   int8_t *goals, uint32_t *lengths,
                                   uint8_t *ends) {
  if (!position)
    return object_fail(TAFL_ERROR_ARGUMENT, "a position is needed");
  if (!count) return TAFL_OK;
  Playouts playouts = {.position = position,
                       .count = count,
                       .step_limit = step_limit ? step_limit : STEP_LIMIT,
                       .seed = seed,
                       .goals = goals,
                       .lengths = lengths,
                       .ends = ends};
  pthread_mutex_lock(&position->game->lock);
  tafl_status status = game_prepare(position->game, NULL);
  playouts.cones = position->game->book.cones;
  pthread_mutex_unlock(&position->game->lock);
  if (!status) status = object_call(&position->object, play, &playouts);
  if (!status && game_failed(position->engine))
    status = object_end(&position->object, TAFL_ERROR_LIMIT,
                        text_string(&position->engine->error));
  return status;
}
