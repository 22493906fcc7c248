/* Match processes. Every move that one publishes is checked by another engine;
   the steps that it reports must be those that were made. */
#include "player/child.h"

#include <jansson.h>

#include "gdl/description.h"

static char *read_game(const char *path) {
  Text text = {0}, error = {0};
  if (!text_read_file(&text, path, 1 << 24, &error)) {
    text_free(&error);
    return NULL;
  }
  return text.bytes;
}

static void expect_note(const Child *child, const char *part) {
  if (!strstr(text_string(&child->notes), part))
    fail_msg("'%s' is not in: %s", part, text_string(&child->notes));
}

static void expect_history(const Child *child, uint32_t steps,
                           const char *last) {
  assert_int_equal(child->history.count, steps);
  if (steps)
    assert_string_equal(text_string(&vector_last(&child->history)), last);
}

/* Plays a whole match; the process is killed at every `killed`th step. */
static void play_match(Child *child, double seconds, uint32_t killed) {
  Text lines = {0};
  double worst_first = 0, worst_late = -1;
  uint32_t step = 0;
  child_open(child);
  CHILD_UNTIL(child, child->ready);
  for (; step < 40 && !game_terminal(child->referee); step++) {
    bool again = killed && step % killed == killed - 1;
    if (again) {
      child_kill(child);
      child_start(child);
    }
    child_ask(child, LINK_PLAY, text_string(&lines), seconds);
    expect_history(child, step, text_string(&lines));
    if (child->first > worst_first) worst_first = child->first;
    if (child->last - seconds > worst_late) worst_late = child->last - seconds;
    if (again) { /* the step was reported: a replacement replays it */
      child_kill(child);
      child_start(child);
      child_ask(child, LINK_AGAIN, "", seconds);
      expect_history(child, step, text_string(&lines));
      child_ask(child, LINK_PLAY, text_string(&lines), seconds);
      expect_history(child, step, text_string(&lines));
    }
    child_step(child, &lines);
  }
  child_stop(child, text_string(&lines));
  expect_history(child, step, text_string(&lines));
  expect_note(child,
              game_terminal(child->referee) ? "goals:" : "before the end");
  print_message("%u steps; first move after %.4f s at most, final one %+.4f s "
                "from the deadline\n",
                step, worst_first, worst_late);
  text_free(&lines);
  child_free(child);
}

static void match_text(const char *rules, const char *role, const char *agent,
                       StartLevel level) {
  Child child = {.rules = rules,
                 .role = role,
                 .agent = agent,
                 .level = level,
                 .start = 0.2};
  play_match(&child, 0.1, 0);
}

static void small_games(void **state) {
  (void)state;
  match_text(GAME_DUEL, "y", NULL, START_FULL);
  match_text(GAME_THREE, "q", NULL, START_FULL);
  match_text(GAME_EQUAL, "r", NULL, START_FULL);
  match_text(GAME_PUZZLE, "solver", NULL, START_FULL);
  match_text(GAME_ENDLESS, "x", NULL, START_FULL);
}

static void agents_and_levels(void **state) {
  (void)state;
  match_text(GAME_DUEL, "x", "random", START_FULL);
  match_text(GAME_DUEL, "x", "legal", START_FULL);
  match_text(GAME_DUEL, "X", "tafl", START_RULES);
  match_text(GAME_DUEL, "nobody", "tafl", START_LEGAL);
  match_text(GAME_DUEL, "x", "cadia2010:memory=16,threads=2", START_FULL);
  match_text(GAME_DUEL, "x", "tafl:memory=16,threads=2", START_FULL);
}

static void match_file(const char *path, const char *role, uint32_t killed) {
  char *rules = read_game(path);
  assert_non_null(rules);
  Child child = {.rules = rules, .role = role, .start = 0.3};
  play_match(&child, 0.1, killed);
  memory_delete(rules);
}

/* Who watches is told what is thought, as JSON, and nobody else is. */
static void watched(void **state) {
  (void)state;
  Child child = {.rules = GAME_ENDLESS, .role = "x", .start = 0.1};
  child_open(&child);
  CHILD_UNTIL(&child, child.ready);
  child_ask(&child, LINK_PLAY, "", 0.5);
  assert_int_equal(child.outlooks, 0);
  assert_true(link_send(child.link, LINK_WATCH, 1, 0, ""));
  Text lines = {0};
  double end = clock_now() + CHILD_PATIENCE;
  while (!child.outlooks && clock_now() < end) {
    child_step(&child, &lines);
    child_ask(&child, LINK_PLAY, lines.bytes, 0.8);
  }
  json_t *json = json_loads(text_string(&child.outlook), 0, NULL);
  const json_t *moves = json_object_get(json, "moves");
  assert_true(
      json_is_string(json_object_get(json_array_get(moves, 0), "move")));
  assert_true(json_is_number(json_object_get(json, "value")));
  json_decref(json);
  text_free(&lines);
  child_kill(&child);
  child_free(&child);
}

static void games_of_the_library(void **state) {
  (void)state;
  match_file("games/ticTacToe.kif", "x", 0);
  match_file("games/connectFour.kif", "red", 0);
  match_file("games/eightPuzzle.kif", "player", 0);
  match_file("games/chineseCheckers4.kif", "green", 0);
}

static void processes_killed_often(void **state) {
  (void)state;
  match_file("games/ticTacToe.kif", "o", 1);
  match_file("games/connectFour.kif", "red", 2);
}

/* ---- time ---- */

/* Answers are final at once if there is no choice or the value is proven. */
static void no_time_wasted(void **state) {
  (void)state;
  Child one = {.rules = GAME_ENDLESS, .role = "y", .start = 0.1};
  child_open(&one);
  child_ask(&one, LINK_PLAY, "", CHILD_PATIENCE + 10);
  child_kill(&one);
  child_free(&one);
  Child proved = {.rules = GAME_PUZZLE, .role = "solver", .start = 1000};
  child_open(&proved);
  CHILD_UNTIL(&proved, proved.ready);
  child_ask(&proved, LINK_PLAY, "", CHILD_PATIENCE + 10);
  child_ask(&proved, LINK_PLAY, "right", CHILD_PATIENCE + 10);
  assert_string_equal(proved.answer.bytes, "left");
  CHILD_UNTIL(&proved, proved.report.length);
  assert_non_null(strstr(proved.report.bytes, "proven best"));
  child_kill(&proved);
  child_free(&proved);
}

/* Each request has one report, in order: answered at once or at the deadline,
   or by the server before the process has finished, or the last before STOP. */
static void a_report_for_each(void **state) {
  (void)state;
  static const char *const roles[] = {"x", "y"};
  for (size_t i = 0; i < LENGTH(roles); i++) {
    Child child = {.rules = GAME_ENDLESS, .role = roles[i], .start = 0.1};
    Text lines = {0};
    child_open(&child);
    for (int turn = 0; turn < 4; turn++) {
      child_ask(&child, LINK_PLAY, text_string(&lines), 0.05);
      child_step(&child, &lines);
    }
    link_send(child.link, LINK_PLAY, ++child.number, clock_now() + 1000,
              text_string(&lines));
    text_clear(&child.answer);
    child_step(&child, &lines);
    link_send(child.link, LINK_PLAY, ++child.number, clock_now() + 1000,
              text_string(&lines));
    child_step(&child, &lines);
    child_stop(&child, text_string(&lines));
    assert_int_equal(child.reports, 6);
    assert_int_equal(child.reported, 6);
    assert_non_null(strstr(child.report.bytes, "report 6: "));
    text_free(&lines);
    child_free(&child);
  }
}

/* The log says when each engine was there, and what searched. */
static void engines_take_over(void **state) {
  (void)state;
  char *rules = read_game("games/connectFour.kif");
  Child child = {.rules = rules, .role = "red", .start = 1000};
  Text lines = {0};
  child_open(&child);
  CHILD_UNTIL(&child,
              strstr(text_string(&child.notes), "search on the net after"));
  CHILD_UNTIL(&child, strstr(text_string(&child.notes), "on the net after"));
  expect_note(&child, "legal move after");
  child_ask(&child, LINK_PLAY, "", 0.1);
  child_step(&child, &lines);
  child_stop(&child, text_string(&lines));
  assert_non_null(strstr(child.report.bytes, "by a search on the net"));
  text_free(&lines);
  child_free(&child);
  memory_delete(rules);
}

static void ready_when_the_clock_says(void **state) {
  (void)state;
  Child child = {.rules = GAME_ENDLESS, .role = "x", .start = 1};
  child_open(&child);
  double now = clock_now();
  CHILD_UNTIL(&child, child.ready);
  assert_true(clock_now() - now > 0.5);
  child_kill(&child);
  child_free(&child);
}

static void a_closed_link_ends_it(void **state) {
  (void)state;
  Child child = {.rules = GAME_ENDLESS, .role = "x", .start = 1000};
  child_open(&child);
  close(child.link);
  child.link = dup(0);
  assert_int_equal(child_wait(&child), 0);
  child_free(&child);
}

/* ---- odd game masters ---- */

static void odd_turns(void **state) {
  (void)state;
  char *rules = read_game("games/ticTacToe.kif");
  Child child = {.rules = rules, .role = "X", .start = 0.2};
  Text lines = {0};
  child_open(&child);
  child_ask(&child, LINK_PLAY, "", 0.05);
  child_ask(&child, LINK_PLAY, "", 0.05);
  expect_history(&child, 0, "");
  child_step(&child, &lines);
  child_ask(&child, LINK_PLAY, lines.bytes, 0.05);
  for (int i = 0; i < 2; i++) {
    child_ask(&child, LINK_PLAY, lines.bytes, 0.05); /* repeated */
    expect_history(&child, 1, lines.bytes);
  }
  expect_note(&child, "was repeated");
  static const char *const nonsense[] = {"", "noop", "(mark 1 1)\n(mark 1 1)",
                                         "a\nb\nc", "(((\n)))"};
  for (size_t i = 0; i < LENGTH(nonsense); i++) {
    child_ask(&child, LINK_PLAY, nonsense[i], 0.05);
    expect_history(&child, 1, lines.bytes);
  }
  child_step(&child, &lines);
  for (char *c = lines.bytes; *c; c++)
    if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 'a' + 'A');
  child_ask(&child, LINK_PLAY, lines.bytes, 0.05); /* another case */
  assert_int_equal(child.history.count, 2);
  child_step(&child, &lines); /* not reported */
  text_clear(&child.answer);
  child_step(&child, &lines);
  child_ask(&child, LINK_PLAY, lines.bytes, 0.5);
  expect_note(&child, "skipped");
  expect_history(&child, 4, lines.bytes);
  child_kill(&child);
  text_free(&lines);
  child_free(&child);
  memory_delete(rules);
}

/* A game master corrects itself. The step is reported again, and the agent
   thinks about the new state: y wins by repeating what x did before. */
static void a_turn_corrected(void **state) {
  (void)state;
  Child child = {.rules = "(role x) (role y) (init (n 0)) (succ 0 1) (succ 1 2)"
                          "(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))"
                          "(<= (legal ?r (a ?n)) (role ?r) (true (n ?n)))"
                          "(<= (legal ?r (b ?n)) (role ?r) (true (n ?n)))"
                          "(<= (next (did ?r ?m)) (does ?r ?m))"
                          "(<= (next (did ?r ?m)) (true (did ?r ?m)))"
                          "(<= right (true (did x (a 0))) (true (did y (a 1))))"
                          "(<= right (true (did x (b 0))) (true (did y (b 1))))"
                          "(<= terminal (true (n 2))) (goal x 50)"
                          "(<= (goal y 100) right) (<= (goal y 0) (not right))",
                 .role = "y",
                 .start = 0.2};
  static const char *const told[][2] = {{"(a 0)\n(a 0)", "(a 1)"},
                                        {"(b 0)\n(a 0)", "(b 1)"},
                                        {"(a 0)\n(b 0)", "(a 1)"}};
  child_open(&child);
  CHILD_UNTIL(&child, child.ready);
  for (size_t i = 0; i < LENGTH(told); i++) {
    TextVector moves = {0};
    Move joint[2];
    if (i) game_retract(child.referee);
    spelling_split(told[i][0], &moves);
    assert_int_equal(spelling_find_joint(child.referee, &moves, joint), 2);
    game_make(child.referee, joint);
    text_vector_free(&moves);
    child_ask(&child, LINK_PLAY, told[i][0], 1);
    expect_history(&child, 1, told[i][0]);
    assert_string_equal(child.answer.bytes, told[i][1]);
  }
  expect_note(&child, "was a different one");
  child_stop(&child, "(a 1)\n(a 1)");
  expect_note(&child, "goals: x 50 y 100");
  child_free(&child);
}

/* Sends a request as soon as the link has room for it. */
static void insist(Child *child, const char *lines) {
  double until = clock_now() + CHILD_PATIENCE;
  child->number++;
  while (!link_send(child->link, LINK_PLAY, child->number, 0, lines))
    assert_true(clock_now() < until);
}

/* A server that does not read for a while misses nothing important. */
static void a_full_link(void **state) {
  (void)state;
  Child child = {.rules = GAME_ENDLESS, .role = "x", .start = 0.1};
  Text lines = {0};
  child_open(&child);
  CHILD_UNTIL(&child, child.ready);
  child_ask(&child, LINK_PLAY, "", 0.05);
  child_step(&child, &lines);
  for (int i = 0; i < 3000; i++) insist(&child, "nonsense");
  insist(&child, lines.bytes);
  usleep(300000);
  text_clear(&child.answer);
  child.final = false;
  CHILD_UNTIL(&child, child.final);
  expect_history(&child, 1, lines.bytes);
  child_kill(&child);
  text_free(&lines);
  child_free(&child);
}

static void asked_after_the_end(void **state) {
  (void)state;
  Child child = {.rules = GAME_DUEL, .role = "x", .start = 0.1};
  Text lines = {0};
  child_open(&child);
  child_ask(&child, LINK_PLAY, "", 0.05);
  child_step(&child, &lines);
  for (int i = 0; i < 3; i++) child_ask(&child, LINK_PLAY, lines.bytes, 0.05);
  child_stop(&child, lines.bytes);
  expect_note(&child, "goals:");
  expect_history(&child, 1, lines.bytes);
  text_free(&lines);
  child_free(&child);
}

/* ---- difficult rules ---- */

static void too_large_to_ground(void **state) {
  (void)state;
  Child child = {.rules = GAME_DOUBLING, .role = "x", .start = 0.2};
  Text lines = {0};
  child_open(&child);
  CHILD_UNTIL(&child, child.ready);
  CHILD_UNTIL(&child, strstr(text_string(&child.notes), "no net"));
  for (int i = 0; i < 6; i++) {
    child_ask(&child, LINK_PLAY, text_string(&lines), 0.05);
    child_step(&child, &lines);
  }
  child_stop(&child, lines.bytes);
  text_free(&lines);
  child_free(&child);
}

/* A net that takes too much memory is tried again with more of it. */
static void a_second_attempt(void **state) {
  (void)state;
  char *rules = read_game("games/connectFour.kif");
  Child child = {.rules = rules, .role = "red", .limits = games_limits()};
  child.limits.ground.memory = 1 << 18;
  child_open(&child);
  CHILD_UNTIL(&child, strstr(text_string(&child.notes), "trying again"));
  child_ask(&child, LINK_PLAY, "", 0.05);
  child_kill(&child);
  child_free(&child);
  memory_delete(rules);
}

/* Turns arrive while the rules are still being ground. */
static void played_while_grounding(void **state) {
  (void)state;
  char *rules = read_game("games/chess.kif");
  Child child = {.rules = rules, .role = "white", .start = 0.01};
  Text lines = {0};
  child_open(&child);
  for (int i = 0; i < 4; i++) {
    child_ask(&child, LINK_PLAY, text_string(&lines), 0.2);
    print_message("first %.4f s, final %.4f s of 0.2\n", child.first,
                  child.last);
    child_step(&child, &lines);
  }
  child_kill(&child);
  text_free(&lines);
  child_free(&child);
  memory_delete(rules);
}

static void rules_with_errors(void **state) {
  (void)state;
  Child child = {.rules = "(role x) (init a) (legal x go) (legal x stop)"
                          "(<= (next ?y) (true a)) (<= (next a) (true a))"
                          "(goal x 101)",
                 .role = "x",
                 .start = 0.1};
  child_open(&child);
  CHILD_UNTIL(&child, child.ready);
  expect_note(&child, "errors");
  child_ask(&child, LINK_PLAY, "", 0.1);
  child_ask(&child, LINK_PLAY, "go", 0.1);
  child_stop(&child, "stop");
  child_free(&child);
}

static void unplayable_rules(void **state) {
  (void)state;
  static const char *const cases[] = {"", "(", ")))", "(init a)", "role"};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Child child = {.rules = cases[i], .role = "x", .start = 100};
    child_open(&child);
    CHILD_UNTIL(&child, child.ready);
    expect_note(&child, "nothing can be played");
    link_send(child.link, LINK_PLAY, 1, clock_now() + 1, "");
    child_stop(&child, "");
    child_free(&child);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_games),
      cmocka_unit_test(agents_and_levels),
      cmocka_unit_test(watched),
      cmocka_unit_test(games_of_the_library),
      cmocka_unit_test(processes_killed_often),
      cmocka_unit_test(no_time_wasted),
      cmocka_unit_test(a_report_for_each),
      cmocka_unit_test(engines_take_over),
      cmocka_unit_test(ready_when_the_clock_says),
      cmocka_unit_test(a_closed_link_ends_it),
      cmocka_unit_test(odd_turns),
      cmocka_unit_test(a_turn_corrected),
      cmocka_unit_test(a_full_link),
      cmocka_unit_test(asked_after_the_end),
      cmocka_unit_test(too_large_to_ground),
      cmocka_unit_test(a_second_attempt),
      cmocka_unit_test(played_while_grounding),
      cmocka_unit_test(rules_with_errors),
      cmocka_unit_test(unplayable_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
