/* ClunePlayer's evaluation: stability, correlation and least squares with known
   answers, candidates against a count of facts, and what it makes of games. */
#include "value/clune.h"

#include <math.h>

#include "base/bits.h"
#include "base/clock.h"
#include "engine/moves.h"
#include "support/games.h"
#include "support/library.h"
#include "support/net_evaluate.h"
#include "support/random_net.h"
#include "value/candidates.h"
#include "value/model.h"

static bool close_to(double a, double b) {
  return fabs(a - b) < 1e-2 * (1 + fabs(b));
}

/* ---- the model ---- */

/* Two features in two games of four states: one climbs 0 1 2 3, one goes up and
   down. */
static void stability_is_known(void **state) {
  (void)state;
  Model model;
  model_init(&model, 2, 1, 0, 4, false);
  for (int game = 0; game < 2; game++) {
    float before[2] = {0, 0};
    for (uint32_t s = 0; s < 4; s++) {
      float x[2] = {(float)s, (float)(s % 2)};
      model_see(&model, s, x, s ? before : NULL);
      before[0] = x[0];
      before[1] = x[1];
    }
  }
  model_conclude(&model);
  assert_true(close_to(model_stability(&model, 0), 1.25));
  assert_true(close_to(model_stability(&model, 1), 0.25));
  model_free(&model);
}

/* y = 3 + 2a − b, with a feature c that has nothing to do with it. */
static void finds_weights(void **state) {
  (void)state;
  Model model;
  Random random;
  double constant, weights[3];
  const bool used[3] = {true, true, true}, first[3] = {true, false, false};
  random_seed(&random, 1);
  model_init(&model, 3, 1, 0, 1, true);
  for (int i = 0; i < 5000; i++) {
    float x[3];
    for (int f = 0; f < 3; f++) x[f] = (float)random_below(&random, 10);
    float before[3] = {x[0], x[1], x[2] + 1};
    if (i % 2) before[0] += 1, before[1] -= 1;
    model_see(&model, 0, x, before);
    model_tell(&model, 0, 0, x, 3 + 2 * (double)x[0] - (double)x[1]);
  }
  model_conclude(&model);
  double explained = model_fit(&model, 0, used, &constant, weights);
  assert_true(explained > 0.97);
  assert_true(fabs(weights[0] - 2) < 0.05 && fabs(weights[1] + 1) < 0.05);
  assert_true(fabs(weights[2]) < 0.05 && fabs(constant - 3) < 0.3);
  assert_true(model_correlation(&model, 0, 0) > 0.8);
  assert_true(fabs(model_correlation(&model, 0, 2)) < 0.05);
  model_fit(&model, 0, first, &constant, weights);
  assert_true(weights[1] == 0 && weights[2] == 0);
  model_free(&model);
}

/* Within levels, a feature that grows with the level and is a little larger for
   those who win says who wins; over all states it hardly does. */
static void compares_within_levels(void **state) {
  (void)state;
  Model model;
  model_init(&model, 1, 2, 1, 50, false);
  for (uint32_t game = 0; game < 2; game++)
    for (uint32_t s = 0; s < 50; s++) {
      float x = (float)(10 * s + game);
      model_see(&model, s, &x, NULL);
      model_tell(&model, 0, s, &x, 100 * game);
      model_tell(&model, 1, s, &x, 100 * game);
    }
  model_conclude(&model);
  assert_true(close_to(model_correlation(&model, 0, 0), 1));
  assert_true(model_correlation(&model, 1, 0) < 0.1);
  model_free(&model);
}

/* ---- partial solutions ---- */

/* Degree 1 is truth, also with recursion. */
static void degree_of_what_is_true(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 4);
  for (uint32_t i = 0; i < 100; i++) {
    Net net;
    Terms terms;
    Cone cone;
    Degree degree;
    terms_init(&terms);
    random_net(&net, &terms, &random, i % 2);
    assert_true(cone_init(&cone, &net, &net.terminal, 1, NULL));
    degree_init(&degree, &cone);
    size_t words = bits_words(net.fluents.count) + 1;
    uint64_t *bits = memory_new(words * sizeof *bits);
    bool *fluents = memory_new(net.fluents.count + 1);
    bool *moves = memory_new(net.moves.count + 1);
    bool *values = memory_new(net.gates.count + 1);
    float *degrees = memory_new((2 * cone.gates.count + 2) * sizeof *degrees);
    for (uint32_t f = 0; f < net.fluents.count; f++) {
      fluents[f] = random_below(&random, 2);
      if (fluents[f]) bits_add(bits, f);
    }
    net_evaluate(&net, fluents, moves, values);
    degree_run(&degree, bits, degrees);
    bool truth =
        values[signal_gate(net.terminal)] != signal_negated(net.terminal);
    assert_int_equal(degrees[cone.outputs.data[0]] == 1, truth);
    memory_delete(bits);
    memory_delete(fluents);
    memory_delete(moves);
    memory_delete(values);
    memory_delete(degrees);
    degree_free(&degree);
    cone_free(&cone);
    net_free(&net);
    terms_free(&terms);
  }
}

/* ---- candidates ---- */

static uint32_t find(const Candidates *candidates, const char *name) {
  for (uint32_t i = 0; i < candidates->list.count; i++) {
    Text text = {0};
    candidates_write(candidates, i, &text);
    bool same = strcmp(text.bytes, name) == 0;
    text_free(&text);
    if (same) return i;
  }
  fail_msg("no candidate %s", name);
  return 0;
}

static void counts_facts(void **state) {
  (void)state;
  TestGame book;
  Candidates candidates;
  const uint64_t *words;
  test_game_open(&book, "breakthrough", true);
  candidates_init(&candidates, book_analysis(&book.rules));
  float *values = memory_new(candidates.list.count * sizeof *values);
  Game *game = book_game(&book.rules);
  game_state(game, &words);
  candidates_values(&candidates, words, true, values);
  /* two ranks of eight pawns each, on 1 and 2 and on 7 and 8 */
  assert_true(values[find(&candidates, "(cell ? ? white)")] == 16);
  assert_true(values[find(&candidates, "(cell ? 7 black)")] == 8);
  assert_true(values[find(&candidates, "(cell ? ? white) along argument 2")] ==
              8);
  assert_true(values[find(&candidates, "(cell ? ? black) along argument 2")] ==
              104);
  float part = values[find(&candidates, "part of (goal white 100)")];
  assert_true(part > 0 && part < 1);
  assert_true(candidates.list.count < CANDIDATES_MOST + 8);
  game_delete(game);
  memory_delete(values);
  candidates_free(&candidates);
  test_game_close(&book);
}

/* ---- games ---- */

static float first_value(const Evaluation *evaluation, const uint64_t *state) {
  int32_t sums[32];
  float values[8];
  evaluation_begin(evaluation, state, sums);
  evaluation_values(evaluation, state, sums, NULL, values);
  return values[0];
}

/* Sums brought up to date are those made anew, values lie within the goals, and
   the same seed gives the same evaluation. */
static void check_game(const char *name, uint64_t states) {
  TestGame book;
  Random random;
  Budget budget = {.states = states};
  random_seed(&random, 5);
  test_game_open(&book, name, true);
  Evaluation *evaluation = clune_new(&book.rules, &budget, 7);
  Evaluation *again = clune_new(&book.rules, &budget, 7);
  Game *game = book_game(&book.rules);
  int32_t sums[32], anew[32];
  uint64_t before[256];
  const uint64_t *words;
  float values[8], least = 1000, most = -1;
  assert_in_range(evaluation->sum_count, 1, 32);
  uint32_t count = game_state(game, &words);
  assert_in_range(count, 1, 256);
  evaluation_begin(evaluation, words, sums);
  for (uint32_t step = 0; step < 60 && !game_terminal(game); step++) {
    Move joint[8];
    uint32_t legal[8];
    const Move *moves;
    for (uint32_t r = 0; r < game->role_count; r++) {
      legal[r] = game_legal(game, r, &moves);
      joint[r] = moves_random(game, r, &random);
    }
    game_state(game, &words);
    memcpy(before, words, count * sizeof *before);
    evaluation_begin(evaluation, words, anew);
    assert_memory_equal(sums, anew, evaluation->sum_count * sizeof *sums);
    evaluation_values(evaluation, words, sums, legal, values);
    for (uint32_t r = 0; r < game->role_count; r++)
      assert_true(values[r] >= 0 && values[r] <= 100);
    assert_true(first_value(evaluation, words) == first_value(again, words));
    if (values[0] < least) least = values[0];
    if (values[0] > most) most = values[0];
    game_make(game, joint);
    game_state(game, &words);
    evaluation_update(evaluation, before, words, sums);
  }
  assert_true(most > least);
  game_delete(game);
  evaluation_delete(evaluation);
  evaluation_delete(again);
  test_game_close(&book);
}

static void evaluates_games(void **state) {
  (void)state;
  check_game("breakthrough", 10000);
  check_game("connectFour", 10000);
  check_game("skirmish", 3000);
  check_game("hex", 3000);
}

static void make(Game *game, const char *first, const char *second) {
  Move joint[2];
  assert_true(moves_find(game, 0, first, &joint[0]));
  assert_true(moves_find(game, 1, second, &joint[1]));
  game_make(game, joint);
}

/* A pawn that has gone far and taken another is worth something. */
static void sees_what_is_better(void **state) {
  (void)state;
  TestGame book;
  const uint64_t *words;
  Budget budget = {.states = 40000};
  Text text = {0};
  test_game_open(&book, "breakthrough", true);
  Evaluation *evaluation = clune_new(&book.rules, &budget, 1);
  Game *game = book_game(&book.rules);
  game_state(game, &words);
  float first = first_value(evaluation, words);
  make(game, "(move 1 2 1 3)", "noop");
  make(game, "noop", "(move 8 7 8 6)");
  make(game, "(move 1 3 1 4)", "noop");
  make(game, "noop", "(move 7 7 7 6)");
  make(game, "(move 1 4 1 5)", "noop");
  make(game, "noop", "(move 6 7 6 6)");
  make(game, "(move 1 5 1 6)", "noop");
  make(game, "noop", "(move 5 7 5 6)");
  make(game, "(move 1 6 2 7)", "noop"); /* takes, and stands before the end */
  game_state(game, &words);
  assert_true(first_value(evaluation, words) > first + 5);
  evaluation->operations->write(evaluation, &text);
  assert_non_null(strstr(text.bytes, "payoff of white"));
  assert_non_null(strstr(text.bytes, "stability"));
  text_free(&text);
  game_delete(game);
  evaluation_delete(evaluation);
  test_game_close(&book);
}

/* ---- limits ---- */

typedef struct Attempt {
  Book *book;
  Evaluation *made;
} Attempt;

static void attempt(void *context) {
  Attempt *own = context;
  Budget budget = {.states = (uint64_t)1 << 40};
  own->made = clune_new(own->book, &budget, 1);
}

/* A flag or a deadline ends the games; what never ends says nothing. */
static void is_stopped(void **state) {
  (void)state;
  TestGame book;
  atomic_bool stop = true;
  const uint64_t *words;
  Budget budget = {.states = (uint64_t)1 << 40, .stop = &stop};
  test_game_open(&book, "connectFour", true);
  Evaluation *evaluation = clune_new(&book.rules, &budget, 1);
  Game *game = book_game(&book.rules);
  game_state(game, &words);
  float value = first_value(evaluation, words);
  assert_true(value >= 0 && value <= 100);
  evaluation_delete(evaluation);
  game_delete(game);
  Attempt tried = {.book = &book.rules};
  assert_false(
      trial_run_until((size_t)64 << 20, clock_now() + 0.05, attempt, &tried));
  test_game_close(&book);
  test_game_open(&book, "connectFour", false);
  assert_null(clune_new(&book.rules, &budget, 1));
  test_game_close(&book);
}

static void endless_games_end(void **state) {
  (void)state;
  Description description;
  Book book;
  BookLimits limits = games_limits();
  Budget budget = {.states = 3000};
  const uint64_t *words;
  games_read(&description, GAME_ENDLESS);
  book_init(&book, &description, &limits, true);
  Evaluation *evaluation = clune_new(&book, &budget, 1);
  Game *game = book_game(&book);
  game_state(game, &words);
  float value = first_value(evaluation, words);
  assert_true(value >= 0 && value <= 100);
  game_delete(game);
  evaluation_delete(evaluation);
  book_free(&book);
  description_free(&description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stability_is_known),
      cmocka_unit_test(finds_weights),
      cmocka_unit_test(compares_within_levels),
      cmocka_unit_test(degree_of_what_is_true),
      cmocka_unit_test(counts_facts),
      cmocka_unit_test(evaluates_games),
      cmocka_unit_test(sees_what_is_better),
      cmocka_unit_test(is_stopped),
      cmocka_unit_test(endless_games_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
