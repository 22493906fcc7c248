/* Learning on small games: what is found, how much is spent, and that a seed
   gives the same weights. */
#include "learn/learner.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/clock.h"
#include "support/games.h"
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

static float weight(Learner *learner, const char *name) {
  Linear *linear = learner_linear(learner);
  for (uint32_t i = 0; i < linear->features.count; i++) {
    Text text = {0};
    linear_name(linear, i, &text);
    bool found = !strcmp(text_string(&text), name);
    text_free(&text);
    if (found) return linear_row(linear, 0)[i];
  }
  fail_msg("no feature %s", name);
  return 0;
}

static void test_signs(void **state) {
  (void)state;
  Learner *learner = start(&game.rules, 1);
  learner_learn(learner, &(Budget){.simulations = 20000});
  assert_true(weight(learner, "kind (cell _ _ white)") > 0.05f);
  assert_true(weight(learner, "kind (cell _ _ black)") < -0.05f);
  assert_true(learner_progress(learner).explained > 0.01);
  assert_non_null(learner_evaluation(learner));
  learner_delete(learner);
}

static void test_same_seed(void **state) {
  (void)state;
  Learner *once = start(&game.rules, 7), *twice = start(&game.rules, 7);
  Learner *other = start(&game.rules, 8);
  for (int i = 0; i < 4; i++) {
    learner_learn(once, &(Budget){.simulations = 1500});
    learner_learn(twice, &(Budget){.simulations = 1500});
    learner_learn(other, &(Budget){.simulations = 1500});
  }
  Linear *linear = learner_linear(once);
  size_t size = (size_t)linear->rows * linear->features.count * sizeof(float);
  assert_memory_equal(linear->weights, learner_linear(twice)->weights, size);
  assert_int_not_equal(
      memcmp(linear->weights, learner_linear(other)->weights, size), 0);
  learner_delete(once);
  learner_delete(twice);
  learner_delete(other);
}

static void test_budget(void **state) {
  (void)state;
  Learner *learner = start(&game.rules, 1);
  atomic_bool stop = true;
  learner_learn(learner, &(Budget){.stop = &stop});
  assert_int_equal(learner_progress(learner).games, 0);
  assert_null(learner_evaluation(learner));
  /* 512 games are played at once: budgets are exceeded by some of them. */
  learner_learn(learner, &(Budget){.simulations = 3});
  assert_in_range(learner_progress(learner).games, 3, 1000);
  uint64_t before = learner_progress(learner).states;
  learner_learn(learner, &(Budget){.states = 100000});
  uint64_t states = learner_progress(learner).states - before;
  assert_in_range(states, 100000, 130000);
  double start = clock_now();
  learner_learn(learner, &(Budget){.seconds = 0.1});
  assert_true(clock_now() - start < 5);
  assert_true(learner_progress(learner).states > before + states);
  learner_delete(learner);
}

/* Learning on lowers the error in games that were not learned from. */
static void test_progress(void **state) {
  (void)state;
  Learner *learner = start(&game.rules, 3);
  learner_learn(learner, &(Budget){.simulations = 2000});
  double before = learner_progress(learner).explained;
  for (int i = 0; i < 3; i++)
    learner_learn(learner, &(Budget){.simulations = 10000});
  assert_true(learner_progress(learner).explained > before + 0.01);
  /* the roles are alike */
  assert_true(weight(learner, "kind (cell _ _ white)") ==
              -weight(learner, "kind (cell _ _ black)"));
  Text text = {0};
  learner_write(learner, &text);
  assert_non_null(strstr(text_string(&text), "games"));
  text_free(&text);
  learner_delete(learner);
}

/* From a state in which white has lost all pieces but one, it is known to be
   behind. */
static void test_from(void **state) {
  (void)state;
  Learner *learner = start(&game.rules, 5);
  Game *position = book_game(&game.rules);
  uint64_t words[64];
  const uint64_t *now;
  uint32_t count = game_state(position, &now), removed = 0;
  memcpy(words, now, count * sizeof *now);
  for (uint32_t f = 0; f < game.rules.net.fluents.count && removed < 15; f++) {
    Text text = {0};
    term_write(game_terms(position), game.rules.net.fluents.data[f].term,
               &text);
    if (bits_has(words, f) && strstr(text_string(&text), "cell") &&
        strstr(text_string(&text), "white")) {
      bits_flip(words, f);
      removed++;
    }
    text_free(&text);
  }
  assert_int_equal(removed, 15);
  for (int i = 0; i < 4; i++)
    learner_learn_from(learner, &(Budget){.simulations = 3000}, words);
  Linear *linear = learner_linear(learner);
  int32_t sums[RULE_ROLES];
  float values[RULE_ROLES];
  evaluation_begin(&linear->evaluation, words, sums);
  evaluation_values(&linear->evaluation, words, sums, NULL, values);
  assert_true(values[0] < 45);
  learner_learn(learner, &(Budget){.simulations = 1000});
  game_delete(position);
  learner_delete(learner);
}

/* Two simultaneous choices without a board: what x chose decides. */
static void test_no_board(void **state) {
  (void)state;
  Description description;
  Book book;
  BookLimits limits = games_limits();
  games_read(
      &description,
      "(role x) (role y) (init (step 0)) (succ 0 1) (succ 1 2)"
      "(succ 2 3) (<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))"
      "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
      "(<= (next (good ?r)) (does ?r a) (true (step 0)))"
      "(<= (next (good ?r)) (true (good ?r)))"
      "(<= terminal (true (step 3)))"
      "(<= (goal ?r 100) (true (good ?r)))"
      "(<= (goal ?r 30) (role ?r) (not (true (good ?r))))");
  book_init(&book, &description, &limits, true);
  assert_true(book.has_net);
  Learner *learner = start(&book, 1);
  assert_non_null(learner);
  for (int i = 0; i < 3; i++)
    learner_learn(learner, &(Budget){.simulations = 10000});
  assert_true(learner_progress(learner).explained > 0.3);
  assert_int_equal(learner_linear(learner)->rows, 2);
  assert_true(weight(learner, "(good x)") > 0.5f);
  learner_delete(learner);
  book_free(&book);
  description_free(&description);
}

/* Whatever is chosen, the goals are the same: nothing can be learned. */
static void test_nothing(void **state) {
  (void)state;
  Description description;
  Book book;
  BookLimits limits = games_limits();
  games_read(&description,
             "(role x) (role y) (init (step 0)) (succ 0 1) (succ 1 2)"
             "(<= (legal ?r a) (role ?r)) (<= (legal ?r b) (role ?r))"
             "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))"
             "(<= (next (said ?r ?m)) (does ?r ?m))"
             "(<= terminal (true (step 2)))"
             "(<= (goal ?r 100) (role ?r) (true (said x a)))"
             "(<= (goal ?r 0) (role ?r) (true (said x b)))");
  book_init(&book, &description, &limits, true);
  Learner *learner = start(&book, 1);
  if (learner) {
    learner_learn(learner, &(Budget){.simulations = 20000});
    assert_null(learner_evaluation(learner));
    learner_delete(learner);
  }
  book_free(&book);
  description_free(&description);
}

/* The pieces of chess come in their order, for both colours, after as many
   states as one thread makes in 20 s. */
static void test_chess(void **state) {
  (void)state;
  const char *shared = getenv("SHARED");
  char path[512];
  Description description;
  Book book;
  Text error = {0};
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30},
                       .rules = {.memory = (size_t)64 << 20}};
  snprintf(path, sizeof path, "%s/chess_200.kif",
           shared ? shared : "../shared/games");
  if (!unit_long() || !description_read(&description, path, 1 << 20, &error)) {
    text_free(&error);
    skip();
  }
  book_init(&book, &description, &limits, true);
  for (uint64_t seed = 1; seed <= 2; seed++) {
    Learner *learner = start(&book, seed);
    learner_learn(learner, &(Budget){.states = 45000000});
    for (int colour = 0; colour < 2; colour++) {
      static const char *const pieces[] = {"queen", "rook", "bishop", "knight",
                                           "pawn"};
      float worth[5];
      for (int i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, "kind (cell _ _ %s %s)",
                 colour ? "black" : "white", pieces[i]);
        worth[i] = weight(learner, name) * (colour ? -1 : 1);
      }
      assert_true(worth[0] > worth[1]);
      assert_true(worth[1] > worth[2] && worth[1] > worth[3]);
      assert_true(worth[2] > worth[4] && worth[3] > worth[4]);
      assert_true(worth[4] > 0);
    }
    learner_delete(learner);
  }
  book_free(&book);
  description_free(&description);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_signs),   cmocka_unit_test(test_same_seed),
      cmocka_unit_test(test_budget),  cmocka_unit_test(test_progress),
      cmocka_unit_test(test_from),    cmocka_unit_test(test_no_board),
      cmocka_unit_test(test_nothing), cmocka_unit_test(test_chess),
  };
  return cmocka_run_group_tests(tests, open_game, close_game);
}
