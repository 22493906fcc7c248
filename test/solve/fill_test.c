/* A Latin square is filled in without trying much; one that cannot be is given
   up after everything was tried; other puzzles are not for this method. */
#include "solve/fill.h"

#include "support/puzzles.h"
#include "support/unit.h"

/* A square of five with some numbers given; a number can be put where its row
   and column do not have it, and the player may give up. */
#define SQUARE(given) \
  "(role r) (n 1) (n 2) (n 3) (n 4) (n 5) (init (cell 5 5 blank))" given \
  "(<= (legal r (put ?x ?y ?v)) (true (cell ?x ?y blank)) (n ?v)" \
  "    (not (inrow ?y ?v)) (not (incolumn ?x ?v))) (legal r quit)" \
  "(<= (inrow ?y ?v) (true (cell ?x ?y ?v)) (n ?v) (n ?y))" \
  "(<= (incolumn ?x ?v) (true (cell ?x ?y ?v)) (n ?v) (n ?x))" \
  "(<= (next (cell ?x ?y ?v)) (does r (put ?x ?y ?v)))" \
  "(<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (n ?v))" \
  "(<= (next (cell ?x ?y blank)) (true (cell ?x ?y blank))" \
  "    (not (put_at ?x ?y)))" \
  "(<= (put_at ?x ?y) (does r (put ?x ?y ?v)))" \
  "(<= (next over) (does r quit)) (<= terminal (true over))" \
  "(<= open (true (cell ?x ?y blank))) (<= terminal (not open))" \
  "(<= (goal r 100) (not open)) (<= (goal r 0) open)"

#define ROW(y, a, b, c, d) \
  "(init (cell 1 " #y " " #a ")) (init (cell 2 " #y " " #b "))" \
  "(init (cell 3 " #y " " #c ")) (init (cell 4 " #y " " #d "))"
#define EMPTY(y) ROW(y, blank, blank, blank, blank)
#define COLUMN \
  "(init (cell 5 1 blank)) (init (cell 5 2 blank)) (init (cell 5 3 blank))" \
  "(init (cell 5 4 blank))"

#define FREE SQUARE(EMPTY(1) EMPTY(2) EMPTY(3) EMPTY(4) EMPTY(5) COLUMN)
/* The first row lacks 5 in its last place, where the column has it. */
#define BLOCKED \
  SQUARE(ROW(1, 1, 2, 3, 4) EMPTY(2) EMPTY(3) EMPTY(4) EMPTY( \
      5) "(init (cell 5 1 blank)) (init (cell 5 2 5)) (init (cell 5 3 blank))" \
         "(init (cell 5 4 blank))")

/* Returns the score; `states` gets the states that it took. */
static int fill(const char *text, uint64_t seed, bool *fit, uint64_t *states) {
  Puzzles game;
  puzzles_open_text(&game, text);
  Puzzle *puzzle = puzzle_new(&game.book, 1, (size_t)1 << 24);
  MethodTask task = {.puzzle = puzzle, .seed = seed, .memory = 1 << 24};
  Method *method = fill_method.new(&task);
  Slice slice = {.states = 50};
  *fit = method;
  if (method) {
    Text line = {0};
    while (method->expanded < 200000 &&
           fill_method.run(method, &slice) == METHOD_WORKING)
      continue;
    fill_method.explain(method, &line);
    assert_non_null(strstr(text_string(&line), "wants"));
    text_free(&line);
    *states = method->expanded;
    fill_method.delete(method);
  }
  int score = atomic_load(&puzzle->score);
  puzzle_delete(puzzle);
  puzzles_close(&game);
  return score;
}

static void test_square(void **state) {
  (void)state;
  bool fit;
  uint64_t states;
  for (uint64_t seed = 1; seed < 11; seed++) {
    assert_int_equal(fill(FREE, seed, &fit, &states), 100);
    assert_true(fit);
    assert_true(states < 1000);
  }
}

static void test_blocked(void **state) {
  (void)state;
  bool fit;
  uint64_t states;
  assert_true(fill(BLOCKED, 1, &fit, &states) < 100);
  assert_true(fit);
  assert_true(states < 10); /* it sees at once that there is no way */
}

static void test_unfit(void **state) {
  (void)state;
  bool fit;
  uint64_t states;
  fill("(role r) (init (at 0)) (s 0 1) (s 1 2) (legal r on)"
       "(<= (next (at ?q)) (true (at ?p)) (s ?p ?q))"
       "(<= terminal (true (at 2))) (goal r 50)",
       1, &fit, &states);
  assert_false(fit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_square),
      cmocka_unit_test(test_blocked),
      cmocka_unit_test(test_unfit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
