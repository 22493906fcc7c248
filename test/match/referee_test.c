/* The referee with local agents, recorded or not: every way a match can end,
   how much agents think, resuming from every step, and what happens without
   records or players. Faulty players over HTTP are in referee.test. */
#include "match/referee.h"

#include "support/games.h"

typedef struct Setting {
  Description description;
  Book book;
  AgentSpecs specs;
  const AgentSpec *players[8];
  RefereeOptions options;
  bool recorded;
  uint64_t seed;
  Record record;
  MatchResult result;
} Setting;

static void begin_record(Setting *s, uint64_t seed) {
  RecordStart start = {.id = "id",
                       .game = "game",
                       .description = &s->description,
                       .players = s->players,
                       .clocks = s->options.party.clocks,
                       .match = s->options.match,
                       .scramble = s->options.party.scramble,
                       .seed = seed};
  record_init(&s->record, &start);
}

static void set_up(Setting *s, const char *text, const char *players,
                   bool ground) {
  BookLimits limits = games_limits();
  *s = (Setting){.options = {.match = {.play = {.simulations = 10},
                                       .step_limit = 100,
                                       .keep_moves = true},
                             .party = {.clocks = {.start = 1, .play = 1},
                                       .limits = limits,
                                       .ground = ground}},
                 .recorded = true,
                 .seed = 3};
  games_read(&s->description, text);
  book_init(&s->book, &s->description, &limits, ground);
  games_specs(&s->specs, players);
  for (uint32_t role = 0; role < s->specs.count; role++)
    s->players[role] = &s->specs.data[role];
  assert_int_equal(s->book.has_net, ground);
  assert_int_equal(s->description.rules.roles.count, s->specs.count);
  begin_record(s, s->seed);
}

static void run(Setting *s) {
  RefereeMatch match = {.book = &s->book,
                        .players = s->players,
                        .record = s->recorded ? &s->record : NULL,
                        .seed = s->seed};
  referee_play(&match, &s->options, &s->result);
}

static void tear_down(Setting *s) {
  match_result_free(&s->result);
  record_free(&s->record);
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
  if (!s->recorded) return;
  assert_int_equal(record_steps(&s->record), steps);
  assert_int_equal(record_completed(&s->record), end == MATCH_ENDED);
}

/* Every combination: recorded or not, with a net or without. */
#define FOR_EACH_WAY(recorded, ground) \
  for (int recorded = 0; recorded < 2; recorded++) \
    for (int ground = 0; ground < 2; ground++)

static void play(Setting *s, const char *text, const char *players,
                 bool recorded, bool ground) {
  set_up(s, text, players, ground);
  s->recorded = recorded;
  run(s);
}

static void expect_goal(const Setting *s, uint32_t role, int goal) {
  assert_int_equal(s->result.sides[role].goal, goal);
}

/* ---- ends ---- */

static void test_simultaneous(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    play(&s, GAME_DUEL, "legal,legal", recorded, ground);
    expect_end(&s, MATCH_ENDED, 1, "");
    expect_goal(&s, 0, 50);
    expect_goal(&s, 1, 50);
    assert_string_equal(s.result.moves.bytes, "a\na\n");
    tear_down(&s);
  }
}

static void test_one_role(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    play(&s, GAME_PUZZLE, "legal", recorded, ground);
    expect_end(&s, MATCH_ENDED, 2, "");
    expect_goal(&s, 0, 100);
    assert_string_equal(s.result.moves.bytes, "left\nleft\n");
    tear_down(&s);
  }
}

static void test_three_roles(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    play(&s, GAME_THREE, "legal,legal,random", recorded, ground);
    expect_end(&s, MATCH_ENDED, 1, "");
    expect_goal(&s, 0, 0);
    assert_true(s.result.sides[2].goal == 0 || s.result.sides[2].goal == 90);
    tear_down(&s);
  }
}

/* A goal that the rules do not give is 0. */
static void test_step_limit(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    set_up(&s, GAME_ENDLESS, "random,legal", ground);
    s.recorded = recorded;
    s.options.match.step_limit = 7;
    run(&s);
    expect_end(&s, MATCH_CUT_OFF, 7, "");
    expect_goal(&s, 0, 80);
    expect_goal(&s, 1, 0);
    tear_down(&s);
  }
}

static void test_stuck(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    play(&s, GAME_STUCK, "random,random", recorded, ground);
    expect_end(&s, MATCH_STUCK, 1, "y has no legal move");
    tear_down(&s);
  }
}

static void test_failing_engine(void **state) {
  (void)state;
  for (int recorded = 0; recorded < 2; recorded++) {
    Setting s;
    play(&s, GAME_DOUBLING, "random", recorded, false);
    assert_int_equal(s.result.end, MATCH_FAILED);
    assert_true(s.result.error.length > 0);
    tear_down(&s);
  }
}

static void test_over_at_the_start(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    set_up(&s,
           "(role x) (init a) (legal x go) (<= terminal (true a)) (goal x 70)",
           "cadia2007", ground);
    s.recorded = recorded;
    s.options.match.start.seconds = 1e6;
    run(&s);
    expect_end(&s, MATCH_ENDED, 0, "");
    expect_goal(&s, 0, 70);
    tear_down(&s);
  }
}

/* ---- agents that make mistakes ---- */

static void wrong_told(Agent *agent, const Move *joint) {
  game_make(agent->game, joint);
}

static bool wrong_best(Agent *agent, Move *move) {
  (void)agent;
  *move = UINT32_MAX;
  return true;
}

static bool no_best(Agent *agent, Move *move) {
  (void)agent, (void)move;
  return false;
}

static void wrong_end(Agent *agent, AgentEnd how) {
  (void)how;
  game_delete(agent->game);
  memory_delete(agent);
}

static Agent *make_wrong(void *context, Book *book, uint32_t role) {
  Agent *agent = memory_new(sizeof *agent);
  *agent =
      (Agent){.operations = context, .role = role, .game = book_game(book)};
  return agent;
}

static void test_illegal(void **state) {
  (void)state;
  AgentOperations kinds[] = {
      {.told = wrong_told, .best = wrong_best, .end = wrong_end},
      {.told = wrong_told, .best = no_best, .end = wrong_end}};
  for (size_t i = 0; i < LENGTH(kinds); i++) FOR_EACH_WAY(recorded, ground) {
      Setting s;
      set_up(&s, GAME_ENDLESS, "human,legal", ground);
      s.recorded = recorded;
      s.options.party.person = make_wrong;
      s.options.party.context = &kinds[i];
      run(&s);
      expect_end(&s, MATCH_ILLEGAL, 0, "x made an illegal move in step 1");
      tear_down(&s);
    }
}

/* ---- thinking ---- */

static void test_search(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    set_up(&s, GAME_PUZZLE, "cadia2007:puzzle=search", ground);
    s.recorded = recorded;
    s.options.match.play.simulations = 30;
    run(&s);
    expect_end(&s, MATCH_ENDED, 2, "");
    expect_goal(&s, 0, 100);
    assert_int_equal(s.result.sides[0].work.simulations, 60);
    assert_true(s.result.sides[0].work.states > 0);
    tear_down(&s);
  }
}

static void test_start_thinking(void **state) {
  (void)state;
  FOR_EACH_WAY(recorded, ground) {
    Setting s;
    set_up(&s, GAME_PUZZLE, "cadia2007:puzzle=search", ground);
    s.recorded = recorded;
    s.options.match.start.simulations = 7;
    s.options.match.play.simulations = 11;
    run(&s);
    assert_int_equal(s.result.sides[0].work.simulations, 7 + 2 * 11);
    tear_down(&s);
  }
}

/* No time is spent where there is no choice, unless `idle`: y has one move. */
static void test_no_choice(void **state) {
  (void)state;
  for (int idle = 0; idle < 2; idle++) FOR_EACH_WAY(recorded, ground) {
      Setting s;
      set_up(&s, GAME_ENDLESS, "cadia2007,cadia2007", ground);
      s.recorded = recorded;
      s.options.match.step_limit = 3;
      s.options.match.idle = idle;
      run(&s);
      assert_int_equal(s.result.sides[0].work.simulations, 30);
      assert_int_equal(s.result.sides[1].work.simulations, idle ? 30 : 0);
      tear_down(&s);
    }
}

/* A record changes nothing about the match. */
static void test_recorded(void **state) {
  (void)state;
  static const char *const cases[][2] = {{GAME_DUEL, "random,cadia2007"},
                                         {GAME_PUZZLE, "random"},
                                         {GAME_THREE, "random,legal,random"}};
  for (uint64_t seed = 0; seed < 20; seed++)
    for (size_t i = 0; i < LENGTH(cases); i++)
      for (int ground = 0; ground < 2; ground++) {
        Setting s;
        MatchResult result;
        set_up(&s, cases[i][0], cases[i][1], ground);
        record_free(&s.record);
        s.seed = seed;
        begin_record(&s, seed);
        s.options.match.start.simulations = 5;
        s.recorded = false;
        run(&s);
        result = s.result;
        s.recorded = true;
        run(&s);
        assert_string_equal(text_string(&s.result.moves),
                            text_string(&result.moves));
        assert_int_equal(s.result.end, result.end);
        for (uint32_t role = 0; role < s.specs.count; role++) {
          expect_goal(&s, role, result.sides[role].goal);
          assert_int_equal(s.result.sides[role].work.simulations,
                           result.sides[role].work.simulations);
        }
        match_result_free(&result);
        tear_down(&s);
      }
}

/* ---- breaking off ---- */

static void test_stopped(void **state) {
  (void)state;
  atomic_bool stop = true;
  Setting s;
  set_up(&s, GAME_ENDLESS, "random,http://127.0.0.1:1", true);
  s.options.match.play.stop = &stop;
  run(&s);
  expect_end(&s, MATCH_STOPPED, 0, "");
  assert_true(json_is_true(json_object_get(s.record.root, "isAborted")));
  tear_down(&s);
  for (int recorded = 0; recorded < 2; recorded++) {
    set_up(&s, GAME_ENDLESS, "random,legal", true);
    s.recorded = recorded;
    s.options.match.play.stop = &stop;
    run(&s);
    expect_end(&s, MATCH_STOPPED, 0, "");
    tear_down(&s);
  }
}

/* ---- resuming ---- */

static void cut(json_t *root, const char *key, size_t count) {
  json_t *list = json_object_get(root, key);
  while (json_array_size(list) > count)
    json_array_remove(list, json_array_size(list) - 1);
}

/* Makes the record what it was after `steps`; without `started` START was not
   finished. */
static void go_back(Setting *s, uint32_t steps, bool started) {
  json_t *root = s->record.root;
  cut(root, "moves", steps);
  cut(root, "x-statistics", steps);
  cut(root, "states", steps + 1);
  cut(root, "stateTimes", steps + 1);
  cut(root, "errors", started ? steps + 1 : 0);
  json_object_set_new(root, "isCompleted", json_false());
  json_object_set_new(root, "isAborted", json_false());
}

static void test_resumed(void **state) {
  (void)state;
  for (int ground = 0; ground < 2; ground++)
    for (uint32_t steps = 0; steps <= 20; steps++) {
      Setting s;
      set_up(&s, GAME_ENDLESS, "random,legal", ground);
      s.options.match.step_limit = 20;
      run(&s);
      json_t *moves = json_deep_copy(json_object_get(s.record.root, "moves"));
      json_t *states = json_deep_copy(json_object_get(s.record.root, "states"));
      match_result_free(&s.result);
      go_back(&s, steps, steps || ground);
      run(&s);
      expect_end(&s, MATCH_CUT_OFF, 20, "");
      for (uint32_t i = 0; i < steps; i++)
        assert_true(json_equal(
            json_array_get(moves, i),
            json_array_get(json_object_get(s.record.root, "moves"), i)));
      assert_true(json_equal(states, json_object_get(s.record.root, "states")));
      assert_int_equal(
          json_array_size(json_object_get(s.record.root, "errors")), 21);
      json_decref(moves);
      json_decref(states);
      tear_down(&s);
    }
}

/* Random moves that replace missing ones depend on the step, so that a resumed
   match has the same ones. */
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
  json_t *moves = json_deep_copy(json_object_get(s.record.root, "moves"));
  match_result_free(&s.result);
  go_back(&s, 3, true);
  run(&s);
  assert_int_equal(s.result.faults, 5);
  assert_true(json_equal(moves, json_object_get(s.record.root, "moves")));
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
    json_t *list = json_object_get(s.record.root, key[i]);
    json_array_set_new(list, json_array_size(list) - 1,
                       i ? json_string("( )") : json_pack("[s]", "up"));
    json_t *before = json_deep_copy(s.record.root);
    run(&s);
    assert_int_equal(s.result.end, MATCH_FAILED);
    assert_non_null(strstr(s.result.error.bytes, "the record has a "));
    assert_true(json_equal(before, s.record.root));
    json_decref(before);
    tear_down(&s);
  }
}

/* The opening is drawn by the seed, whoever plays; then agents choose. */
static void test_opening(void **state) {
  (void)state;
  static const char *const players[] = {"legal,legal", "cadia2007,random"};
  uint32_t different = 0;
  for (uint64_t seed = 1; seed <= 8; seed++) {
    Text drawn = {0};
    for (size_t i = 0; i < LENGTH(players); i++) {
      Setting s;
      set_up(&s, GAME_DUEL, players[i], true);
      s.options.match.opening = 1;
      s.recorded = false;
      s.seed = seed;
      run(&s);
      expect_end(&s, MATCH_ENDED, 1, "");
      if (!i) text_add(&drawn, s.result.moves.bytes);
      assert_string_equal(s.result.moves.bytes, drawn.bytes);
      assert_int_equal(s.result.sides[0].work.simulations, 0);
      tear_down(&s);
    }
    different += strcmp(drawn.bytes, "a\na\n") != 0;
    text_free(&drawn);
  }
  assert_true(different > 0);
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
      cmocka_unit_test(test_simultaneous),
      cmocka_unit_test(test_one_role),
      cmocka_unit_test(test_three_roles),
      cmocka_unit_test(test_step_limit),
      cmocka_unit_test(test_stuck),
      cmocka_unit_test(test_failing_engine),
      cmocka_unit_test(test_over_at_the_start),
      cmocka_unit_test(test_illegal),
      cmocka_unit_test(test_search),
      cmocka_unit_test(test_start_thinking),
      cmocka_unit_test(test_no_choice),
      cmocka_unit_test(test_recorded),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_resumed),
      cmocka_unit_test(test_replaced),
      cmocka_unit_test(test_wrong_record),
      cmocka_unit_test(test_opening),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
