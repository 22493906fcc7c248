/* The agent for puzzles: follows its plan, waits where that costs nothing, goes
   on after moves that it did not choose, and falls back on the search where the
   thesis does. */
#include "agent/solver.h"
#include "agent/spec.h"
#include "support/games.h"
#include "support/library.h"

static Agent *make(Book *book, const char *text) {
  AgentSpecs specs;
  games_specs(&specs, text);
  Agent *agent = spec_agent(&specs.data[0], book, 0, 7);
  spec_free_list(&specs);
  return agent;
}

/* Plays until the end; `other` > 0: that step is made by somebody else, who
   makes another move. Returns the goal. */
static int play(Agent *agent, const Budget *budget, uint32_t other) {
  Game *game = agent->game;
  agent_start(agent, budget);
  for (uint32_t step = 1; !game_terminal(game); step++) {
    const Move *moves;
    Move move;
    agent_think(agent, budget);
    assert_true(agent_best(agent, &move));
    uint32_t count = game_legal(game, 0, &moves);
    bool legal = false;
    for (uint32_t i = 0; i < count; i++) legal |= moves[i] == move;
    assert_true(legal);
    if (step == other && count > 1) move = moves[moves[0] == move];
    agent_told(agent, &move);
  }
  return game_goal(game, 0);
}

static const Budget small = {.simulations = 20000};

static void test_plays(void **state) {
  (void)state;
  static const struct {
    const char *game, *agent;
    int goal;
  } rows[] = {
      {"buttons", "tafl", 100},     {"maze", "tafl", 100},
      {"hanoi", "tafl", 100},       {"hunter", "tafl", 87},
      {"blocksWorld", "tafl", 100}, {"circleSolitaire", "tafl:threads=2", 100},
  };
  for (size_t i = 0; i < LENGTH(rows); i++) {
    TestGame book;
    test_game_open(&book, rows[i].game, true);
    Agent *agent = make(&book.rules, rows[i].agent);
    assert_int_equal(play(agent, &small, 0), rows[i].goal);
    agent_reset(agent);
    assert_int_equal(play(agent, &small, 0), rows[i].goal);
    agent_end(agent, AGENT_COMPLETED);
    test_game_close(&book);
  }
}

/* The plan is of no use after another move; a new one is found. */
static void test_other_move(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "maze", true);
  Agent *agent = make(&book.rules, "tafl");
  assert_int_equal(play(agent, &small, 1), 100);
  agent_end(agent, AGENT_COMPLETED);
  test_game_close(&book);
}

/* Two lamps change with each press; after five steps it counts which are lit. A
   press too many can be made good. */
#define LAMPS \
  "(role r) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)" \
  "(init (step 1)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(init (on a)) (legal r press) (legal r wait) (lamp a) (lamp b)" \
  "(<= (next (on ?x)) (lamp ?x) (does r press) (not (true (on ?x))))" \
  "(<= (next (on ?x)) (does r wait) (true (on ?x)))" \
  "(<= terminal (true (step 6)))" \
  "(<= (goal r 100) (true (on a)) (true (on b)))" \
  "(<= (goal r 70) (true (on b)) (not (true (on a))))" \
  "(<= (goal r 30) (not (true (on b))))"

static void test_mends(void **state) {
  (void)state;
  for (uint32_t other = 0; other <= 4; other++)
    for (int timed = 0; timed < 2; timed++) {
      Description description;
      Book book;
      BookLimits limits = games_limits();
      limits.prove_seconds = 1;
      games_read(&description, LAMPS);
      book_init(&book, &description, &limits, true);
      Agent *agent = make(&book, timed ? "tafl:threads=2" : "tafl");
      Budget budget = {.states = timed ? 0 : 100000, .seconds = timed ? 5 : 0};
      assert_int_equal(play(agent, &budget, other), 70);
      agent_end(agent, AGENT_COMPLETED);
      book_free(&book);
      description_free(&description);
    }
}

/* The thesis: IDA* goes on if it found any points in the start clock; if not,
   the search plays, and there always is a move. */
static void test_falls_back(void **state) {
  (void)state;
  static const struct {
    const char *game;
    uint64_t simulations;
    bool searches;
  } rows[] = {{"buttons", 5000, false}, {"stateSpaceLarge", 500, true}};
  for (size_t i = 0; i < LENGTH(rows); i++) {
    TestGame book;
    Text text = {0};
    test_game_open(&book, rows[i].game, true);
    Agent *agent = make(&book.rules, "cadia2007");
    Budget budget = {.simulations = rows[i].simulations};
    int goal = play(agent, &budget, 0);
    assert_true(rows[i].searches ? goal >= 0 : goal == 100);
    agent_explain(agent, &text);
    assert_int_equal(strstr(text.bytes, "plan of") == NULL, rows[i].searches);
    text_free(&text);
    agent_end(agent, AGENT_COMPLETED);
    test_game_close(&book);
  }
}

static void test_report(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "buttons", true);
  Agent *agent = make(&book.rules, "tafl");
  AgentReport report;
  Text text = {0};
  agent_think(agent, &small);
  agent_report(agent, &report);
  agent_explain(agent, &text);
  assert_true(report.searched && report.proven);
  assert_int_equal((int)report.value, 100);
  assert_int_equal(report.move_count, 3);
  assert_int_equal(report.moves[0].line.count, report.distance);
  assert_true(report.states > 0);
  assert_non_null(strstr(text.bytes, "score 100, proven best"));
  text_free(&text);
  agent_end(agent, AGENT_COMPLETED);
  test_game_close(&book);
}

/* A lock with twelve wheels that opens at one setting only. `rest` changes
   nothing, and games last forty steps. */
#define LOCK \
  "(role r) (turned 0 1) (turned 1 2) (turned 2 0)" \
  "(wheel a) (wheel b) (wheel c) (wheel d) (wheel e) (wheel f)" \
  "(wheel g) (wheel h) (wheel i) (wheel j) (wheel k) (wheel l)" \
  "(<= (init (shows ?w 0)) (wheel ?w)) (init (step 0)) (legal r rest)" \
  "(<= (legal r (turn ?w)) (wheel ?w))" \
  "(<= (next (shows ?w ?y)) (does r (turn ?w)) (true (shows ?w ?x))" \
  "  (turned ?x ?y))" \
  "(<= (next (shows ?w ?x)) (true (shows ?w ?x)) (not (does r (turn ?w))))" \
  "(<= open" \
  "  (true (shows a 1)) (true (shows b 2)) (true (shows c 2))" \
  "  (true (shows d 1)) (true (shows e 1)) (true (shows f 2))" \
  "  (true (shows g 1)) (true (shows h 2)) (true (shows i 1))" \
  "  (true (shows j 2)) (true (shows k 1)) (true (shows l 2)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= terminal open) (<= terminal (true (step 40)))" \
  "(<= (goal r 100) open) (<= (goal r 0) (not open))" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)" \
  "(succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)" \
  "(succ 10 11) (succ 11 12) (succ 12 13) (succ 13 14)" \
  "(succ 14 15) (succ 15 16) (succ 16 17) (succ 17 18)" \
  "(succ 18 19) (succ 19 20) (succ 20 21) (succ 21 22)" \
  "(succ 22 23) (succ 23 24) (succ 24 25) (succ 25 26)" \
  "(succ 26 27) (succ 27 28) (succ 28 29) (succ 29 30)" \
  "(succ 30 31) (succ 31 32) (succ 32 33) (succ 33 34)" \
  "(succ 34 35) (succ 35 36) (succ 36 37) (succ 37 38)" \
  "(succ 38 39) (succ 39 40)"

/* Eighteen turns open it. With next to no budget the agent rests; it must not
   rest for more than half of the steps. */
static void test_waits(void **state) {
  (void)state;
  Description description;
  Book book;
  BookLimits limits = games_limits();
  limits.prove_seconds = 1;
  games_read(&description, LOCK);
  book_init(&book, &description, &limits, true);
  Agent *agent = make(&book, "tafl");
  Move first, rest = UINT32_MAX;
  for (uint32_t m = 0; m < book.net.moves.count; m++) {
    Text text = {0};
    term_write(&description.rules.terms, book.net.moves.data[m].term, &text);
    if (strcmp(text.bytes, "rest") == 0) rest = m;
    text_free(&text);
  }
  agent_think(agent, &(Budget){.states = 1});
  assert_true(agent_best(agent, &first));
  assert_int_equal(first, rest);
  agent_told(agent, &rest);
  agent_think(agent, &(Budget){.states = 50000000});
  assert_true(agent_best(agent, &first));
  assert_int_not_equal(first, rest); /* the plan is known */
  for (int i = 0; i < 20; i++) agent_told(agent, &rest);
  agent_think(agent, &(Budget){.states = 1000});
  assert_true(agent_best(agent, &first));
  assert_int_not_equal(first, rest); /* half of the steps are over */
  agent_end(agent, AGENT_COMPLETED);
  book_free(&book);
  description_free(&description);
}

static void test_without_net(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "buttons", false);
  Agent *agent = make(&book.rules, "tafl:threads=2");
  assert_int_equal(play(agent, &(Budget){.simulations = 3000}, 0), 100);
  agent_end(agent, AGENT_COMPLETED);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plays),       cmocka_unit_test(test_other_move),
      cmocka_unit_test(test_mends),       cmocka_unit_test(test_report),
      cmocka_unit_test(test_falls_back),  cmocka_unit_test(test_waits),
      cmocka_unit_test(test_without_net),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
