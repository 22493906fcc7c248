/* Dives find a knight's tour, where random games hardly get half way, the same
   one for the same seed; ends beside the line are seen; there may be none. */
#include "solve/dive.h"

#include "support/puzzles.h"
#include "support/unit.h"

/* Dives until the puzzle is solved, or so many states were expanded. */
static void dive(Puzzles *game, uint64_t seed, uint64_t states, Plan *plan) {
  Puzzle *puzzle = puzzle_new(&game->book, 1, (size_t)1 << 24);
  MethodTask task = {.puzzle = puzzle, .seed = seed, .memory = 1 << 24};
  Method *method = dive_method.new(&task);
  Slice slice = {.states = 100};
  Text text = {0};
  assert_non_null(method);
  while (!puzzle_solved(puzzle) && method->expanded < states &&
         dive_method.run(method, &slice) == METHOD_WORKING)
    continue;
  dive_method.explain(method, &text);
  assert_non_null(strstr(text_string(&text), "dives"));
  text_free(&text);
  dive_method.delete(method);
  puzzle_best(puzzle, plan);
  puzzle_delete(puzzle);
}

static void test_tour(void **state) {
  (void)state;
  Puzzles game;
  Plan first, again;
  puzzles_open_own(&game, "knightsTour");
  for (uint64_t seed = 1; seed < 6; seed++) {
    dive(&game, seed, 50000, &first);
    dive(&game, seed, 50000, &again);
    assert_int_equal(first.score, 100);
    assert_int_equal(again.moves.count, first.moves.count);
    assert_memory_equal(again.moves.data, first.moves.data,
                        first.moves.count * sizeof(Move));
    vector_free(&first.moves);
    vector_free(&again.moves);
  }
  puzzles_close(&game);
}

/* The way with the fewest moves goes past the exit. */
static void test_beside(void **state) {
  (void)state;
  Puzzles game;
  Plan plan;
  puzzles_open_text(
      &game, "(role r) (init (at a)) (legal r on) (legal r out)"
             "(<= (next (at b)) (does r on)) (<= (next (at c)) (does r out))"
             "(<= terminal (true (at c))) (goal r 40)");
  dive(&game, 1, 100, &plan);
  assert_int_equal(plan.score, 40);
  assert_int_equal(plan.moves.count, 1);
  vector_free(&plan.moves);
  puzzles_close(&game);
}

/* Every line gets stuck, or goes on for ever. */
static void test_no_end(void **state) {
  (void)state;
  Puzzles game;
  Plan plan;
  puzzles_open_text(
      &game, "(role r) (init (at a)) (<= (legal r on) (true (at a)))"
             "(<= (legal r stay) (true (at a)))"
             "(<= (next (at b)) (does r on)) (<= (next (at a)) (does r stay))"
             "(<= terminal (true (at c))) (<= (next (at c)) (true (at c)))"
             "(<= (goal r 100) (true (at c))) (goal r 0)");
  dive(&game, 1, 20000, &plan);
  assert_int_equal(plan.score, -1);
  vector_free(&plan.moves);
  puzzles_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tour),
      cmocka_unit_test(test_beside),
      cmocka_unit_test(test_no_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
