/* Stored matches as the page shows them: whole ones, and those that do not fit
   their rules. */
#include "web/works_replay.h"

#include <math.h>

#include "support/games.h"
#include "support/results.h"

/* One after the other, three times; who says "b" at the end has lost. */
#define GAME_TURNS \
  "(role x) (role y) (init (turn x 0)) (then x 0 y 1) (then y 1 x 2)" \
  "(then x 2 y 3) (<= (legal ?r a) (true (turn ?r ?n)) (go ?n))" \
  "(<= (legal ?r b) (true (turn ?r ?n)) (go ?n)) (go 0) (go 1) (go 2)" \
  "(<= (legal ?r noop) (role ?r) (true (turn ?o ?n)) (distinct ?r ?o))" \
  "(<= (next (turn ?o ?k)) (true (turn ?r ?n)) (then ?r ?n ?o ?k))" \
  "(<= (next (last ?m)) (true (turn ?r ?n)) (does ?r ?m))" \
  "(<= terminal (true (turn ?r 3)))" \
  "(<= (goal x 100) (true (last a))) (<= (goal y 0) (true (last a)))" \
  "(<= (goal x 0) (not (true (last a)))) (<= (goal y 100) (not (true (last " \
  "a))))"

static void add_move(ResultsMoves *moves, uint32_t step, uint32_t role,
                     const char *text, double value) {
  ResultsMove move = {.step = step,
                      .role = role,
                      .seconds = 0.25,
                      .simulations = 70,
                      .states = 210,
                      .value = value,
                      .depth = 2.5};
  text_add(&move.move, text);
  vector_push(moves, move);
}

typedef struct Made {
  const char *words; /* moves, a joint one after the other */
  uint32_t first;    /* number of the first step */
  MatchEnd end;
} Made;

/* Stores a match with these moves; returns its number. */
static int64_t add_match(Results *results, const char *rules, Made made) {
  static uint32_t number;
  Description description;
  ResultsMoves moves = {0};
  games_read(&description, rules);
  int64_t game = results_game(results, "turns", &description);
  description_free(&description);
  int64_t series =
      results_series(results,
                     "{\"game\":\"turns\",\"play\":2,\"start\":1,"
                     "\"unit\":\"seconds\",\"players\":[\"human\"]}",
                     game);
  uint32_t count = 0;
  for (const char *at = made.words; *at; count++) {
    size_t length = strcspn(at, " ");
    Text word = {0};
    text_add_bytes(&word, at, length);
    add_move(&moves, made.first + count / 2, count % 2, text_string(&word),
             count % 2 ? (double)NAN : 60 + count);
    text_free(&word);
    at += length + (at[length] == ' ');
  }
  ResultsSide sides[2] = {{.role = 0, .goal = 100, .found = ""},
                          {.role = 1, .goal = 0, .found = ""}};
  sides[0].agent = results_copy_agent(results, "tafl", "");
  sides[1].agent = results_copy_agent(results, "human", "");
  ResultsMatch match = {.number = number++,
                        .seed = 255,
                        .end = made.end,
                        .steps = 3,
                        .seconds = 60,
                        .version = "v",
                        .finished = "2026-11-16T15:30:00Z",
                        .error = made.end == MATCH_FAILED ? "no <memory>" : "",
                        .sides = sides,
                        .side_count = 2};
  assert_true(results_add_match(results, series, &match, &moves));
  results_moves_free(&moves);
  Text answer = {0};
  results_ask(results, "SELECT max(id) FROM matches", &answer);
  int64_t id = atoll(text_string(&answer));
  text_free(&answer);
  return id;
}

static json_t *replay(Results *results, int64_t id) {
  const WebSettings settings = {.limits = games_limits(), .stylesheet = ""};
  Text json = {0}, error = {0};
  ReplayEnd end = works_replay(results, id, &settings, &json, &error);
  if (end != REPLAY_DONE) fail_msg("%s", text_string(&error));
  json_error_t why;
  json_t *match = json_loads(text_string(&json), 0, &why);
  if (!match) fail_msg("%s: %s", why.text, text_string(&json));
  text_free(&json);
  text_free(&error);
  return match;
}

/* A member of a member …: "turn.goals.0". */
static json_t *member(json_t *value, const char *path) {
  while (*path) {
    size_t length = strcspn(path, ".");
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)length, path);
    json_t *next = json_is_array(value)
                       ? json_array_get(value, (size_t)atoi(name))
                       : json_object_get(value, name);
    if (!next) fail_msg("there is no %s", path);
    value = next;
    path += length + (path[length] == '.');
  }
  return value;
}

static void expect_text(json_t *match, const char *path, const char *text) {
  const char *own = json_string_value(member(match, path));
  if (!own || strcmp(own, text) != 0) fail_msg("%s: %s", path, own);
}

static void expect_number(json_t *match, const char *path, double number) {
  double own = json_number_value(member(match, path));
  if (own != number) fail_msg("%s: %g", path, own);
}

/* ---- tests ---- */

static const char whole[] = "a noop noop b a noop";

static void check_whole(json_t *match) {
  assert_int_equal(json_array_size(member(match, "steps")), 4);
  assert_true(json_is_null(member(match, "steps.0.moves")));
  assert_true(json_is_false(member(match, "steps.0.state.terminal")));
  expect_number(match, "steps.2.number", 2);
  expect_text(match, "steps.2.moves.1.move", "b");
  expect_number(match, "steps.2.moves.1.seconds", 0.25);
  assert_true(json_is_true(member(match, "steps.2.idle.0")));
  assert_true(json_is_false(member(match, "steps.2.idle.1")));
  expect_number(match, "steps.3.thoughts.0.value", 64);
  expect_number(match, "steps.3.thoughts.0.step", 2);
  expect_number(match, "steps.3.thoughts.0.states", 210);
  expect_text(match, "steps.3.thoughts.0.agent", "tafl");
  assert_true(json_is_null(member(match, "steps.3.thoughts.1")));
  assert_true(json_is_true(member(match, "steps.3.state.terminal")));
  expect_number(match, "steps.3.state.goals.0", 100);
  expect_number(match, "turn.goals.0", 100);
  expect_number(match, "turn.step", 3);
  expect_text(match, "turn.phase", "over");
  expect_text(match, "turn.message", "");
}

static void test_whole(void **state) {
  (void)state;
  Results *results = results_make("whole.db");
  for (uint32_t first = 0; first < 2; first++) {
    int64_t id = add_match(results, GAME_TURNS, (Made){whole, first, 0});
    json_t *match = replay(results, id);
    check_whole(match);
    expect_text(match, "kind", "record");
    expect_text(match, "head.game", "turns");
    expect_text(match, "head.roles.1.label", "Human");
    expect_text(match, "head.roles.0.name", "x");
    expect_text(match, "head.seed", "255");
    expect_text(match, "head.begun", "2026-11-16T15:29:00Z");
    expect_number(match, "head.play", 2);
    expect_number(match, "head.start", 1);
    expect_number(match, "head.sum", 100);
    expect_text(match, "record.end", "ended");
    json_decref(match);
  }
  results_close(results);
}

static void expect_message(Results *results, Made made, const char *message,
                           size_t steps) {
  json_t *match = replay(results, add_match(results, GAME_TURNS, made));
  expect_text(match, "turn.message", message);
  assert_int_equal(json_array_size(member(match, "steps")), steps);
  json_decref(match);
}

/* What could be replayed is there, and why there is no more. */
static void test_misfits(void **state) {
  (void)state;
  Results *results = results_make("misfits.db");
  expect_message(results, (Made){"a noop noop c a noop", 1, MATCH_ENDED},
                 "Step 2 cannot be replayed: c is not a legal move of y.", 2);
  expect_message(results, (Made){"a noop noop", 1, MATCH_ENDED},
                 "Step 2 cannot be replayed: there is no move of y.", 2);
  expect_message(results, (Made){"a noop noop b a noop noop a", 1, MATCH_ENDED},
                 "The stored match goes on, but by its rules it is over here.",
                 4);
  expect_message(results, (Made){"", 1, MATCH_ENDED},
                 "The moves of this match were not kept.", 1);
  expect_message(results, (Made){"a noop", 1, MATCH_CUT_OFF},
                 "The match was cut off after 3 steps.", 2);
  expect_message(results, (Made){"a noop", 1, MATCH_FAILED},
                 "The match was not finished (failed): no <memory>", 2);
  results_close(results);
}

static void test_none(void **state) {
  (void)state;
  Results *results = results_make("nothing.db");
  const WebSettings settings = {.limits = games_limits(), .stylesheet = ""};
  Text json = {0}, error = {0};
  assert_int_equal(works_replay(results, 1, &settings, &json, &error),
                   REPLAY_NONE);
  assert_int_equal(json.length, 0);
  int64_t id = add_match(results, GAME_TURNS, (Made){whole, 1, 0});
  results_ask(results, "UPDATE games SET rules = '(role'", &error);
  assert_int_equal(works_replay(results, id, &settings, &json, &error),
                   REPLAY_FAILED);
  assert_non_null(strstr(text_string(&error), "not valid"));
  assert_int_equal(json.length, 0);
  text_free(&error);
  text_free(&json);
  results_close(results);
}

static int remove_all(void **state) {
  (void)state;
  results_remove();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole),
      cmocka_unit_test(test_misfits),
      cmocka_unit_test(test_none),
  };
  return cmocka_run_group_tests(tests, NULL, remove_all);
}
