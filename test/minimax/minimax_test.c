/* The second mind against its twin, a plain minimax without pruning that makes
   every value anew; and what it must do in a match. */
#include "minimax/minimax.h"

#include "base/random.h"
#include "engine/moves.h"
#include "minimax/parts.h"
#include "support/library.h"
#include "value/linear.h"

/* ---- shorthand ---- */

static Minimax *open_mind(TestGame *book, uint32_t role, const char *agent,
                          uint64_t seed) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, agent, &error))
    fail_msg("%s", text_string(&error));
  if (settings.memory > 16) settings.memory = 16;
  assert_true(minimax_plays(&book->rules));
  return minimax_new(&book->rules, role, &settings, seed);
}

/* An evaluation with random weights. */
static Linear *random_linear(TestGame *book, uint64_t seed) {
  Linear *linear = linear_new(&book->rules);
  Random random;
  random_seed(&random, seed);
  for (uint32_t row = 0; row < linear->rows; row++)
    for (uint32_t i = 0; i < linear->features.count; i++)
      linear_row(linear, row)[i] =
          (float)random_below(&random, 2001) / 2000 - 0.5f;
  linear_freeze(linear);
  return linear;
}

static void play_random(Minimax *minimax, uint32_t steps, uint64_t seed) {
  Game *game = minimax_game(minimax);
  Random random;
  random_seed(&random, seed);
  minimax_reset(minimax);
  for (uint32_t i = 0; i < steps; i++) {
    Move joint[RULE_ROLES];
    for (uint32_t role = 0; role < game->role_count; role++)
      joint[role] = moves_random(game, role, &random);
    minimax_advance(minimax, joint);
    if (game_terminal(game)) minimax_reset(minimax);
  }
}

/* ---- the twin ---- */

typedef struct Twin {
  Game *game;
  const Scale *scale;
  const Evaluation *evaluation;
} Twin;

static Score twin_end(const Twin *twin, uint32_t ply) {
  float goals[RULE_ROLES];
  for (uint32_t role = 0; role < twin->game->role_count; role++)
    goals[role] = (float)game_goal(twin->game, role);
  return scale_end(twin->scale, goals, ply);
}

static Score twin_value(const Twin *twin) {
  int32_t sums[64];
  float values[RULE_ROLES];
  const uint64_t *words;
  game_state(twin->game, &words);
  assert_true(twin->evaluation->sum_count <= 64);
  evaluation_begin(twin->evaluation, words, sums);
  evaluation_values(twin->evaluation, words, sums, NULL, values);
  return scale_values(twin->scale, values);
}

static Score twin_search(const Twin *twin, uint32_t ply, uint32_t depth) {
  Move joint[RULE_ROLES], list[512];
  const Move *moves;
  if (game_terminal(twin->game)) return twin_end(twin, ply);
  if (!depth) return twin_value(twin);
  Turn turn = turn_of(twin->game);
  uint32_t mover = turn.movers ? turn.role : 0;
  for (uint32_t role = 0; role < twin->game->role_count; role++) {
    game_legal(twin->game, role, &moves);
    joint[role] = moves[0];
  }
  uint32_t count = game_legal(twin->game, mover, &moves);
  bool own = mover == twin->scale->role || !turn.movers;
  Score best = own ? -SCORE_INFINITE : SCORE_INFINITE;
  assert_true(count <= LENGTH(list));
  memcpy(list, moves, count * sizeof *moves);
  for (uint32_t i = 0; i < count; i++) {
    joint[mover] = list[i];
    game_make(twin->game, joint);
    Score score = twin_search(twin, ply + 1, depth - 1);
    game_retract(twin->game);
    if (own ? score > best : score < best) best = score;
  }
  return best;
}

/* Compares the values of states at several depths, and the move chosen. */
static void compare(const char *name, uint32_t depth, uint32_t positions) {
  TestGame book;
  test_game_open(&book, name, true);
  for (uint32_t i = 0; i < positions; i++) {
    uint32_t role = i % book.rules.net.role_count;
    Minimax *minimax = open_mind(&book, role, "minimax:quiet=0,reduce=0", i);
    Linear *linear = random_linear(&book, i + 1);
    Twin twin = {book_game(&book.rules), &minimax->scale, &linear->evaluation};
    minimax_set_evaluation(minimax, &linear->evaluation);
    play_random(minimax, 3 * i % 13, i + 7);
    for (uint32_t d = 1; d <= depth; d++) {
      minimax_limit_depth(minimax, d);
      minimax_think(minimax, &(Budget){0});
      game_enter(twin.game, minimax->root_state.data, minimax->words);
      assert_int_equal(minimax->score, twin_search(&twin, 0, d));
      const MinimaxReport *report = minimax_report(minimax);
      assert_true(report->proven || report->depth == d);
      if (report->proven) break;
    }
    minimax_delete(minimax);
    game_delete(twin.game);
    evaluation_delete(&linear->evaluation);
  }
  test_game_close(&book);
}

static void test_twin_small(void **state) {
  (void)state;
  compare("ticTacToe", 6, 8);
  compare("connectFour", 5, 6);
}

static void test_twin_breakthrough(void **state) {
  (void)state;
  compare("breakthrough", 3, 8);
}

static void test_twin_checkers(void **state) {
  (void)state;
  compare("checkers", 4, 6);
}

/* All others against one. */
static void test_twin_paranoid(void **state) {
  (void)state;
  compare("chineseCheckers4", 3, 4);
}

/* ---- values ---- */

static void test_tictactoe_is_drawn(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  Minimax *minimax = open_mind(&book, 0, "minimax", 1);
  minimax_think(minimax, &(Budget){0});
  const MinimaxReport *report = minimax_report(minimax);
  assert_true(report->proven);
  assert_true(report->value == 50);
  assert_int_equal(report->moves.data[0].line_steps, 9);
  minimax_delete(minimax);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_twin_small),
      cmocka_unit_test(test_twin_breakthrough),
      cmocka_unit_test(test_twin_checkers),
      cmocka_unit_test(test_twin_paranoid),
      cmocka_unit_test(test_tictactoe_is_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
