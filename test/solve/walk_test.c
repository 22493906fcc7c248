/* The walk without a net finds what the search by layers finds with one, and
   proves it. */
#include "solve/walk.h"

#include "solve/layers.h"
#include "support/games.h"
#include "support/puzzles.h"
#include "support/unit.h"

/* Two dead ends and a way out that is worth less than all. */
#define TREE \
  "(role r) (init (at 0)) (e 0 1) (e 0 2) (e 1 3) (e 2 4) (e 4 5) (e 5 4)" \
  "(<= (legal r (go ?y)) (true (at ?x)) (e ?x ?y))" \
  "(<= (next (at ?y)) (does r (go ?y)))" \
  "(<= terminal (true (at 3))) (<= terminal (true (at 6)))" \
  "(<= (goal r 40) (true (at 3))) (<= (goal r 100) (true (at 6)))"

/* No end can be reached. */
#define RING \
  "(role r) (init (at 0)) (e 0 1) (e 1 2) (e 2 0) (legal r on)" \
  "(<= (next (at ?y)) (true (at ?x)) (e ?x ?y))" \
  "(<= terminal (true (at 3))) (<= (next (at 3)) (true (at 3)))" \
  "(<= (goal r 100) (true (at 3))) (<= (goal r 0) (not (true (at 3))))"

typedef struct Result {
  int score, bound;
  uint32_t length;
  bool shortest;
} Result;

static Result walk(Description *description) {
  BookLimits limits = games_limits();
  Book book;
  book_init(&book, description, &limits, false);
  assert_false(book.has_net);
  Puzzle *puzzle = puzzle_new(&book, 1, (size_t)1 << 26);
  MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = 1 << 26};
  Method *method = walk_method.new(&task);
  Slice slice = {.states = 7};
  Text text = {0};
  Plan plan;
  assert_non_null(method);
  while (walk_method.run(method, &slice) == METHOD_WORKING) continue;
  walk_method.explain(method, &text);
  assert_non_null(strstr(text_string(&text), "states"));
  text_free(&text);
  walk_method.delete(method);
  puzzle_best(puzzle, &plan);
  Result result = {plan.score, atomic_load(&puzzle->bound), plan.moves.count,
                   puzzle_shortest(puzzle)};
  vector_free(&plan.moves);
  puzzle_delete(puzzle);
  book_free(&book);
  return result;
}

static void test_games(void **state) {
  (void)state;
  static const char *const names[] = {"maze", "buttons", "blocksWorld"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles game;
    Packing packing;
    const uint64_t *words;
    puzzles_open_own(&game, names[i]);
    game_state(game.game, &words);
    packing_init(&packing, &game.book, words);
    Fan *fan = fan_new(&game.book, &packing);
    LayersOptions options = {.memory = (size_t)1 << 26};
    Layers *layers = layers_new(&packing, fan, &options);
    while (layers_step(layers) == LAYERS_GOING) continue;
    Result result = walk(&game.description);
    assert_int_equal(result.score, layers->best);
    assert_int_equal(result.length, layers->best_depth);
    assert_true(result.shortest);
    layers_delete(layers);
    fan_delete(fan);
    packing_free(&packing);
    puzzles_close(&game);
  }
}

static void test_bounds(void **state) {
  (void)state;
  Description description;
  games_read(&description, TREE);
  Result result = walk(&description);
  assert_int_equal(result.score, 40);
  assert_int_equal(result.bound, 40);
  assert_int_equal(result.length, 2);
  assert_true(result.shortest);
  description_free(&description);
  games_read(&description, RING);
  result = walk(&description);
  assert_int_equal(result.score, -1);
  assert_int_equal(result.bound, 0);
  description_free(&description);
}

static void test_net(void **state) {
  (void)state;
  Puzzles game;
  puzzles_open_own(&game, "maze");
  Puzzle *puzzle = puzzle_new(&game.book, 1, (size_t)1 << 24);
  MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = 1 << 24};
  assert_null(walk_method.new(&task)); /* breadth is for those */
  puzzle_delete(puzzle);
  puzzles_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_games),
      cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_net),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
