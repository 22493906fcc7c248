/* The agent of two minds: whatever the settings and the game, its moves are
   legal at any time; counted budgets give the same every time; it stops when it
   is told to; and short games choose the better of two. */
#include "agent/bouts.h"
#include "agent/choice.h"
#include "agent/spec.h"
#include "agent/veto.h"
#include "base/clock.h"
#include "base/thread.h"
#include "engine/moves.h"
#include "support/games.h"
#include "support/library.h"

#define MIXTURE "tafl:mind=mixture,evaluation=learned,memory=16"

static const char *const agents[] = {
    "minimax:memory=16",
    MIXTURE,
    MIXTURE ",judge=0.5",
    "tafl:evaluation=learned,memory=16",
    "tafl:mind=minimax,evaluation=none,memory=16",
    "clune:memory=16",
    "flux:memory=16"};

static Agent *make(Book *book, const char *text, uint32_t role, uint64_t seed) {
  AgentSpecs specs;
  games_specs(&specs, text);
  Agent *agent = spec_agent(&specs.data[0], book, role, seed);
  spec_free_list(&specs);
  return agent;
}

/* ---- moves are legal ---- */

static Move answer(Agent *agent, Game *game) {
  Move move;
  assert_true(agent_best(agent, &move));
  assert_true(moves_contain(game, agent->role, move));
  return move;
}

static void play(Book *book, const char *text, uint32_t steps,
                 const Budget *start, const Budget *budget) {
  Game *game = book_game(book);
  Agent *players[RULE_ROLES];
  Move joint[RULE_ROLES];
  uint32_t roles = game->role_count;
  for (uint32_t role = 0; role < roles; role++) {
    players[role] = make(book, text, role, role);
    answer(players[role], game);
    agent_start(players[role], start);
  }
  for (uint32_t step = 0; step < steps && !game_terminal(game); step++) {
    for (uint32_t role = 0; role < roles; role++) {
      answer(players[role], game);
      agent_think(players[role], budget);
      joint[role] = answer(players[role], game);
    }
    game_make(game, joint);
    for (uint32_t role = 0; role < roles; role++)
      agent_told(players[role], joint);
  }
  for (uint32_t role = 0; role < roles; role++) {
    AgentReport report;
    Text text_of = {0};
    agent_report(players[role], &report);
    agent_explain(players[role], &text_of);
    agent_learned(players[role], &text_of);
    assert_true(report.searched);
    text_free(&text_of);
    agent_reset(players[role]);
    game_reset(game);
    if (!game_terminal(game)) answer(players[role], game);
    agent_end(players[role], AGENT_COMPLETED);
  }
  game_delete(game);
}

static const Budget counted_start = {.states = 3000}, counted = {.states = 300};

static void test_library(void **state) {
  (void)state;
  static const char *const games[] = {"connectFour", "blocker"};
  for (size_t i = 0; i < LENGTH(games); i++) {
    TestGame book;
    test_game_open(&book, games[i], true);
    for (size_t j = 0; j < LENGTH(agents); j++)
      play(&book.rules, agents[j], 6, &counted_start, &counted);
    test_game_close(&book);
  }
}

/* Without a net there is neither a second mind nor an evaluation. */
static void test_rules_engine(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", false);
  for (size_t j = 0; j < LENGTH(agents); j++)
    play(&book.rules, agents[j], 4, &counted_start, &counted);
  test_game_close(&book);
}

static void test_odd_games(void **state) {
  (void)state;
  static const char *const games[] = {GAME_DUEL, GAME_THREE, GAME_EQUAL,
                                      GAME_ENDLESS};
  for (size_t i = 0; i < LENGTH(games); i++) {
    Description description;
    Book book;
    BookLimits limits = games_limits();
    games_read(&description, games[i]);
    book_init(&book, &description, &limits, true);
    assert_true(book.has_net);
    for (size_t j = 0; j < LENGTH(agents); j++)
      play(&book, agents[j], 8, &counted_start, &counted);
    book_free(&book);
    description_free(&description);
  }
}

static void test_clocks(void **state) {
  (void)state;
  static const Budget starts[] = {
      {0}, {.seconds = 1e-6}, {.seconds = 0.05}, {.simulations = 1}};
  static const Budget move = {.seconds = 0.002};
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t i = 0; i < LENGTH(starts); i++) {
    play(&book.rules, MIXTURE, 3, &starts[i], &move);
    play(&book.rules, "minimax:memory=1", 3, &starts[i], &move);
  }
  test_game_close(&book);
}

/* ---- the second mind cannot go on ---- */

/* Roles take turns, until x has made the same move as often as no random game
   will see. */
static void write_late(Text *text, uint32_t turns) {
  text_add(text, "(role x) (role y) (init (run 0)) (legal x a) (legal x b)"
                 "(<= (legal y wait) (not (true late)))"
                 "(<= (legal y c) (true late)) (<= (legal y d) (true late))"
                 "(<= (next (run 0)) (does x b))"
                 "(<= (next (run ?n)) (does x a) (true (run ?m)) (succ ?m ?n))"
                 "(<= terminal (true (run end))) (goal x 50) (goal y 50)");
  for (uint32_t i = 0; i < turns; i++)
    text_format(text, "(succ %u %u)", i, i + 1);
  text_format(text, "(succ %u end) (<= (next late) (true (run %u)) (does x a))",
              turns, turns - 2);
}

static void check_mind(Agent *agent, const char *expected) {
  Text why = {0};
  agent_explain(agent, &why);
  assert_non_null(strstr(text_string(&why), expected));
  text_free(&why);
}

static void test_take_over(void **state) {
  (void)state;
  enum { TURNS = 40 };
  Text text = {0};
  Description description;
  Book book;
  BookLimits limits = games_limits();
  write_late(&text, TURNS);
  games_read(&description, text.bytes);
  book_init(&book, &description, &limits, true);
  Agent *agent = make(&book, "minimax:memory=16", 1, 3);
  Game *game = book_game(&book);
  agent_start(agent, &counted_start);
  check_mind(agent, "mind: minimax");
  for (uint32_t i = 0; i < TURNS - 1; i++) {
    Move joint[2];
    assert_true(moves_find(game, 0, "a", &joint[0]));
    agent_think(agent, &counted);
    joint[1] = answer(agent, game);
    game_make(game, joint);
    agent_told(agent, joint);
  }
  const Move *moves;
  assert_int_equal(game_legal(game, 1, &moves), 2);
  agent_think(agent, &counted);
  answer(agent, game);
  check_mind(agent, "mind: search");
  agent_end(agent, AGENT_COMPLETED);
  game_delete(game);
  book_free(&book);
  description_free(&description);
  text_free(&text);
}

/* ---- the same every time ---- */

static void write_match(Book *book, const char *text, Text *result) {
  static const Budget start = {.states = 40000, .later = &counted};
  Agent *agent = make(book, text, 0, 11);
  AgentReport report;
  agent_start(agent, &start);
  agent_think(agent, &(Budget){.states = 3000});
  agent_report(agent, &report);
  text_format(result, "%u %.17g %llu", report.moves[0].move, report.value,
              (unsigned long long)report.states);
  Text why = {0};
  agent_learned(agent, &why);
  text_add(result, text_string(&why));
  text_free(&why);
  agent_end(agent, AGENT_COMPLETED);
}

static void test_same(void **state) {
  (void)state;
  static const char *const alike[] = {MIXTURE ",judge=0.5",
                                      "minimax:memory=16"};
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t i = 0; i < LENGTH(alike); i++) {
    Text results[2] = {0};
    for (int j = 0; j < 2; j++) write_match(&book.rules, alike[i], &results[j]);
    assert_string_equal(results[0].bytes, results[1].bytes);
    for (int j = 0; j < 2; j++) text_free(&results[j]);
  }
  test_game_close(&book);
}

/* ---- stopping ---- */

typedef struct Stopping {
  Agent *agent;
  atomic_bool stop, returned;
  double asked;
} Stopping;

/* Asks for answers for a while, then stops the agent. */
static void *stop_soon(void *context) {
  Stopping *stopping = context;
  for (double end = clock_now() + stopping->asked; clock_now() < end;) {
    Move move;
    agent_best(stopping->agent, &move);
  }
  atomic_store(&stopping->stop, true);
  stopping->asked = clock_now();
  return NULL;
}

/* At several points of the start clock: in learning, in short games, in
   thinking. A sanitized build on a busy machine is slow. */
static void test_stop(void **state) {
  (void)state;
  static const double moments[] = {0.01, 0.2, 0.45};
  static const Budget move = {.seconds = 0.5};
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t i = 0; i < LENGTH(moments); i++) {
    Stopping stopping = {.agent = make(&book.rules, MIXTURE, 0, 5),
                         .asked = moments[i]};
    pthread_t thread;
    Budget budget = {.seconds = 0.6, .stop = &stopping.stop, .later = &move};
    if (i == 0) budget.seconds = 1000; /* it would never end */
    assert_true(thread_start(&thread, THREAD_STACK, stop_soon, &stopping));
    agent_start(stopping.agent, &budget);
    double end = clock_now();
    atomic_store(&stopping.stop, true);
    pthread_join(thread, NULL);
    assert_true(end - stopping.asked < 0.5);
    answer(stopping.agent, stopping.agent->game);
    agent_end(stopping.agent, AGENT_COMPLETED);
  }
  test_game_close(&book);
}

/* ---- short games ---- */

static Settings settings_of(const char *text) {
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, text, &error));
  text_free(&error);
  return settings;
}

static const char *const strong = "tafl:lanes=1,memory=4";
static const char *const weak = "tafl:lanes=1,memory=4,share=0.01";

static void test_scores(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  const Entrant entrants[2] = {{"strong", settings_of(strong), NULL},
                               {"weak", settings_of(weak), NULL}};
  Bouts *bouts = bouts_new(&book.rules, entrants, 2, 16, 0, 1);
  const Budget move = {.simulations = 300};
  for (int i = 0; i < 4; i++) assert_true(bouts_play(bouts, 0, 1, &move, 0));
  BoutsScore first = bouts_score(bouts, 0, 1),
             second = bouts_score(bouts, 1, 0);
  assert_int_equal(first.games, 4);
  assert_int_equal(second.games, 4);
  assert_true(first.points + second.points == 4);
  assert_true(first.points >= 3);
  bouts_delete(bouts);
  test_game_close(&book);
}

/* A game that is broken off is gone on with, and comes out the same. */
static void test_broken_off(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  const Entrant entrants[2] = {{"strong", settings_of(strong), NULL},
                               {"weak", settings_of(weak), NULL}};
  Bouts *bouts = bouts_new(&book.rules, entrants, 2, 16, 0, 1);
  atomic_bool stop = true;
  Budget move = {.simulations = 300, .stop = &stop};
  assert_false(bouts_play(bouts, 0, 1, &move, 0));
  assert_int_equal(bouts_score(bouts, 0, 1).games, 0);
  stop = false;
  assert_false(bouts_play(bouts, 0, 1, &move, clock_now() + 1e-4));
  assert_true(bouts_play(bouts, 0, 1, &move, 0));
  assert_int_equal(bouts_score(bouts, 0, 1).games, 1);
  bouts_delete(bouts);
  test_game_close(&book);
}

static void test_choice(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  const Budget play_budget = {.simulations = 1500};
  for (uint32_t better = 0; better < 2; better++) {
    ChoiceEntrant entrants[2] = {{{"0", settings_of(weak), NULL}, 0.5},
                                 {{"1", settings_of(weak), NULL}, 0.45}};
    entrants[better].entrant.settings = settings_of(strong);
    Choice *choice =
        choice_new(&book.rules, entrants, 2, &play_budget, 16, 0, 2);
    assert_int_equal(choice_best(choice), 0);
    choice_improve(choice, &(Budget){.simulations = 100000});
    assert_int_equal(choice_best(choice), better);
    assert_true(choice_clear(choice));
    choice_delete(choice);
  }
  test_game_close(&book);
}

/* ---- overruling ---- */

static void test_veto(void **state) {
  (void)state;
  static Veto veto;
  AgentMove moves[3] = {{.move = 7, .value = 60},
                        {.move = 8, .value = 0, .proven = true},
                        {.move = 9, .value = 40}};
  const AgentReport report = {.moves = moves, .move_count = 3};
  veto_look(&veto, &report, 0, 100);
  assert_int_equal(veto_apply(&veto, 7), 7);
  assert_int_equal(veto_apply(&veto, 8), 7); /* lost */
  assert_int_equal(veto_apply(&veto, 9), 9);
  moves[0].proven = true; /* neither won nor lost */
  veto_look(&veto, &report, 0, 100);
  assert_int_equal(veto_apply(&veto, 9), 9);
  moves[0].value = 100;
  veto_look(&veto, &report, 0, 100);
  assert_int_equal(veto_apply(&veto, 9), 7);
  moves[0].value = 0; /* all the same */
  veto_look(&veto, &report, 0, 100);
  assert_int_equal(veto_apply(&veto, 8), 8);
  veto_clear(&veto);
  assert_int_equal(veto_apply(&veto, 9), 9);
}

/* A win at hand, which the second mind proves. */
static void test_overruled(void **state) {
  (void)state;
  static const char *const moves[] = {"(drop 4)", "(drop 1)", "(drop 4)",
                                      "(drop 1)", "(drop 4)", "(drop 1)"};
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Agent *agent =
      make(&book.rules, MIXTURE ",learn=0,choose=0,veto=0.9,lanes=1", 0, 1);
  agent_start(agent, &(Budget){0});
  for (size_t i = 0; i < LENGTH(moves); i++) {
    Move joint[2];
    uint32_t mover = i % 2;
    assert_true(moves_find(agent->game, mover, moves[i], &joint[mover]));
    assert_true(moves_find(agent->game, 1 - mover, "noop", &joint[1 - mover]));
    agent_told(agent, joint);
  }
  agent_think(agent, &(Budget){.states = 2000});
  Move best = answer(agent, agent->game), expected;
  assert_true(moves_find(agent->game, 0, "(drop 4)", &expected));
  assert_int_equal(best, expected);
  AgentReport report;
  agent_report(agent, &report);
  assert_true(report.proven);
  assert_int_equal(report.moves[0].move, best);
  agent_end(agent, AGENT_COMPLETED);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_library),    cmocka_unit_test(test_rules_engine),
      cmocka_unit_test(test_odd_games),  cmocka_unit_test(test_clocks),
      cmocka_unit_test(test_take_over),  cmocka_unit_test(test_same),
      cmocka_unit_test(test_stop),       cmocka_unit_test(test_scores),
      cmocka_unit_test(test_broken_off), cmocka_unit_test(test_choice),
      cmocka_unit_test(test_veto),       cmocka_unit_test(test_overruled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
