/* Games that exceed limits: the engine fails with a message, stays failed, can
   still be queried and deleted, and never ends the program. Time is bounded by
   the work that limits allow, not measured. */
#include <pthread.h>

#include "base/random.h"
#include "engine/perft.h"
#include "engine/playout.h"
#include "engine/trace.h"
#include "rules/rules.h"
#include "support/play.h"

#define FRAME "(role r) (goal r 0) (<= terminal (true over)) (legal r go)"

/* Opens any text that can be read, even if its rules are not valid. */
static Game *open_any(Description *description, const char *rules,
                      RulesLimits limits) {
  Text text = {0};
  text_format(&text, "%s %s", FRAME, rules);
  front_read(description, text.bytes);
  text_free(&text);
  return rules_engine_new(description, &limits);
}

static const RulesLimits small = {.memory = (size_t)16 << 20};

/* A random game fails with these words in its message; afterwards everything
   can be queried in any order. */
static void check_fails(const char *rules, RulesLimits limits,
                        const char *words) {
  Description description;
  Random random;
  uint32_t steps, stuck;
  Game *game = open_any(&description, rules, limits);
  random_seed(&random, 1);
  playout_run(game, &random, 100000, &steps, &stuck);
  assert_true(game_failed(game));
  if (!strstr(text_string(&game->error), words))
    fail_msg("'%s' is not in '%s'", words, text_string(&game->error));
  Text before = {0};
  text_add(&before, text_string(&game->error));
  for (int i = 0; i < 2; i++) {
    const Move *moves;
    const Term *list;
    game_terminal(game);
    game_legal(game, 0, &moves);
    game_goals(game, 0, &list);
    game_facts(game, &list);
    game_make(game, &(Move){front_term(&description.rules.terms, "go")});
    game_retract(game);
    game_reset(game);
  }
  assert_string_equal(text_string(&game->error), before.bytes);
  text_free(&before);
  play_close(game);
}

static void test_terms_that_grow(void **state) {
  (void)state;
  check_fails("(init (c 0)) (<= (next (c (s ?x))) (true (c ?x)))", small,
              "nested deeper than");
}

static void test_terms_that_double(void **state) {
  (void)state;
  check_fails("(init (c 0)) (<= (next (c (f ?x ?x))) (true (c ?x)))", small,
              "symbols");
}

/* Violates the recursion restriction, but can be read. */
static void test_endless_recursion(void **state) {
  (void)state;
  check_fails("(init s) (n 0) (<= (n (s ?x)) (n ?x)) "
              "(<= (next (c ?x)) (n ?x))",
              small, "deep");
  check_fails("(init (m 0)) (<= (n ?x) (true (m ?x))) (<= (n (s ?x)) (n ?x)) "
              "(<= (legal r ?x) (n ?x))",
              small, "deep");
  check_fails("(init (m 0)) (<= (n ?x) (true (m ?x))) "
              "(<= (n ?x) (n (s ?x))) (<= (legal r go2) (n 1))",
              small, "deep");
}

/* A chain of calls, each depending on the next. */
static void add_chain(Text *text, uint32_t length) {
  text_add(text, "(init (at 0)) (<= (next win) (reach 0))");
  text_format(text, "(<= (reach %u) (true (at 0)))", length);
  text_add(text, "(<= (reach ?x) (succ ?x ?y) (reach ?y))");
  for (uint32_t i = 0; i < length; i++)
    text_format(text, "(succ %u %u)", i, i + 1);
}

static void test_deep_calls(void **state) {
  (void)state;
  Text text = {0};
  Description description;
  add_chain(&text, 1000);
  Game *game = open_any(&description, text.bytes, small);
  PLAY(game, "go");
  expect_facts(game, "win");
  play_close(game);
  text_clear(&text);
  add_chain(&text, 100000);
  RulesLimits large = {.memory = (size_t)256 << 20};
  check_fails(text.bytes, large, "recurse too deeply");
  text_free(&text);
}

/* A million answers of a million different calls. */
static void test_memory(void **state) {
  (void)state;
  Text text = {0};
  text_add(&text, "(init s)"
                  "(<= (p ?a ?b ?c ?d ?e ?f) (true s) (n ?a) (n ?b) (n ?c) "
                  "(n ?d) (n ?e) (n ?f))"
                  "(<= (next (q ?a ?b ?c)) (p ?a ?b ?c ?d ?e ?f))");
  for (int i = 0; i < 10; i++) text_format(&text, "(n %d)", i);
  check_fails(text.bytes, small, "more than 16 MiB");
  text_free(&text);
}

/* New terms count as memory too. */
static void test_memory_of_terms(void **state) {
  (void)state;
  Text text = {0};
  text_add(&text, "(init s) (<= (next (t (f ?a ?b) (g ?c ?d) (h ?e ?f))) (n ?a)"
                  "(n ?b) (n ?c) (n ?d) (n ?e) (n ?f))");
  for (int i = 0; i < 12; i++) text_format(&text, "(n %d)", i);
  check_fails(text.bytes, small, "more than 16 MiB");
  text_free(&text);
}

static void test_time(void **state) {
  (void)state;
  Text text = {0};
  text_add(&text, "(init s) "
                  "(<= (next lost) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f)"
                  "(n ?g) (n ?h) (distinct (f ?a ?b ?c ?d ?e ?f ?g ?h) "
                  "(f ?a ?b ?c ?d ?e ?f ?g ?h)))");
  for (int i = 0; i < 30; i++) text_format(&text, "(n %d)", i);
  RulesLimits limits = {.memory = (size_t)512 << 20, .seconds = 0.05};
  check_fails(text.bytes, limits, "--state-seconds");
  text_free(&text);
}

/* What depends on itself through negation is refused by the checker; played all
   the same, it fails instead of giving an answer. */
static void test_negative_recursion(void **state) {
  (void)state;
  check_fails("(init s) (<= p (true s) (not q)) (<= q (true s) (not p)) "
              "(<= (next a) p)",
              small, "negation");
}

/* A static predicate too large to evaluate in advance is evaluated as needed,
   and the game goes on. */
static void test_large_static_predicate(void **state) {
  (void)state;
  Text text = {0};
  Description description;
  text_add(&text, "(init s) (<= (big ?a ?b ?c ?d ?e ?f) (n ?a) (n ?b) (n ?c) "
                  "(n ?d) (n ?e) (n ?f)) (<= (next yes) (big 1 2 3 4 5 6))"
                  "(<= (next no) (big 1 2 3 4 5 60))"
                  "(<= (next (two ?x)) (big 1 2 3 4 5 ?x) (few ?x))"
                  "(few 7) (few 70)");
  for (int i = 0; i < 40; i++) text_format(&text, "(n %d)", i);
  Game *game = open_any(&description, text.bytes, small);
  PLAY(game, "go");
  expect_facts(game, "(two 7) yes");
  play_close(game);
  text_free(&text);
}

/* ---- playouts and traces of games that fail ---- */

static const char growing[] =
    "(init (c 0)) (<= (next (c (s ?x))) (true (c ?x)))";

static void test_perft_of_a_failing_game(void **state) {
  (void)state;
  Description description;
  Game *game = open_any(&description, growing, small);
  perft_count(game, 5000);
  assert_true(game_failed(game));
  play_close(game);
}

static void test_trace_of_a_failing_game(void **state) {
  (void)state;
  Description description;
  Random random;
  Text text = {0};
  TermVector script = {0};
  random_seed(&random, 1);
  Game *game = open_any(&description, growing, small);
  assert_false(trace_write(game, &random, &script, 5000, NULL, &text));
  Text last = {0};
  text_format(&last, "\nend failed %s\n", text_string(&game->error));
  assert_true(text.length > last.length);
  assert_string_equal(text.bytes + text.length - last.length, last.bytes);
  text_free(&last);
  text_free(&text);
  play_close(game);
}

static void test_playouts_of_a_failing_game(void **state) {
  (void)state;
  Description description;
  PlayoutSummary summary;
  Game *game = open_any(&description, growing, small);
  playout_summary_init(&summary, game->role_count);
  playout_many(game, 1, 0, 10, 100000, &summary);
  assert_int_equal(summary.playouts, 1);
  assert_int_equal(summary.ended + summary.cut_off + summary.stuck, 0);
  playout_summary_free(&summary);
  play_close(game);
}

static void *play_deep(void *context) {
  check_fails(context, small, "too deeply");
  return NULL;
}

/* A thread with little stack; the asserts above end the program, not it. */
static void test_small_stack(void **state) {
  (void)state;
  Text rules = {0};
  for (int i = 0; i < 20000; i++)
    text_format(&rules, "(<= (p%d ?x) (p%d ?x)) ", i, i + 1);
  text_add(&rules, "(<= (p20000 a) (true s)) (init s) (<= terminal (p0 a))");
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 512 << 10);
  assert_int_equal(pthread_create(&thread, &attributes, play_deep, rules.bytes),
                   0);
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
  text_free(&rules);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_terms_that_grow),
      cmocka_unit_test(test_terms_that_double),
      cmocka_unit_test(test_endless_recursion),
      cmocka_unit_test(test_deep_calls),
      cmocka_unit_test(test_small_stack),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_memory_of_terms),
      cmocka_unit_test(test_time),
      cmocka_unit_test(test_negative_recursion),
      cmocka_unit_test(test_large_static_predicate),
      cmocka_unit_test(test_perft_of_a_failing_game),
      cmocka_unit_test(test_trace_of_a_failing_game),
      cmocka_unit_test(test_playouts_of_a_failing_game),
  };
  return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
