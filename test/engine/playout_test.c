/* Random games and their traces: how they end, how many steps they take, that
   moves are chosen evenly, the sums of a summary, and the text of a trace. */
#include "engine/playout.h"

#include "engine/trace.h"
#include "support/play.h"

/* Counts to three; each step one of three moves, the last of which is the
   goal. */
static const char counting[] =
    "(role r) (role s) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)"
    "(legal r (say 10)) (legal r (say 20)) (legal r (say 60)) (legal s noop)"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
    "(<= (next (said ?x)) (does r (say ?x)))"
    "(<= terminal (true (step 3))) (<= (goal r ?x) (true (said ?x)))"
    "(goal s 50)";

static void test_run_to_the_end(void **state) {
  (void)state;
  Description description;
  Random random;
  uint32_t steps, stuck;
  Game *game = play_open(&description, counting);
  random_seed(&random, 1);
  assert_int_equal(playout_run(game, &random, 100, &steps, &stuck),
                   PLAYOUT_ENDED);
  assert_int_equal(steps, 3);
  assert_true(game_terminal(game));
  assert_int_equal(playout_run(game, &random, 100, &steps, &stuck),
                   PLAYOUT_ENDED);
  assert_int_equal(steps, 0);
  for (int i = 0; i < 3; i++) game_retract(game);
  expect_facts(game, "(step 0)");
  assert_int_equal(game->statistics.states, 3);
  play_close(game);
}

static void test_step_limit(void **state) {
  (void)state;
  Description description;
  Random random;
  uint32_t steps, stuck;
  Game *game = play_open(&description, counting);
  random_seed(&random, 1);
  assert_int_equal(playout_run(game, &random, 2, &steps, &stuck),
                   PLAYOUT_CUT_OFF);
  assert_int_equal(steps, 2);
  assert_int_equal(playout_run(game, &random, 1, &steps, &stuck),
                   PLAYOUT_ENDED); /* the limit's last step ends it */
  assert_int_equal(steps, 1);
  play_close(game);
}

static const char dead_end[] =
    "(role a) (role b) (role c) (<= (goal ?r 0) (role ?r)) (init (step 0))"
    "(succ 0 1) (succ 1 2) (legal a go) (<= (legal b go) (true (step 0)))"
    "(<= (legal b go) (true (step 1))) (<= (legal c go) (true (step 0)))"
    "(<= (legal c go) (true (step 1)))"
    "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
    "(<= terminal (true over))";

static void test_stuck(void **state) {
  (void)state;
  Description description;
  Random random;
  uint32_t steps, stuck = 99;
  Game *game = play_open(&description, dead_end);
  random_seed(&random, 1);
  assert_int_equal(playout_run(game, &random, 100, &steps, &stuck),
                   PLAYOUT_STUCK);
  assert_int_equal(steps, 2);
  assert_int_equal(stuck, 1); /* the first without a move */
  play_close(game);
}

static void test_summary(void **state) {
  (void)state;
  enum { GAMES = 3000 };
  Description description;
  PlayoutSummary summary;
  Game *game = play_open(&description, counting);
  playout_summary_init(&summary, 2);
  playout_many(game, 7, 0, GAMES, 100, &summary);
  assert_int_equal(summary.playouts, GAMES);
  assert_int_equal(summary.ended, GAMES);
  assert_int_equal(summary.states, 3 * GAMES);
  assert_int_equal(summary.goals_missing, 0);
  assert_true(summary.length_sum == 3.0 * GAMES);
  assert_true(summary.length_square_sum == 9.0 * GAMES);
  assert_true(summary.goal_sum[1] == 50.0 * GAMES);
  assert_true(summary.goal_square_sum[1] == 2500.0 * GAMES);
  /* 10, 20 and 60 equally often: mean 30, deviation 21.6 / sqrt(3000) = 0.4;
     and the squares, which tell them apart */
  double mean = summary.goal_sum[0] / GAMES;
  double square = summary.goal_square_sum[0] / GAMES;
  assert_true(mean > 28 && mean < 32);
  assert_true(square > 1367 - 150 && square < 1367 + 150);
  expect_facts(game, "(step 0)");
  playout_summary_free(&summary);
  play_close(game);
}

static void test_summary_of_bad_games(void **state) {
  (void)state;
  Description description;
  PlayoutSummary summary;
  Game *game = play_open(&description, dead_end);
  playout_summary_init(&summary, 3);
  playout_many(game, 7, 0, 5, 100, &summary);
  playout_many(game, 7, 0, 10, 1, &summary); /* on to ten */
  assert_int_equal(summary.stuck, 5);
  assert_int_equal(summary.cut_off, 5);
  assert_int_equal(summary.ended, 0);
  playout_summary_free(&summary);
  play_close(game);
  game =
      play_open(&description, "(role r) (legal r go) (init s) "
                              "(<= terminal (true s)) (goal r 1) (goal r 2)");
  playout_summary_init(&summary, 1);
  playout_many(game, 7, 0, 4, 100, &summary);
  assert_int_equal(summary.goals_missing, 4);
  playout_summary_free(&summary);
  play_close(game);
}

/* One seed, one series of games; another seed, another. */
static void test_seed(void **state) {
  (void)state;
  double sums[3];
  for (int i = 0; i < 3; i++) {
    Description description;
    PlayoutSummary summary;
    Game *game = play_open(&description, counting);
    playout_summary_init(&summary, 2);
    playout_many(game, i == 2 ? 8 : 7, 0, 1000, 100, &summary);
    sums[i] = summary.goal_sum[0];
    playout_summary_free(&summary);
    play_close(game);
  }
  assert_true(sums[0] == sums[1]);
  assert_true(sums[0] != sums[2]);
}

/* ---- traces ---- */

/* The trace with its hashes left out. */
static void check_trace(const char *rules, const char *moves, uint32_t limit,
                        bool fine, const char *expected) {
  Description description;
  Random random;
  Text text = {0}, plain = {0};
  TermVector script = {0};
  random_seed(&random, 1);
  Game *game = play_open(&description, rules);
  for (; *moves; moves += strcspn(moves, " "), moves += *moves == ' ') {
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(moves, " "), moves);
    vector_push(&script, front_term(&description.rules.terms, name));
  }
  assert_int_equal(trace_write(game, &random, &script, limit, NULL, &text),
                   fine);
  for (const char *c = text.bytes; *c; c++) {
    if (strncmp(c, "state ", 6) == 0) {
      const char *hash = strchr(c + 6, ' ');
      assert_int_equal(strcspn(hash + 1, "\n"), 16);
      text_add_bytes(&plain, c, (size_t)(hash - c));
      c = strchr(c, '\n');
    }
    text_add_byte(&plain, *c);
  }
  assert_string_equal(plain.bytes, expected);
  text_free(&text);
  text_free(&plain);
  vector_free(&script);
  play_close(game);
}

static const char switches[] =
    "(role b) (role a) (init (lit 10)) (init (lit 9)) (init off)"
    "(legal b stay) (<= (legal b flip) (true off)) (legal a wait)"
    "(<= (next on) (does b flip)) (<= (next off) (does b stay))"
    "(<= terminal (true on)) (goal a 5) (<= (goal b 7) (true off)) (goal b 3)";

#define OFF \
  "true off\ngoal b 3\ngoal b 7\ngoal a 5\nlegal b flip\nlegal b stay\n" \
  "legal a wait\n"

static void test_trace(void **state) {
  (void)state;
  check_trace(switches, "stay wait flip wait", 100, true,
              "roles b a\nstate 0\ntrue (lit 9)\ntrue (lit 10)\n" OFF
              "does b stay\ndoes a wait\nstate 1\n" OFF
              "does b flip\ndoes a wait\nstate 2\ntrue on\nterminal\ngoal b 3\n"
              "goal a 5\nend terminal\n");
  check_trace(switches, "stay wait stay wait", 1, true,
              "roles b a\nstate 0\ntrue (lit 9)\ntrue (lit 10)\n" OFF
              "does b stay\ndoes a wait\nstate 1\n" OFF "end step-limit\n");
  check_trace(switches, "stay flip", 5, false,
              "roles b a\nstate 0\ntrue (lit 9)\ntrue (lit 10)\n" OFF
              "end illegal a flip\n");
}

static void test_trace_stuck(void **state) {
  (void)state;
  check_trace("(role r) (role q) (goal r 0) (goal q 0) (legal r go) "
              "(<= (legal q go) (true s)) (<= terminal (true s))",
              "", 5, true,
              "roles r q\nstate 0\ngoal r 0\ngoal q 0\nlegal r go\n"
              "end stuck q\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_run_to_the_end),
      cmocka_unit_test(test_step_limit),
      cmocka_unit_test(test_stuck),
      cmocka_unit_test(test_summary),
      cmocka_unit_test(test_summary_of_bad_games),
      cmocka_unit_test(test_seed),
      cmocka_unit_test(test_trace),
      cmocka_unit_test(test_trace_stuck),
  };
  return cmocka_run_group_tests_name("playout", tests, NULL, NULL);
}
