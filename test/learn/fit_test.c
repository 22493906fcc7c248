/* The fit on targets that known weights made, and on games at once. */
#include "learn/fit.h"

#include <math.h>

#include "base/bits.h"
#include "learn/harvest.h"
#include "support/library.h"

static TestGame game;

static int open_game(void **state) {
  (void)state;
  test_game_open(&game, "ticTacToe", true);
  return 0;
}

static int close_game(void **state) {
  (void)state;
  test_game_close(&game);
  return 0;
}

/* Random sets of fluents stand for states; each wins with the chance that one
   weight, of a single fluent, gives it. Everything but fluents is left out, so
   that the weight cannot hide in other features. */
static void test_recovers(void **state) {
  (void)state;
  Linear *linear = linear_new(&game.rules);
  linear->classes = 1u << FEATURE_FLUENT;
  uint32_t words = linear->evaluation.words, known = 0;
  uint32_t fluents = game.rules.net.fluents.count;
  for (uint32_t f = 0; f < fluents; f++)
    if (linear->of_fluent[f]) known = f;
  Fit fit;
  fit_init(&fit, linear, 1);
  Random random;
  random_seed(&random, 2);
  for (int i = 0; i < 200000; i++) {
    uint64_t row[8] = {0};
    for (uint32_t f = 0; f < fluents; f++)
      if (random_below(&random, 4) == 0) bits_add(row, f);
    double chance = 1 / (1 + exp(bits_has(row, known) ? -1.5 : 0.5));
    float targets[RULE_ROLES];
    for (uint32_t r = 0; r < linear->rows; r++)
      targets[r] = random_below(&random, 1000000) < chance * 1e6 ? 1 : 0;
    fit_shuffle(&fit, row, targets, 1);
  }
  fit_publish(&fit);
  uint64_t with[8] = {0};
  assert_true(words <= 8);
  bits_add(with, known);
  float *weights = linear_row(linear, 0);
  for (uint32_t f = 0; f < fluents; f++) {
    if (!linear->of_fluent[f] || f == known) continue;
    assert_true(weights[linear->of_fluent[f] - 1] <
                weights[linear->of_fluent[known] - 1] - 0.5f);
  }
  assert_true(weights[linear->of_fluent[known] - 1] > 0.7f);
  assert_true(fit_predict(&fit, with, 0) > 0.6f);
  fit_free(&fit);
  evaluation_delete(&linear->evaluation);
}

typedef struct Heard {
  Game *game;
  uint64_t states, last;
} Heard;

/* States are no ends, and belong to games with goals that add up. */
static void hear(void *context, uint64_t number, const uint64_t *row,
                 const int *goals) {
  Heard *heard = context;
  game_enter(heard->game, row, game.rules.words);
  assert_false(game_terminal(heard->game));
  const Move *moves;
  assert_true(game_legal(heard->game, 0, &moves) > 0);
  assert_int_equal(goals[0] + goals[1], 100);
  assert_true(number >= heard->last);
  heard->last = number;
  heard->states++;
}

static void test_harvest(void **state) {
  (void)state;
  Settings settings;
  Text error = {0};
  Heard heard = {.game = book_game(&game.rules)};
  assert_true(settings_parse(&settings, "tafl", &error));
  Harvest *harvest = harvest_new(&game.rules, &settings, 1, hear, &heard);
  assert_non_null(harvest);
  for (int i = 0; i < 100; i++) harvest_run(harvest);
  assert_true(heard.states > 500);
  assert_true(harvest_games(harvest) > 500);
  assert_true(harvest_states(harvest) > 2 * harvest_games(harvest));
  /* from a state after one move, too */
  Move joint[2];
  const Move *moves;
  const uint64_t *words;
  game_reset(heard.game);
  for (uint32_t role = 0; role < 2; role++) {
    game_legal(heard.game, role, &moves);
    joint[role] = moves[0];
  }
  game_make(heard.game, joint);
  uint64_t start[8];
  uint32_t count = game_state(heard.game, &words);
  memcpy(start, words, count * sizeof *words);
  harvest_from(harvest, start);
  uint64_t before = heard.states;
  for (int i = 0; i < 100; i++) harvest_run(harvest);
  assert_true(heard.states > before + 500);
  harvest_delete(harvest);
  game_delete(heard.game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recovers),
      cmocka_unit_test(test_harvest),
  };
  return cmocka_run_group_tests(tests, open_game, close_game);
}
