/* The move to play: by each choice of `final`, from statistics made by hand;
   maxima of playouts; playouts that were cut off; and agreement of roles that
   choose at once. */
#include "search/summary.h"

#include "support/library.h"

static void open_text(TestGame *book, const char *text) {
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30}};
  description_init(&book->description, "text", text, strlen(text));
  assert_true(description_valid(&book->description));
  book_init(&book->rules, &book->description, &limits, true);
  assert_true(book->rules.has_net);
}

static Action *root_actions(Search *search, uint32_t *count) {
  return node_actions(search->tree, tree_node(search->tree, search->root),
                      search->role, count);
}

/* ---- final ---- */

static void set(Action *action, uint32_t visits, double mean) {
  action->visits = visits;
  action->total = visits * mean;
}

/* A favourite, a move that won its few visits, and one between them. */
static uint32_t best_of(const char *agent) {
  TestGame book;
  uint32_t count;
  test_game_open(&book, "ticTacToe", true);
  Search *search = test_game_search(&book, 0, agent, 1);
  Action *actions = root_actions(search, &count);
  set(&actions[0], 1000, 60);
  set(&actions[1], 10, 70);
  set(&actions[2], 600, 62);
  set(&actions[3], 1, 100);
  uint32_t best = summary_best(search);
  search_delete(search);
  test_game_close(&book);
  return best;
}

static void test_final(void **state) {
  (void)state;
  assert_int_equal(best_of("cadia2007:final=visits"), 0);
  assert_int_equal(best_of("cadia2007:final=value"), 3);
  assert_int_equal(best_of("cadia2007:final=lower"), 2);
  assert_int_equal(best_of("cadia2007:final=lower,width=1"), 3);
  assert_int_equal(best_of("cadia2007:final=steady"), 2);
  assert_int_equal(best_of("cadia2007:final=steady,enough=0.01"), 1);
  assert_int_equal(best_of("cadia2007:final=steady,enough=0.8"), 0);
}

static void prove(Action *action, int8_t exact, uint8_t distance) {
  action->exact = exact;
  action->distance = distance;
}

/* Wins come first, by the shortest way; then what is not lost; losses by the
   longest way, then by what playouts said. */
static void test_exact(void **state) {
  (void)state;
  TestGame book;
  uint32_t count;
  test_game_open(&book, "ticTacToe", true);
  Search *search = test_game_search(&book, 0, "tafl:solver=2", 1);
  Action *actions = root_actions(search, &count);
  for (uint32_t i = 0; i < count; i++) {
    set(&actions[i], 100, i == 6 ? 40 : 30);
    prove(&actions[i], 0, i < 5 ? 2 : 4);
  }
  assert_int_equal(summary_best(search), 6);
  actions[4].exact = -1;
  assert_int_equal(summary_best(search), 4);
  prove(&actions[7], 100, 5);
  assert_int_equal(summary_best(search), 7);
  prove(&actions[8], 100, 3);
  assert_int_equal(summary_best(search), 8);
  search_delete(search);
  test_game_close(&book);
}

/* Of many playouts from one leaf some win, in few steps. */
static void test_maximum(void **state) {
  (void)state;
  TestGame book;
  uint32_t count;
  Budget budget = {.simulations = 2000};
  test_game_open(&book, "connectFour", true);
  Search *search = test_game_search(&book, 0, "tafl:final=maximum", 1);
  search_think(search, &budget);
  const Node *root = tree_node(search->tree, search->root);
  const float *maximum =
      node_maximum(search->tree, root) + node_firsts(root)[0];
  const Action *actions = root_actions(search, &count);
  for (uint32_t i = 0; i < count; i++)
    assert_true(maximum[i] > 95 && actions[i].total < 95 * actions[i].visits);
  search_delete(search);
  test_game_close(&book);
}

/* A puzzle whose playouts never reach an end looks like a failure. */
static void test_cut(void **state) {
  (void)state;
  static const char *const agents[] = {"tafl:steps=2", "cadia2008:steps=2"};
  TestGame book;
  Budget budget = {.simulations = 200};
  test_game_open(&book, "eightPuzzle", true);
  for (uint32_t i = 0; i < 2; i++) {
    Search *search = test_game_search(&book, 0, agents[i], 1);
    search_think(search, &budget);
    const SearchReport *report = search_report(search);
    assert_true(report->cut_off > 0 && report->values[0] == 0);
    search_delete(search);
  }
  test_game_close(&book);
}

/* ---- agreement ---- */

static const char *const meeting =
    "(role a) (role b) (place x) (place y) (place z)"
    "(<= (legal ?r ?p) (role ?r) (place ?p))"
    "(<= (next met) (does a ?p) (does b ?p) (not (true met)))"
    "(<= (next over) (does a ?p))"
    "(<= terminal (true over))"
    "(<= (goal ?r 80) (role ?r) (true met))"
    "(<= (goal ?r 10) (role ?r) (not (true met)))";

/* Searches with different seeds meet in the first of three places. */
static void test_meeting(void **state) {
  (void)state;
  TestGame book;
  uint32_t count;
  Budget budget = {.simulations = 3000};
  open_text(&book, meeting);
  for (uint64_t seed = 0; seed < 20; seed++) {
    Search *search =
        test_game_search(&book, seed % 2, "tafl:returns=auto,even=1", seed);
    search_think(search, &budget);
    root_actions(search, &count);
    assert_int_equal(count, 3);
    assert_int_equal(summary_best(search), 0);
    search_delete(search);
  }
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_final),   cmocka_unit_test(test_exact),
      cmocka_unit_test(test_maximum), cmocka_unit_test(test_cut),
      cmocka_unit_test(test_meeting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
