/* Bounds from what always holds: right where the best score is known, and low
   where a goal cannot be. */
#include "solve/ceiling.h"

#include "base/bits.h"
#include "support/front.h"
#include "support/puzzles.h"
#include "support/unit.h"

/* Five lamps; each burns for two steps, and one is lit in each. For all five at
   once there are 100 points, for the first two 60, for none 10. */
#define LAMPS \
  "(role r) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5) (init (step 0))" \
  "(s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 5) (s 5 6)" \
  "(<= (next (step ?n)) (true (step ?m)) (s ?m ?n))" \
  "(<= (legal r (light ?x)) (lamp ?x))" \
  "(<= (next (burns ?x 2)) (does r (light ?x)))" \
  "(<= (next (burns ?x 1)) (true (burns ?x 2)))" \
  "(<= (on ?x) (true (burns ?x ?n)))" \
  "(<= all (on 1) (on 2) (on 3) (on 4) (on 5)) (<= two (on 1) (on 2))" \
  "(<= terminal all) (<= terminal (true (step 6)))" \
  "(<= (goal r 100) all) (<= (goal r 60) two (not all))" \
  "(<= (goal r 10) (not two))"

/* Returns the bound that is proved from the initial state. */
static int bound_of(Puzzles *game) {
  Puzzle *puzzle = puzzle_new(&game->book, 1, (size_t)1 << 24);
  MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = 1 << 24};
  Method *method = ceiling_method.new(&task);
  Slice slice = {.states = 1};
  Text text = {0};
  assert_non_null(method);
  while (ceiling_method.run(method, &slice) == METHOD_WORKING) continue;
  ceiling_method.explain(method, &text);
  assert_non_null(strstr(text_string(&text), "impossible"));
  text_free(&text);
  ceiling_method.delete(method);
  int bound = atomic_load(&puzzle->bound);
  puzzle_delete(puzzle);
  return bound;
}

static void test_lamps(void **state) {
  (void)state;
  Puzzles game;
  puzzles_open_text(&game, LAMPS);
  assert_int_equal(bound_of(&game), 60);
  puzzles_close(&game);
}

static void test_reachable(void **state) {
  (void)state;
  static const char *const names[] = {"maze",      "buttons",     "blocksWorld",
                                      "lightsOut", "eightPuzzle", "peg"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles game;
    puzzles_open_own(&game, names[i]);
    assert_int_equal(bound_of(&game), 100);
    puzzles_close(&game);
  }
}

static void add_fact(Puzzles *game, const char *text, uint64_t *words) {
  Term term = front_term(&game->description.rules.terms, text);
  const Net *net = &game->book.net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (net->fluents.data[i].term == term) {
      bits_add(words, i);
      return;
    }
  fail_msg("there is no %s", text);
}

/* From a state that no game leads to, nothing is known: two lamps were lit at
   once. */
static void test_irregular(void **state) {
  (void)state;
  Puzzles game;
  uint64_t words[4] = {0};
  puzzles_open_text(&game, LAMPS);
  Puzzle *puzzle = puzzle_new(&game.book, 1, (size_t)1 << 24);
  MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = 1 << 24};
  assert_true(game.book.words <= LENGTH(words));
  add_fact(&game, "(step 2)", words);
  add_fact(&game, "(burns 3 2)", words);
  puzzle_enter(puzzle, words, game.book.words);
  Method *method = ceiling_method.new(&task);
  assert_non_null(method);
  ceiling_method.delete(method);
  add_fact(&game, "(burns 4 2)", words);
  puzzle_enter(puzzle, words, game.book.words);
  assert_null(ceiling_method.new(&task));
  puzzle_delete(puzzle);
  puzzles_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lamps),
      cmocka_unit_test(test_reachable),
      cmocka_unit_test(test_irregular),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
