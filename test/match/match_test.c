/* Agents as text, what they choose, and single matches: every way they can end,
   the moves that are kept, and that nobody is believed. */
#include "match/match.h"

#include "support/games.h"

/* ---- agents as text ---- */

static void expect_agents(const char *text, const char *const *agents,
                          uint32_t count) {
  AgentSpecs specs;
  games_specs(&specs, text);
  assert_int_equal(specs.count, count);
  for (uint32_t i = 0; i < count; i++)
    assert_string_equal(specs.data[i].text, agents[i]);
  spec_free_list(&specs);
}

#define EXPECT_AGENTS(text, ...) \
  expect_agents(text, (const char *const[]){__VA_ARGS__}, \
                LENGTH(((const char *const[]){__VA_ARGS__})))

static void test_lists(void **state) {
  (void)state;
  EXPECT_AGENTS("random", "random");
  EXPECT_AGENTS("random,legal", "random", "legal");
  EXPECT_AGENTS("cadia2010:c=30,threads=2,random", "cadia2010:c=30,threads=2",
                "random");
  EXPECT_AGENTS("legal,cadia2010:c=30,cadia2007:c=1,tau=2", "legal",
                "cadia2010:c=30", "cadia2007:c=1,tau=2");
  EXPECT_AGENTS("tafl,tafl", "tafl", "tafl");
  EXPECT_AGENTS("tafl:c=3,http://h:9147,random", "tafl:c=3", "http://h:9147",
                "random");
}

static void test_kinds(void **state) {
  (void)state;
  AgentSpecs specs;
  games_specs(&specs, "random,legal,cadia2008:tau=3,mc-org,http://[::1]/a:b");
  assert_int_equal(specs.data[0].kind, SPEC_RANDOM);
  assert_int_equal(specs.data[1].kind, SPEC_LEGAL);
  assert_int_equal(specs.data[2].kind, SPEC_SEARCH);
  assert_true(specs.data[2].settings.tau == 3);
  assert_true(specs.data[3].settings.c == 0);
  assert_int_equal(specs.data[4].kind, SPEC_REMOTE);
  spec_free_list(&specs);
}

static void test_bad_lists(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"", "no agent ''; see tafl agents"},
      {"random,", "no agent ''; see tafl agents"},
      {"randon,legal", "no agent 'randon'; did you mean random?"},
      {"random,lega", "no agent 'lega'; did you mean legal?"},
      {"random:c=3", "random has no settings"},
      {"legal,c=3", "legal has no settings"},
      {"tafl,c=3", "settings follow a colon: tafl:key=value,key=value"},
      {"tafl:c=3,4", "no agent '4'; see tafl agents"},
      {"tafl:d=3,random", "no setting 'd'"},
      {"http://", "http:// names no host"},
      {"http:///path", "http:///path names no host"},
      {"http://h:1,c=3", "http://h:1,c=3 has no settings"},
      {"http://h h", "http://h h is no address"},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    AgentSpecs specs;
    Text error = {0};
    if (spec_parse_list(&specs, cases[i][0], &error))
      fail_msg("%s is fine", cases[i][0]);
    assert_string_equal(text_string(&error), cases[i][1]);
    assert_int_equal(specs.count, 0);
    text_free(&error);
  }
}

/* ---- a match with everything it needs ---- */

typedef struct Setting {
  Description description;
  Book book;
  AgentSpecs specs;
  Game *referee;
  Agent *agents[8];
  MatchOptions options;
  MatchResult result;
} Setting;

static void set_up(Setting *setting, const char *text, const char *players,
                   bool ground) {
  BookLimits limits = games_limits();
  *setting = (Setting){.options = {.play = {.simulations = 10},
                                   .step_limit = 100,
                                   .keep_moves = true}};
  games_read(&setting->description, text);
  book_init(&setting->book, &setting->description, &limits, ground);
  assert_int_equal(setting->book.has_net, ground);
  games_specs(&setting->specs, players);
  setting->referee = book_game(&setting->book);
  assert_int_equal(setting->referee->role_count, setting->specs.count);
  for (uint32_t role = 0; role < setting->specs.count; role++)
    setting->agents[role] =
        spec_agent(&setting->specs.data[role], &setting->book, role, role);
}

static void run(Setting *setting) {
  match_play(setting->referee, setting->agents, &setting->options,
             &setting->result);
}

static void tear_down(Setting *setting) {
  for (uint32_t role = 0; role < setting->specs.count; role++)
    agent_end(setting->agents[role], AGENT_COMPLETED);
  game_delete(setting->referee);
  match_result_free(&setting->result);
  spec_free_list(&setting->specs);
  book_free(&setting->book);
  description_free(&setting->description);
}

static void expect_end(const Setting *setting, MatchEnd end, uint32_t steps,
                       const char *error) {
  assert_string_equal(match_end_name(setting->result.end), match_end_name(end));
  assert_int_equal(setting->result.steps, steps);
  assert_string_equal(text_string(&setting->result.error), error);
}

static void test_simultaneous(void **state) {
  (void)state;
  for (int ground = 0; ground < 2; ground++) {
    Setting s;
    set_up(&s, GAME_DUEL, "legal,legal", ground);
    run(&s);
    expect_end(&s, MATCH_ENDED, 1, "");
    assert_int_equal(s.result.sides[0].goal, 50);
    assert_int_equal(s.result.sides[1].goal, 50);
    assert_string_equal(s.result.moves.bytes, "a\na\n");
    tear_down(&s);
  }
}

static void test_one_role(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_PUZZLE, "legal", true);
  run(&s);
  expect_end(&s, MATCH_ENDED, 2, "");
  assert_int_equal(s.result.sides[0].goal, 100);
  assert_string_equal(s.result.moves.bytes, "left\nleft\n");
  tear_down(&s);
}

static void test_three_roles(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_THREE, "legal,legal,random", true);
  run(&s);
  expect_end(&s, MATCH_ENDED, 1, "");
  assert_int_equal(s.result.sides[0].goal, 0);
  assert_true(s.result.sides[2].goal == 0 || s.result.sides[2].goal == 90);
  tear_down(&s);
}

/* A goal that the rules do not give here is 0. */
static void test_step_limit(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_ENDLESS, "random,legal", true);
  s.options.step_limit = 7;
  run(&s);
  expect_end(&s, MATCH_CUT_OFF, 7, "");
  assert_int_equal(s.result.sides[0].goal, 80);
  assert_int_equal(s.result.sides[1].goal, 0);
  tear_down(&s);
}

static void test_stuck(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_STUCK, "random,random", true);
  run(&s);
  expect_end(&s, MATCH_STUCK, 1, "y has no legal move");
  tear_down(&s);
}

static void test_failing_engine(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_DOUBLING, "random", false);
  run(&s);
  assert_int_equal(s.result.end, MATCH_FAILED);
  assert_true(s.result.error.length > 0);
  tear_down(&s);
}

/* An agent that is a step ahead of the others says what is not legal: the third
   state of the game has one move only, which the first has not. */
static void test_illegal(void **state) {
  (void)state;
  Setting s;
  set_up(&s,
         "(role x) (role y) (init a) (<= (legal x go) (true a))"
         "(<= (legal x rest) (true b)) (legal y go) (<= (next b) (true a))"
         "(<= (next a) (true b)) (<= terminal (true c)) (goal x 0) (goal y 0)",
         "legal,random", true);
  const Move *moves;
  Move joint[2];
  for (uint32_t role = 0; role < 2; role++) {
    game_legal(s.referee, role, &moves);
    joint[role] = moves[0];
  }
  agent_told(s.agents[0], joint);
  run(&s);
  expect_end(&s, MATCH_ILLEGAL, 0, "x made an illegal move in step 1");
  tear_down(&s);
}

static void test_stopped(void **state) {
  (void)state;
  atomic_bool stop = true;
  Setting s;
  set_up(&s, GAME_ENDLESS, "random,legal", true);
  s.options.play.stop = &stop;
  run(&s);
  expect_end(&s, MATCH_STOPPED, 0, "");
  tear_down(&s);
}

static void test_over_at_the_start(void **state) {
  (void)state;
  Setting s;
  set_up(&s,
         "(role x) (init a) (legal x go) (<= terminal (true a)) (goal x 70)",
         "random", true);
  run(&s);
  expect_end(&s, MATCH_ENDED, 0, "");
  assert_int_equal(s.result.sides[0].goal, 70);
  tear_down(&s);
}

/* ---- agents that search ---- */

static void test_search(void **state) {
  (void)state;
  for (int ground = 0; ground < 2; ground++) {
    Setting s;
    set_up(&s, GAME_PUZZLE, "cadia2007", ground);
    s.options.play.simulations = 30;
    run(&s);
    expect_end(&s, MATCH_ENDED, 2, "");
    assert_int_equal(s.result.sides[0].goal, 100);
    assert_int_equal(s.result.sides[0].work.simulations, 60);
    assert_true(s.result.sides[0].work.states > 0);
    tear_down(&s);
  }
}

static void test_start_thinking(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_PUZZLE, "cadia2007", true);
  s.options.start.simulations = 7;
  s.options.play.simulations = 11;
  run(&s);
  assert_int_equal(s.result.sides[0].work.simulations, 7 + 2 * 11);
  tear_down(&s);
}

/* No time is spent where there is no choice: y has one move. */
static void test_no_choice(void **state) {
  (void)state;
  Setting s;
  set_up(&s, GAME_ENDLESS, "cadia2007,cadia2007", true);
  s.options.step_limit = 3;
  run(&s);
  assert_int_equal(s.result.sides[0].work.simulations, 30);
  assert_int_equal(s.result.sides[1].work.simulations, 0);
  tear_down(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_bad_lists),
      cmocka_unit_test(test_simultaneous),
      cmocka_unit_test(test_one_role),
      cmocka_unit_test(test_three_roles),
      cmocka_unit_test(test_step_limit),
      cmocka_unit_test(test_stuck),
      cmocka_unit_test(test_failing_engine),
      cmocka_unit_test(test_illegal),
      cmocka_unit_test(test_stopped),
      cmocka_unit_test(test_over_at_the_start),
      cmocka_unit_test(test_search),
      cmocka_unit_test(test_start_thinking),
      cmocka_unit_test(test_no_choice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
