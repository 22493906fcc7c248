/* States are kept whole, so that what is learned from later ones holds for
   earlier ones. The number of steps and of facts is bounded and so is the time,
   since an engine may be slow; then less is known of the game. */
#include "about/scene_parts.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/moves.h"

enum {
  STEPS = 300,    /* in all, */
  LONGEST = 100,  /* in one game */
  FACTS = 200000, /* in all */
  LEGAL = 20000
};

static const double seconds = 0.3;

static bool is_full(const SceneSample *sample) {
  return sample->steps.count >= STEPS || sample->facts.count >= FACTS;
}

static bool note_state(SceneSample *sample, Game *game) {
  const Term *facts;
  uint32_t count = game_facts(game, &facts);
  if (game_failed(game)) return false;
  vector_push(&sample->steps,
              ((SceneStep){sample->facts.count, count, .last = true}));
  for (uint32_t i = 0; i < count; i++) vector_push(&sample->facts, facts[i]);
  for (uint32_t i = 0; i < sample->roles; i++) vector_push(&sample->moves, 0);
  return true;
}

static void note_legal(SceneSample *sample, Game *game, uint32_t role,
                       const Move *moves, uint32_t count) {
  for (uint32_t i = 0; i < count && sample->legal.count < LEGAL; i++)
    vector_push(&sample->legal, game_move_term(game, role, moves[i]));
}

/* Makes a random joint move; returns false if that is not possible. */
static bool make_move(SceneSample *sample, Game *game, bool legal,
                      Random *random) {
  Move joint[RULE_ROLES];
  const Move *moves;
  Term *made = &sample->moves.data[(sample->steps.count - 1) * sample->roles];
  if (game_terminal(game) || game_failed(game)) return false;
  for (uint32_t role = 0; role < sample->roles; role++) {
    uint32_t count = game_legal(game, role, &moves);
    if (!count || game_failed(game)) return false;
    if (legal) note_legal(sample, game, role, moves, count);
    joint[role] = moves_random(game, role, random);
    made[role] = game_move_term(game, role, joint[role]);
  }
  game_make(game, joint);
  return !game_failed(game);
}

static void play(SceneSample *sample, Game *game, bool legal, double until,
                 Random *random) {
  game_reset(game);
  if (!note_state(sample, game)) return;
  for (uint32_t i = 0; i < LONGEST && !is_full(sample); i++) {
    if (clock_now() > until || !make_move(sample, game, legal, random)) return;
    SceneStep *before = &vector_last(&sample->steps);
    before->last = false;
    if (note_state(sample, game)) continue;
    vector_last(&sample->steps).last = true;
    return;
  }
}

void scene_sample_init(SceneSample *sample, Book *book) {
  Game *game = book_game(book);
  double until = clock_now() + seconds;
  Random random;
  random_seed(&random, 1);
  *sample = (SceneSample){.roles = game->role_count};
  game->deadline = until;
  do play(sample, game, !book->has_net, until, &random);
  while (!is_full(sample) && clock_now() < until && !game_failed(game));
  game_delete(game);
}

void scene_sample_free(SceneSample *sample) {
  vector_free(&sample->steps);
  vector_free(&sample->facts);
  vector_free(&sample->moves);
  vector_free(&sample->legal);
}
