/* Planning as satisfiability against exhaustive search: the score, what is
   proved, and that the same seed finds the same plan however the work is cut
   into slices. */
#include "solve/satisfy.h"

#include "base/clock.h"
#include "support/exhaust.h"
#include "support/unit.h"

enum { STATES = 30000, WORK = 200000 };

/* The lamp must be lit at an exact time, and every press changes it. */
#define GAME_MOMENT \
  "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)" \
  "(succ 4 5) (legal r press) (legal r wait)" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (next lit) (does r press) (not (true lit)))" \
  "(<= (next lit) (does r wait) (true lit) (not (true (step 3))))" \
  "(<= (next seen) (true seen)) (<= (next seen) (true lit) (true (step 3)))" \
  "(<= terminal (true (step 5)))" \
  "(<= (goal r 100) (true seen) (not (true lit)))" \
  "(<= (goal r 50) (true seen) (true lit)) (<= (goal r 0) (not (true seen)))"

/* A square of three by three numbers without repetition in rows and columns,
   with one number given; anything may be placed, the goal judges. */
#define GAME_SQUARE \
  "(role r) (n 1) (n 2) (n 3) (init (c 1 2 3))" \
  "(<= (legal r (put ?x ?y ?v)) (n ?x) (n ?y) (n ?v) (not (full ?x ?y)))" \
  "(<= (full ?x ?y) (true (c ?x ?y ?v)))" \
  "(<= (next (c ?x ?y ?v)) (does r (put ?x ?y ?v)))" \
  "(<= (next (c ?x ?y ?v)) (true (c ?x ?y ?v)))" \
  "(<= open (n ?x) (n ?y) (not (full ?x ?y))) (<= terminal (not open))" \
  "(<= bad (true (c ?x ?y ?v)) (true (c ?x ?z ?v)) (distinct ?y ?z))" \
  "(<= bad (true (c ?x ?y ?v)) (true (c ?z ?y ?v)) (distinct ?x ?z))" \
  "(<= (goal r 100) (not bad)) (<= (goal r 0) bad)"

/* The same with a number given twice in a row: it has no solution. */
#define GAME_BROKEN GAME_SQUARE "(init (c 1 3 3))"

/* No move is legal in the second state. */
#define GAME_DEAD \
  "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (true a))" \
  "(<= terminal (true c)) (<= (next c) (true c)) (goal r 100)"

static Puzzle *open(ExhaustPuzzle *opened, const char *text) {
  exhaust_open(opened, text, true);
  opened->book.limits.prove_seconds = 1;
  book_analysis(&opened->book);
  return opened->puzzle;
}

/* `ends`: all games end by a counter, so that the method must be done. */
static void check(const char *text, uint64_t slice, bool ends) {
  ExhaustPuzzle opened;
  Puzzle *puzzle = open(&opened, text);
  Exhaust all;
  uint32_t length = 0, at;
  exhaust_init(&all, puzzle, STATES);
  int best = exhaust_best(&all, &length);
  bool done = exhaust_run(puzzle, &satisfy_method, 1, slice, WORK);
  assert_int_equal(atomic_load(&puzzle->score), best);
  assert_true(atomic_load(&puzzle->bound) >= best);
  assert_true(atomic_load(&puzzle->least) <= length);
  if (ends) {
    assert_true(done);
    assert_int_equal(atomic_load(&puzzle->bound), best);
    assert_int_equal(atomic_load(&puzzle->length), length);
    assert_int_equal(atomic_load(&puzzle->least), length);
  }
  Plan plan;
  puzzle_best(puzzle, &plan);
  assert_int_equal(
      puzzle_replay(puzzle, plan.moves.data, plan.moves.count, &at), best);
  vector_free(&plan.moves);
  exhaust_free(&all);
  exhaust_close(&opened);
}

static void test_puzzles_that_end(void **state) {
  static const char *const texts[] = {
      PUZZLE_HOPELESS,         GAME_MOMENT,
      "games/buttons.kif",     "games/maze.kif",
      "games/blocksWorld.kif", "games/untwistyCorridor.kif"};
  (void)state;
  for (size_t i = 0; i < LENGTH(texts); i++) {
    check(texts[i], 1, true);
    check(texts[i], 1000, true);
  }
}

static void test_others(void **state) {
  (void)state;
  check(PUZZLE_LINE, 100, false);
  check("games/circleSolitaire.kif", 300, false);
}

static int score_of(const char *text, int bound) {
  ExhaustPuzzle opened;
  Puzzle *puzzle = open(&opened, text);
  exhaust_run(puzzle, &satisfy_method, 1, 300, WORK / 4);
  int score = atomic_load(&puzzle->score);
  assert_int_equal(atomic_load(&puzzle->bound), bound);
  if (score == bound)
    assert_true(atomic_load(&puzzle->least) <= atomic_load(&puzzle->length));
  exhaust_close(&opened);
  return score;
}

/* Puzzles whose moves can be made in any order; one of them has no solution,
   which follows from its last states alone. */
static void test_placing(void **state) {
  (void)state;
  assert_int_equal(score_of(GAME_SQUARE, 100), 100);
  assert_int_equal(score_of(GAME_BROKEN, 0), 0);
}

/* No end can be reached, there is none at all, or we are there already. */
static void test_nothing_to_find(void **state) {
  (void)state;
  assert_int_equal(score_of(GAME_DEAD, 0), -1);
  assert_int_equal(score_of(PUZZLE_ENDLESS, 0), -1);
  assert_int_equal(score_of(PUZZLE_OVER, 40), 40);
}

/* What is found depends on the work alone, not on the slices. */
static void test_slices(void **state) {
  static const char *const texts[] = {"games/hamilton.kif", GAME_SQUARE};
  (void)state;
  for (size_t t = 0; t < LENGTH(texts); t++) {
    Plan plans[2];
    for (uint32_t i = 0; i < 2; i++) {
      ExhaustPuzzle opened;
      Puzzle *puzzle = open(&opened, texts[t]);
      exhaust_run(puzzle, &satisfy_method, 1, i ? 7 : 500, 1500);
      puzzle_best(puzzle, &plans[i]);
      exhaust_close(&opened);
      assert_int_equal(plans[i].score, 100);
    }
    assert_int_equal(plans[0].moves.count, plans[1].moves.count);
    assert_memory_equal(plans[0].moves.data, plans[1].moves.data,
                        plans[0].moves.count * sizeof(Move));
    for (uint32_t i = 0; i < 2; i++) vector_free(&plans[i].moves);
  }
}

/* A set flag, or a deadline in the past, ends a slice at once. */
static void test_stopping(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  Puzzle *puzzle = open(&opened, "games/rubiksCube.kif");
  MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = (size_t)1 << 26};
  Method *method = satisfy_method.new(&task);
  assert_non_null(method);
  atomic_bool stop = true;
  Slice stopped = {.states = UINT64_MAX, .stop = &stop};
  assert_int_equal(satisfy_method.run(method, &stopped), METHOD_WORKING);
  Slice late = {.states = UINT64_MAX, .until = clock_now() - 1};
  assert_int_equal(satisfy_method.run(method, &late), METHOD_WORKING);
  assert_int_equal(method->expanded, 0);
  satisfy_method.delete(method);
  exhaust_close(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_puzzles_that_end),
      cmocka_unit_test(test_others),
      cmocka_unit_test(test_placing),
      cmocka_unit_test(test_nothing_to_find),
      cmocka_unit_test(test_slices),
      cmocka_unit_test(test_stopping),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
