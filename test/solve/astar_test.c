/* Best-first search by relaxed plans: it finds the best score of small puzzles,
   and what it proves agrees with exhaustive search; also with hardly any
   memory. */
#include "solve/astar.h"

#include "solve/frontier.h"
#include "support/exhaust.h"
#include "support/unit.h"

enum { STATES = 20000 };

/* Ends at step 4 alone, with 100 points in the state that was there first; with
   three moves a step counter is all that tells its visits apart. */
#define PUZZLE_WAIT \
  "(role r) (init (step 0)) (init home) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(succ 3 4) (legal r stay) (<= (legal r go) (true home))" \
  "(<= (legal r come) (true away))" \
  "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))" \
  "(<= (next home) (true home) (does r stay)) (<= (next home) (does r come))" \
  "(<= (next away) (true away) (does r stay)) (<= (next away) (does r go))" \
  "(<= (next tired) (does r go)) (<= (next tired) (true tired))" \
  "(<= terminal (true (step 4)))" \
  "(<= (goal r 100) (true home) (true tired))" \
  "(<= (goal r 40) (true away)) (<= (goal r 0) (true home) (not (true " \
  "tired)))"

static void check(const char *text) {
  ExhaustPuzzle opened;
  exhaust_open(&opened, text, true);
  Puzzle *puzzle = opened.puzzle;
  Exhaust all;
  uint32_t length = 0;
  exhaust_init(&all, puzzle, STATES);
  int best = exhaust_best(&all, &length);
  assert_true(exhaust_run(puzzle, &astar_method, 1, 20, 20 * STATES));
  assert_int_equal(atomic_load(&puzzle->score), best);
  assert_int_equal(atomic_load(&puzzle->bound), best < 0 ? 0 : best);
  assert_true(atomic_load(&puzzle->length) >= length);
  exhaust_free(&all);
  exhaust_close(&opened);
}

static void test_small(void **state) {
  static const char *const texts[] = {
      PUZZLE_LINE,      PUZZLE_HOPELESS,         PUZZLE_ENDLESS,
      PUZZLE_WAIT,      "games/buttons.kif",     "games/hanoi.kif",
      "games/maze.kif", "games/blocksWorld.kif", "games/stateSpaceLarge.kif"};
  (void)state;
  for (size_t i = 0; i + 1 < LENGTH(texts); i++) check(texts[i]);
  ExhaustPuzzle opened; /* has too many states to know them all */
  exhaust_open(&opened, texts[LENGTH(texts) - 1], true);
  exhaust_run(opened.puzzle, &astar_method, 1, 100, 5000);
  assert_int_equal(atomic_load(&opened.puzzle->score), 100);
  exhaust_close(&opened);
}

static Method *make(Puzzle *puzzle, size_t memory) {
  MethodTask task = {.puzzle = puzzle, .seed = 7, .memory = memory};
  return astar_method.new(&task);
}

static void test_unfit(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, PUZZLE_OVER, true);
  assert_null(make(opened.puzzle, 1 << 20));
  exhaust_close(&opened);
  exhaust_open(&opened, PUZZLE_LINE, false); /* rules alone have no graph */
  assert_null(make(opened.puzzle, 1 << 20));
  exhaust_close(&opened);
}

/* With room for a few hundred states only, searches begin again and again, and
   nothing is proved of what was not seen. */
static void test_memory(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, "games/lightsOut.kif", true);
  Method *method = make(opened.puzzle, 1 << 18);
  Slice slice = {.states = 4000};
  for (uint32_t i = 0; i < 5; i++)
    assert_int_equal(astar_method.run(method, &slice), METHOD_WORKING);
  assert_int_equal(atomic_load(&opened.puzzle->bound), 100);
  Move move;
  assert_true(astar_method.best(method, &move));
  assert_true(move < opened.puzzle->net->moves.count);
  Text text = {0};
  astar_method.explain(method, &text);
  assert_non_null(strstr(text_string(&text), "greedy: goal 100"));
  text_free(&text);
  astar_method.delete(method);
  exhaust_close(&opened);
}

/* Memory is bounded: a frontier without room says so and adds nothing. */
static void test_full(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, "games/eightPuzzle.kif", true);
  Method method = {.kind = &astar_method, .puzzle = opened.puzzle};
  Game *game = puzzle_game(opened.puzzle);
  Packing packing;
  Frontier frontier;
  FrontierStatus status = FRONTIER_WORKING;
  packing_init(&packing, &opened.book, opened.puzzle->start);
  frontier_init(&frontier, &method, game, &packing, 1 << 17, 1);
  frontier_begin(&frontier, 100);
  for (uint32_t i = 0; i < 5000 && status == FRONTIER_WORKING; i++)
    status = frontier_step(&frontier);
  assert_int_equal(status, FRONTIER_FULL);
  assert_in_range(store_count(frontier.store), 100, frontier.most);
  frontier_free(&frontier);
  packing_free(&packing);
  game_delete(game);
  exhaust_close(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small), cmocka_unit_test(test_unfit),
      cmocka_unit_test(test_memory), cmocka_unit_test(test_full)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
