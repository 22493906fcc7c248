/* Searches on games of the library, with all engines and modes: counts add up
   after thinking, the same seed gives the same result, budgets are kept, and
   running out of memory is survived. */
#include <math.h>
#include <pthread.h>

#include "base/sanitized.h"
#include "base/trial.h"
#include "search/search_check.h"
#include "support/front.h"
#include "support/library.h"

static const char *const agents[] = {"mc-org",
                                     "mc-mem",
                                     "cadia2007",
                                     "cadia2008",
                                     "cadia2009",
                                     "cadia2010",
                                     "tafl",
                                     "tafl:rave=500,repeat=2",
                                     "tafl:decisive=both,prune=1",
                                     "mini-base",
                                     "mini",
                                     "mini:strategies=every",
                                     "mini:transpose=resolution",
                                     "tafl:threads=2",
                                     "tafl:threads=5,memory=1",
                                     "tafl:threads=3,rave=500,final=maximum"};

enum { STEADY = 13 }; /* agents: the same seed gives the same result */

/* Simulations of a move, of a search that is repeated, and of one that memory
   may end. The sanitized program, several times slower, looks for other faults
   than the plain one. */
#ifdef SANITIZED
enum { OF_MOVE = 25, OF_REPETITION = 1000, OF_MEMORY = 10000 };
#else
enum { OF_MOVE = 60, OF_REPETITION = 3000, OF_MEMORY = 100000 };
#endif

/* The search plays against itself to the end of the game. */
static void play_game(TestGame *book, const char *agent, uint64_t simulations) {
  Budget budget = {.simulations = simulations};
  Search *searches[RULE_ROLES];
  uint32_t roles = book->description.rules.roles.count;
  for (uint32_t role = 0; role < roles; role++)
    searches[role] = test_game_search(book, role, agent, role);
  for (int step = 0; !game_terminal(search_game(searches[0])); step++) {
    Move joint[RULE_ROLES];
    assert_true(step < 500);
    for (uint32_t role = 0; role < roles; role++) {
      const Move *legal;
      bool found = false;
      search_think(searches[role], &budget);
      search_check(searches[role]);
      joint[role] = search_best(searches[role]);
      uint32_t count = game_legal(search_game(searches[role]), role, &legal);
      for (uint32_t i = 0; i < count; i++) found |= legal[i] == joint[role];
      assert_true(found);
    }
    for (uint32_t role = 0; role < roles; role++)
      search_advance(searches[role], joint);
  }
  for (uint32_t role = 0; role < roles; role++) search_delete(searches[role]);
}

static void test_games(void **state) {
  (void)state;
  static const char *const games[] = {"ticTacToe", "connectFour", "blocker",
                                      "ticTicToe", "eightPuzzle"};
  for (size_t g = 0; g < LENGTH(games); g++)
    for (size_t a = 0; a < LENGTH(agents); a++) {
      TestGame book;
      test_game_open(&book, games[g], true);
      play_game(&book, agents[a], OF_MOVE);
      test_game_close(&book);
    }
}

/* Without a net, everything uses the rules engine. */
static void test_rules_engine(void **state) {
  (void)state;
  for (size_t a = 0; a < LENGTH(agents); a++) {
    TestGame book;
    test_game_open(&book, "ticTacToe", false);
    play_game(&book, agents[a], 30);
    test_game_close(&book);
  }
}

static void write_report(Search *search, Text *text) {
  const SearchReport *report = search_report(search);
  text_format(text, "%llu %llu %u", (unsigned long long)report->simulations,
              (unsigned long long)report->states, report->nodes);
  for (uint32_t i = 0; i < report->moves.count; i++)
    text_format(text, " %u:%u:%.17g", report->moves.data[i].move,
                report->moves.data[i].visits, report->moves.data[i].value);
}

static void test_same_seed(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t a = 0; a < STEADY; a++) {
    Text reports[3] = {0};
    for (int i = 0; i < 3; i++) {
      Budget budget = {.simulations = OF_REPETITION};
      Search *search = test_game_search(&book, 0, agents[a], i == 2 ? 8 : 7);
      search_think(search, &budget);
      write_report(search, &reports[i]);
      search_delete(search);
    }
    assert_string_equal(reports[0].bytes, reports[1].bytes);
    assert_string_not_equal(reports[0].bytes, reports[2].bytes);
    for (int i = 0; i < 3; i++) text_free(&reports[i]);
  }
  test_game_close(&book);
}

static void test_budgets(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Search *search = test_game_search(&book, 0, "cadia2008", 1);
  Budget budget = {.simulations = 123};
  search_think(search, &budget);
  assert_int_equal(search_report(search)->simulations, 123);
  budget = (Budget){.states = 5000};
  search_think(search, &budget);
  assert_true(search_report(search)->states >= 5000);
  assert_true(search_report(search)->states < 5100);
  atomic_bool stop = true;
  budget = (Budget){.stop = &stop};
  search_think(search, &budget);
  assert_int_equal(search_report(search)->simulations, 0);
  search_delete(search);
  test_game_close(&book);
}

/* A stream ends after the simulations asked for, up to the playouts of one
   leaf, and leaves nothing pending when it is interrupted. */
static void test_stream(void **state) {
  (void)state;
  enum { MOST_PLAYOUTS = 16 }; /* per leaf: 512 lanes for 32 leaves */
  static const char *const streams[] = {"tafl", "tafl:repeat=1",
                                        "tafl:leaves=40,repeat=16"};
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t a = 0; a < LENGTH(streams); a++) {
    Search *search = test_game_search(&book, 0, streams[a], 1);
    search_think(search, &(Budget){.simulations = 5000});
    const SearchReport *report = search_report(search);
    assert_in_range(report->simulations, 5000, 5000 + MOST_PLAYOUTS - 1);
    search_check(search);
    search_think(search, &(Budget){.states = 100000});
    report = search_report(search);
    assert_true(report->states >= 100000);
    assert_true(report->lane_moves > 0);
    assert_true(report->lane_moves < report->states);
    assert_true(report->lane_moves <= report->lane_room);
    assert_int_equal(search->at_play, 0);
    search_check(search);
    search_delete(search);
  }
  test_game_close(&book);
}

/* Every move leads back to the root: all descents of a round must notice. */
static void test_cycle(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Search *search = test_game_search(&book, 0, "tafl", 1);
  Node *root = tree_node(search->tree, search->root);
  uint32_t count;
  node_actions(search->tree, root, root->main, &count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t choices[2] = {0};
    choices[root->main] = i;
    assert_true(tree_link(search->tree, NULL, root, choices, search->root));
  }
  search_think(search, &(Budget){.simulations = 2000});
  assert_int_equal(search_report(search)->depth_most, 1);
  assert_int_equal(search_report(search)->nodes, 1);
  search_check_node(search, search->root, 0);
  search_delete(search);
  test_game_close(&book);
}

typedef struct Thinking {
  Search *search;
  atomic_bool stop;
} Thinking;

static void *think_in_thread(void *argument) {
  Thinking *thinking = argument;
  Budget budget = {.stop = &thinking->stop};
  search_think(thinking->search, &budget);
  return NULL;
}

/* Another thread asks for the answer, stops the search, and it goes on. */
static void test_stop(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t a = 2; a < LENGTH(agents); a++) {
    Thinking thinking = {.search = test_game_search(&book, 0, agents[a], 1)};
    for (int i = 0; i < 3; i++) {
      pthread_t thread;
      atomic_store(&thinking.stop, false);
      pthread_create(&thread, NULL, think_in_thread, &thinking);
      for (int j = 0; j < 1000; j++) (void)search_best(thinking.search);
      atomic_store(&thinking.stop, true);
      pthread_join(thread, NULL);
      search_check(thinking.search);
    }
    search_delete(thinking.search);
  }
  test_game_close(&book);
}

/* A tree of one megabyte under many simulations. */
static void test_small_memory(void **state) {
  (void)state;
  static const char *const small[] = {"cadia2007:memory=1", "tafl:memory=1"};
  TestGame book;
  test_game_open(&book, "connectFour", true);
  for (size_t a = 0; a < LENGTH(small); a++) {
    Search *search = test_game_search(&book, 0, small[a], 1);
    Budget budget = {.simulations = 40000};
    search_think(search, &budget);
    const SearchReport *report = search_report(search);
    assert_true(report->simulations >= 40000);
    assert_true(report->bytes <= 1 << 20);
    assert_true(search->tree->statistics.recyclings > 0);
    search_check(search);
    search_delete(search);
  }
  test_game_close(&book);
}

/* ---- running out of memory ---- */

typedef struct Attempt {
  TestGame *game;
  const char *agent;
  Search *search;
} Attempt;

static void create(void *context) {
  Attempt *attempt = context;
  attempt->search = test_game_search(attempt->game, 0, attempt->agent, 1);
}

static void think(void *context) {
  Attempt *attempt = context;
  search_think(attempt->search, &(Budget){.simulations = OF_MEMORY});
}

/* Returns false if a search that may allocate `extra` bytes beyond its own size
   gave up; then its whole scope is gone. */
static bool think_within(Attempt *attempt, size_t extra) {
  Scope scope;
  scope_init(&scope, SIZE_MAX, true);
  assert_true(trial_run_in(&scope, create, attempt));
  scope.limit = (size_t)scope.held + extra;
  bool fine = trial_run_in(&scope, think, attempt);
  if (fine) search_delete(attempt->search);
  scope_release(&scope);
  return fine;
}

/* With two threads the other one stops, too. */
static void test_out_of_memory(void **state) {
  (void)state;
  static const char *const tried[] = {"cadia2010",
                                      "tafl",
                                      "tafl:rave=500",
                                      "tafl:threads=2",
                                      "tafl:threads=5,memory=1",
                                      "tafl:threads=3,rave=500,final=maximum"};
  TestGame game;
  test_game_open(&game, "connectFour", true);
  for (size_t a = 0; a < LENGTH(tried); a++) {
    Attempt attempt = {.game = &game, .agent = tried[a]};
    uint32_t failures = 0;
    create(&attempt); /* the book's lazy parts must not be in the scope */
    search_delete(attempt.search);
    for (size_t extra = 0; extra < 4000; extra += 200)
      failures += !think_within(&attempt, extra);
    assert_true(failures > 2);
  }
  test_game_close(&game);
}

/* Enters tic-tac-toe where x is to move and o has two in a row, thinks, and
   returns the actions of o after the move of x in a column and row. */
static uint32_t count_replies(const char *agent, const char *mark) {
  static const char *const texts[] = {
      "(cell 1 1 x)", "(cell 1 2 b)", "(cell 1 3 b)", "(cell 2 1 o)",
      "(cell 2 2 o)", "(cell 2 3 b)", "(cell 3 1 b)", "(cell 3 2 b)",
      "(cell 3 3 x)", "(control x)"};
  TestGame book;
  TermVector facts = {0};
  uint32_t count = 0, replies = 0, choices[2] = {0};
  test_game_open(&book, "ticTacToe", true);
  Terms *terms = &book.description.rules.terms;
  Term wanted = front_term(terms, mark);
  for (size_t i = 0; i < LENGTH(texts); i++)
    vector_push(&facts, front_term(terms, texts[i]));
  Search *search = test_game_search(&book, 0, agent, 1);
  assert_true(search_enter(search, facts.data, facts.count));
  search_think(search, &(Budget){.simulations = 2000});
  Node *root = tree_node(search->tree, search->root);
  const Action *actions = node_actions(search->tree, root, 0, &count);
  assert_int_equal(count, 5); /* all moves at the root itself */
  for (uint32_t i = 0; i < count; i++) {
    if (book.rules.net.moves.data[actions[i].move].term != wanted) continue;
    choices[0] = i;
    NodeId child = tree_child(search->tree, root, choices);
    assert_int_not_equal(child, 0);
    node_actions(search->tree, tree_node(search->tree, child), 1, &replies);
  }
  search_delete(search);
  vector_free(&facts);
  test_game_close(&book);
  return replies;
}

/* Where a role can win it has only that, and else what does not lose at once:
   after (mark 2 3) x threatens the third column. */
static void test_prune(void **state) {
  (void)state;
  assert_int_equal(count_replies("tafl:prune=1", "(mark 3 1)"), 1);
  assert_int_equal(count_replies("tafl:prune=1", "(mark 2 3)"), 1);
  assert_int_equal(count_replies("tafl:prune=0", "(mark 2 3)"), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_games),         cmocka_unit_test(test_rules_engine),
      cmocka_unit_test(test_same_seed),     cmocka_unit_test(test_budgets),
      cmocka_unit_test(test_stop),          cmocka_unit_test(test_small_memory),
      cmocka_unit_test(test_stream),        cmocka_unit_test(test_cycle),
      cmocka_unit_test(test_out_of_memory), cmocka_unit_test(test_prune)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
