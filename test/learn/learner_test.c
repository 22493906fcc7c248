/* Learning on small games: what is found, how much is spent, and that a seed
   gives the same weights. */
#include "learn/learner.h"

#include "support/library.h"

static TestGame game;

static int open_game(void **state) {
  (void)state;
  test_game_open(&game, "breakthrough", true);
  return 0;
}

static int close_game(void **state) {
  (void)state;
  test_game_close(&game);
  return 0;
}

static Learner *start(Book *book, uint64_t seed) {
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, "tafl", &error));
  return learner_new(book, &settings, seed);
}

/* Finds the weight of the kind whose fluents end with this piece. */
static float kind_weight(Learner *learner, const char *piece) {
  Linear *linear = learner_linear(learner);
  const Analysis *analysis = linear->analysis;
  const Terms *terms = &analysis->description->rules.terms;
  for (uint32_t i = 0; i < linear->features.count; i++) {
    const LinearFeature *feature = &linear->features.data[i];
    Text text = {0};
    if (feature->class != FEATURE_KIND) continue;
    term_write(terms, analysis->net->fluents.data[feature->first].term, &text);
    bool found = strstr(text_string(&text), piece) != NULL;
    text_free(&text);
    if (found) return linear_row(linear, 0)[i];
  }
  fail_msg("no kind of %s", piece);
  return 0;
}

static void test_signs(void **state) {
  (void)state;
  Learner *learner = start(&game.rules, 1);
  learner_learn(learner, &(Budget){.simulations = 10000});
  assert_true(kind_weight(learner, "white") > 0.02f);
  assert_true(kind_weight(learner, "black") < -0.02f);
  assert_true(learner_progress(learner).explained > 0.02);
  assert_non_null(learner_evaluation(learner));
  learner_delete(learner);
}

static void test_same_seed(void **state) {
  (void)state;
  Learner *once = start(&game.rules, 7), *parts = start(&game.rules, 7);
  Learner *other = start(&game.rules, 8);
  learner_learn(once, &(Budget){.simulations = 40});
  for (int i = 0; i < 4; i++)
    learner_learn(parts, &(Budget){.simulations = 10});
  learner_learn(other, &(Budget){.simulations = 40});
  Linear *linear = learner_linear(once);
  size_t size = (size_t)linear->rows * linear->features.count * sizeof(float);
  assert_memory_equal(linear->weights, learner_linear(parts)->weights, size);
  assert_int_not_equal(
      memcmp(linear->weights, learner_linear(other)->weights, size), 0);
  learner_delete(once);
  learner_delete(parts);
  learner_delete(other);
}

static void test_budget(void **state) {
  (void)state;
  Learner *learner = start(&game.rules, 1);
  atomic_bool stop = true;
  learner_learn(learner, &(Budget){.stop = &stop});
  assert_int_equal(learner_progress(learner).games, 0);
  assert_null(learner_evaluation(learner));
  learner_learn(learner, &(Budget){.simulations = 3});
  assert_int_equal(learner_progress(learner).games, 3);
  uint64_t before = learner_progress(learner).states;
  learner_learn(learner, &(Budget){.states = 1000});
  uint64_t states = learner_progress(learner).states - before;
  assert_in_range(states, 1000, 1300);
  learner_learn(learner, &(Budget){.seconds = 0.01});
  assert_true(learner_progress(learner).states > before + states);
  learner_delete(learner);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_signs),
      cmocka_unit_test(test_same_seed),
      cmocka_unit_test(test_budget),
  };
  return cmocka_run_group_tests(tests, open_game, close_game);
}
