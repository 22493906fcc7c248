/* Self-play teaches an evaluation: with counted budgets the same every time,
   and better than guessing the mean. */
#include "learn/selfplay.h"

#include <math.h>

#include "base/random.h"
#include "learn/learner.h"
#include "support/library.h"

static Linear *learn(TestGame *book, uint64_t seed, uint64_t moves,
                     uint64_t *targets) {
  Settings settings;
  Text error = {0};
  Fit fit;
  Budget budget = {.simulations = moves};
  assert_true(settings_parse(&settings, "tafl", &error));
  Linear *linear = linear_new(&book->rules);
  fit_init(&fit, linear, seed);
  Selfplay *selfplay = selfplay_new(&book->rules, &settings, seed);
  selfplay_learn(selfplay, &budget, &fit);
  *targets = selfplay_progress(selfplay).targets;
  selfplay_delete(selfplay);
  fit_free(&fit);
  text_free(&error);
  return linear;
}

static void test_same(void **state) {
  (void)state;
  TestGame book;
  uint64_t targets[3];
  test_game_open(&book, "connectFour", true);
  Linear *first = learn(&book, 1, 12, &targets[0]);
  Linear *second = learn(&book, 1, 12, &targets[1]);
  Linear *other = learn(&book, 2, 12, &targets[2]);
  size_t bytes = first->features.count * sizeof *first->weights;
  assert_true(targets[0] > 50);
  assert_int_equal(targets[0], targets[1]);
  assert_memory_equal(first->weights, second->weights, bytes);
  assert_memory_not_equal(first->weights, other->weights, bytes);
  evaluation_delete(&first->evaluation);
  evaluation_delete(&second->evaluation);
  evaluation_delete(&other->evaluation);
  test_game_close(&book);
}

/* ---- states that it has not seen ---- */

typedef struct Check {
  const Linear *linear;
  double error, sum, squares, count;
} Check;

static void hear(void *context, const SearchNode *node) {
  Check *check = context;
  const Evaluation *evaluation = &check->linear->evaluation;
  int32_t *sums = memory_new((evaluation->sum_count + 1) * sizeof *sums);
  float values[2];
  evaluation_begin(evaluation, node->state, sums);
  evaluation_values(evaluation, node->state, sums, NULL, values);
  memory_delete(sums);
  double found = node->role == 0 ? node->value : 100 - node->value;
  double error = (double)values[0] - found;
  check->error += error * error;
  check->sum += found;
  check->squares += found * found;
  check->count++;
}

/* Goes to a state some random moves from the beginning. */
static void wander(Search *search, Random *random, uint32_t steps) {
  search_reset(search);
  for (; steps && !game_terminal(search_game(search)); steps--) {
    Move joint[2];
    const Move *list;
    for (uint32_t role = 0; role < 2; role++) {
      uint32_t count = game_legal(search_game(search), role, &list);
      joint[role] = list[random_below(random, count)];
    }
    search_advance(search, joint);
  }
}

static void test_better(void **state) {
  (void)state;
  TestGame book;
  Random random;
  uint64_t targets;
  Budget budget = {.simulations = 2000};
  test_game_open(&book, "connectFour", true);
  Linear *linear = learn(&book, 1, 150, &targets);
  Search *search = test_game_search(&book, 0, "tafl:returns=own", 77);
  Check check = {.linear = linear};
  random_seed(&random, 5);
  for (int i = 0; i < 40; i++) {
    wander(search, &random, 8 + (uint32_t)i % 8);
    if (game_terminal(search_game(search))) continue;
    search_think(search, &budget);
    search_tell(search, 16, hear, &check);
  }
  double mean = check.sum / check.count;
  double variance = check.squares / check.count - mean * mean;
  assert_true(check.count > 100);
  assert_true(check.error / check.count < 0.8 * variance);
  search_delete(search);
  evaluation_delete(&linear->evaluation);
  test_game_close(&book);
}

/* The learner, taught by trees. */
static void test_learner(void **state) {
  (void)state;
  TestGame book;
  Settings settings;
  Text error = {0};
  test_game_open(&book, "connectFour", true);
  assert_true(settings_parse(&settings, "tafl:teacher=trees", &error));
  Learner *learner = learner_new(&book.rules, &settings, 3);
  assert_null(learner_evaluation(learner));
  learner_learn(learner, &(Budget){.simulations = 60});
  LearnerProgress progress = learner_progress(learner);
  assert_true(progress.games > 0);
  assert_true(progress.targets > 100);
  assert_true(progress.explained > 0.1 && progress.explained <= 1);
  assert_non_null(learner_evaluation(learner));
  learner_delete(learner);
  text_free(&error);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same),
                                     cmocka_unit_test(test_better),
                                     cmocka_unit_test(test_learner)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
