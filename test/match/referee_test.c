/* The referee with agents of this process: the same matches as without it,
   every way they can end, going on from every step, and what happens without
   records or players. Faulty players over HTTP are in referee.test. */
#include "match/referee.h"

#include "base/hash.h"
#include "support/games.h"

typedef struct Setting {
  Description description;
  Book book;
  AgentSpecs specs;
  const AgentSpec *players[8];
  RefereeOptions options;
  Record chronicle;
  MatchResult result;
} Setting;

static void begin_chronicle(Setting *s, uint64_t seed) {
  RecordStart start = {.id = "id",
                       .game = "game",
                       .description = &s->description,
                       .players = s->players,
                       .clocks = s->options.clocks,
                       .match = s->options.match,
                       .scramble = s->options.scramble,
                       .seed = seed};
  record_init(&s->chronicle, &start);
}

static void set_up(Setting *s, const char *text, const char *players,
                   bool ground) {
  BookLimits limits = games_limits();
  *s = (Setting){.options = {.match = {.play = {.simulations = 10},
                                       .step_limit = 100,
                                       .keep_moves = true},
                             .clocks = {.start = 1, .play = 1},
                             .limits = limits,
                             .ground = ground}};
  games_read(&s->description, text);
  book_init(&s->book, &s->description, &limits, ground);
  games_specs(&s->specs, players);
  for (uint32_t role = 0; role < s->specs.count; role++)
    s->players[role] = &s->specs.data[role];
  begin_chronicle(s, 3);
}

static void run(Setting *s) {
  referee_play(&s->book, s->players, &s->options, &s->chronicle, &s->result);
}

static void tear_down(Setting *s) {
  match_result_free(&s->result);
  record_free(&s->chronicle);
  spec_free_list(&s->specs);
  book_free(&s->book);
  description_free(&s->description);
}

static void expect_end(const Setting *s, MatchEnd end, uint32_t steps,
                       const char *error) {
  assert_string_equal(match_end_name(s->result.end), match_end_name(end));
  assert_int_equal(s->result.steps, steps);
  assert_string_equal(text_string(&s->result.error), error);
  assert_int_equal(s->result.faults, 0);
  assert_int_equal(record_steps(&s->chronicle), steps);
  assert_int_equal(record_completed(&s->chronicle), end == MATCH_ENDED);
}

/* ---- the same as without ---- */

static void expect_same(const char *text, const char *players, bool ground,
                        uint64_t seed) {
  Setting s;
  Agent *agents[8];
  MatchResult result;
  set_up(&s, text, players, ground);
  record_free(&s.chronicle);
  begin_chronicle(&s, seed);
  s.options.match.start.simulations = 5;
  for (uint32_t role = 0; role < s.specs.count; role++)
    agents[role] =
        spec_agent(s.players[role], &s.book, role, hash_pair(seed, role));
  Game *game = book_game(&s.book);
  match_play(game, agents, &s.options.match, &result);
  run(&s);
  assert_string_equal(text_string(&s.result.moves), text_string(&result.moves));
  assert_int_equal(s.result.end, result.end);
  for (uint32_t role = 0; role < s.specs.count; role++) {
    assert_int_equal(s.result.sides[role].goal, result.sides[role].goal);
    assert_int_equal(s.result.sides[role].work.simulations,
                     result.sides[role].work.simulations);
    agent_end(agents[role], AGENT_COMPLETED);
  }
  game_delete(game);
  match_result_free(&result);
  tear_down(&s);
}

static void test_same_matches(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 20; seed++)
    for (int ground = 0; ground < 2; ground++) {
      expect_same(GAME_DUEL, "random,cadia2007", ground, seed);
      expect_same(GAME_PUZZLE, "random", ground, seed);
      expect_same(GAME_THREE, "random,legal,random", ground, seed);
    }
}

/* ---- ends ---- */

static void test_ends(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_PUZZLE, "legal", true);
  run(&s);
  expect_end(&s, MATCH_ENDED, 2, "");
  assert_int_equal(s.result.sides[0].goal, 100);
  tear_down(&s);
  set_up(&s, GAME_ENDLESS, "random,legal", true);
  s.options.match.step_limit = 7;
  run(&s);
  expect_end(&s, MATCH_CUT_OFF, 7, "");
  assert_int_equal(s.result.sides[0].goal, 80);
  tear_down(&s);
  set_up(&s, GAME_STUCK, "random,random", true);
  run(&s);
  expect_end(&s, MATCH_STUCK, 1, "y has no legal move");
  tear_down(&s);
  set_up(&s, GAME_DOUBLING, "random", false);
  run(&s);
  assert_int_equal(s.result.end, MATCH_FAILED);
  assert_true(s.result.error.length > 0);
  tear_down(&s);
  set_up(&s,
         "(role x) (init a) (legal x go) (<= terminal (true a)) (goal x 70)",
         "cadia2007", true);
  s.options.match.start.seconds = 1e6;
  run(&s);
  expect_end(&s, MATCH_ENDED, 0, "");
  assert_int_equal(s.result.sides[0].goal, 70);
  tear_down(&s);
}

static void test_stopped(void **state) {
  (void)state;
  atomic_bool stop = true;
  Setting s;
  set_up(&s, GAME_ENDLESS, "random,http://127.0.0.1:1", true);
  s.options.match.play.stop = &stop;
  run(&s);
  expect_end(&s, MATCH_STOPPED, 0, "");
  assert_true(json_is_true(json_object_get(s.chronicle.root, "isAborted")));
  tear_down(&s);
}

/* ---- going on ---- */

static void cut(json_t *root, const char *key, size_t count) {
  json_t *list = json_object_get(root, key);
  while (json_array_size(list) > count)
    json_array_remove(list, json_array_size(list) - 1);
}

/* What the record was after so many steps; START is not over before the
   first. */
static void go_back(Setting *s, uint32_t steps, bool started) {
  json_t *root = s->chronicle.root;
  cut(root, "moves", steps);
  cut(root, "x-statistics", steps);
  cut(root, "states", steps + 1);
  cut(root, "stateTimes", steps + 1);
  cut(root, "errors", started ? steps + 1 : 0);
  json_object_set_new(root, "isCompleted", json_false());
}

static void test_resumed(void **state) {
  (void)state;
  for (int ground = 0; ground < 2; ground++)
    for (uint32_t steps = 0; steps <= 20; steps++) {
      Setting s;
      set_up(&s, GAME_ENDLESS, "random,legal", ground);
      s.options.match.step_limit = 20;
      run(&s);
      json_t *moves =
          json_deep_copy(json_object_get(s.chronicle.root, "moves"));
      json_t *states =
          json_deep_copy(json_object_get(s.chronicle.root, "states"));
      match_result_free(&s.result);
      go_back(&s, steps, steps || ground);
      run(&s);
      expect_end(&s, MATCH_CUT_OFF, 20, "");
      for (uint32_t i = 0; i < steps; i++)
        assert_true(json_equal(
            json_array_get(moves, i),
            json_array_get(json_object_get(s.chronicle.root, "moves"), i)));
      assert_true(
          json_equal(states, json_object_get(s.chronicle.root, "states")));
      assert_int_equal(
          json_array_size(json_object_get(s.chronicle.root, "errors")), 21);
      json_decref(moves);
      json_decref(states);
      tear_down(&s);
    }
}

/* Moves at random in the place of missing ones are the same when the match is
   resumed: they depend on the step. */
static void test_replaced(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_ENDLESS, "http://127.0.0.1:1,legal", true);
  s.options.match.step_limit = 8;
  run(&s);
  assert_int_equal(s.result.faults, 9);
  assert_int_equal(s.result.end, MATCH_CUT_OFF);
  assert_int_equal(strncmp(text_string(&s.result.fault), "START x: CE ", 12),
                   0);
  json_t *moves = json_deep_copy(json_object_get(s.chronicle.root, "moves"));
  match_result_free(&s.result);
  go_back(&s, 3, true);
  run(&s);
  assert_int_equal(s.result.faults, 5);
  assert_true(json_equal(moves, json_object_get(s.chronicle.root, "moves")));
  json_decref(moves);
  tear_down(&s);
}

static void test_wrong_record(void **state) {
  (void)state;
  static const char *const key[] = {"moves", "states"};
  for (int i = 0; i < 2; i++) {
    Setting s;
    set_up(&s, GAME_PUZZLE, "legal", true);
    run(&s);
    match_result_free(&s.result);
    go_back(&s, 1, true);
    json_t *list = json_object_get(s.chronicle.root, key[i]);
    json_array_set_new(list, json_array_size(list) - 1,
                       i ? json_string("( )") : json_pack("[s]", "up"));
    json_t *before = json_deep_copy(s.chronicle.root);
    run(&s);
    assert_int_equal(s.result.end, MATCH_FAILED);
    assert_non_null(strstr(s.result.error.bytes, "the record has a "));
    assert_true(json_equal(before, s.chronicle.root));
    json_decref(before);
    tear_down(&s);
  }
}

/* Two agents beside a player over HTTP: each in a thread, with its own book. */
static void test_threads(void **state) {
  (void)state;
  for (int ground = 0; ground < 2; ground++) {
    Setting s;
    set_up(&s, GAME_THREE, "cadia2007,http://127.0.0.1:1,cadia2007", ground);
    s.options.match.play.simulations = 200;
    run(&s);
    assert_int_equal(s.result.end, MATCH_ENDED);
    assert_int_equal(s.result.sides[0].goal, 30);
    assert_int_equal(s.result.sides[2].goal, 90);
    assert_int_equal(s.result.sides[2].work.simulations, 200);
    assert_int_equal(s.result.faults, 2);
    tear_down(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_matches), cmocka_unit_test(test_ends),
      cmocka_unit_test(test_stopped),      cmocka_unit_test(test_resumed),
      cmocka_unit_test(test_replaced),     cmocka_unit_test(test_wrong_record),
      cmocka_unit_test(test_threads)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
