/* Search from both ends, and by pattern databases, against exhaustive search:
   scores, lengths, and what they prove. */
#include "solve/meet.h"

#include "solve/patterns.h"
#include "support/unit.h"
#include "support/units.h"

enum { STATES = 20000 };

static void check(const char *text, const MethodKind *kind, uint64_t slice) {
  ExhaustPuzzle opened;
  units_open(&opened, text);
  Puzzle *puzzle = opened.puzzle;
  Exhaust all;
  uint32_t length = 0;
  exhaust_init(&all, puzzle, STATES);
  int best = exhaust_best(&all, &length);
  assert_true(exhaust_run(puzzle, kind, 1, slice, UINT64_MAX));
  assert_int_equal(atomic_load(&puzzle->score), best);
  assert_int_equal(atomic_load(&puzzle->length), length);
  assert_int_equal(atomic_load(&puzzle->bound), best);
  if (kind == &meet_method)
    assert_int_equal(atomic_load(&puzzle->least), length);
  assert_true(atomic_load(&puzzle->least) <= length);
  exhaust_free(&all);
  exhaust_close(&opened);
}

/* The start is as good as an end, but the game is over after four steps. */
#define HOME \
  "(role r) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (init (step 0))" \
  "(init (on b)) (legal r press) (legal r wait) (lamp a) (lamp b)" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (next (on ?x)) (lamp ?x) (does r press) (not (true (on ?x))))" \
  "(<= (next (on ?x)) (does r wait) (true (on ?x)))" \
  "(<= terminal (true (step 4))) (<= (goal r 100) (true (on b)))" \
  "(<= (goal r 30) (not (true (on b))))"

static const char *const texts[] = {
    HOME,        UNITS_RINGS,       UNITS_SLIDE,
    UNITS_TIMED, "games/hanoi.kif", "games/blocksWorld.kif"};

static void test_meet(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(texts); i++) {
    check(texts[i], &meet_method, 1);
    check(texts[i], &meet_method, 100000);
  }
}

/* The databases of small puzzles have all units, so these plans are shortest,
   too. */
static void test_patterns(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(texts); i++) {
    check(texts[i], &patterns_method, 1);
    check(texts[i], &patterns_method, 100000);
  }
}

/* Both prove that there is no plan. */
static void test_stuck(void **state) {
  static const MethodKind *const kinds[] = {&meet_method, &patterns_method};
  (void)state;
  for (size_t i = 0; i < LENGTH(kinds); i++) {
    ExhaustPuzzle opened;
    units_open(&opened, UNITS_STUCK);
    assert_true(exhaust_run(opened.puzzle, kinds[i], 1, 1000, UINT64_MAX));
    assert_int_equal(atomic_load(&opened.puzzle->score), -1);
    assert_int_equal(atomic_load(&opened.puzzle->bound), 0);
    exhaust_close(&opened);
  }
}

/* While others think, time passes: plans fit what is left of it. */
static void test_waiting(void **state) {
  static const MethodKind *const kinds[] = {&meet_method, &patterns_method};
  (void)state;
  for (size_t i = 0; i < LENGTH(kinds); i++)
    for (uint32_t waits = 0; waits < 4; waits++) {
      ExhaustPuzzle opened;
      units_open(&opened, UNITS_TIMED);
      Puzzle *puzzle = opened.puzzle;
      MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = 1 << 26};
      Method *method = kinds[i]->new (&task);
      Move wait = 2;
      assert_non_null(method);
      for (uint32_t w = 0; w < waits; w++) puzzle_advance(puzzle, wait);
      Slice slice = {.states = 100};
      while (kinds[i]->run(method, &slice) == METHOD_WORKING) continue;
      kinds[i]->delete (method);
      /* five moves are needed, of seven */
      if (waits <= 2) {
        assert_int_equal(atomic_load(&puzzle->score), 100);
        assert_int_equal(atomic_load(&puzzle->length), 7 - waits);
      } else {
        assert_true(atomic_load(&puzzle->score) < 100);
        if (kinds[i] == &meet_method)
          assert_int_equal(atomic_load(&puzzle->bound), 10);
      }
      exhaust_close(&opened);
    }
}

static void test_refused(void **state) {
  static const char *const refused[] = {UNITS_RESET, UNITS_MANY_ENDS,
                                        PUZZLE_OVER};
  (void)state;
  for (size_t i = 0; i < LENGTH(refused); i++) {
    ExhaustPuzzle opened;
    units_open(&opened, refused[i]);
    MethodTask task = {.puzzle = opened.puzzle, .memory = 1 << 26};
    assert_null(meet_method.new(&task));
    exhaust_close(&opened);
  }
}

static void solve(const char *text, uint64_t states, Plan *plan) {
  ExhaustPuzzle opened;
  units_open(&opened, text);
  MethodTask task = {.puzzle = opened.puzzle, .seed = 1, .memory = 1 << 28};
  Method *method = patterns_method.new(&task);
  assert_non_null(method);
  Slice slice = {.states = states};
  while (!puzzle_solved(opened.puzzle))
    assert_true(patterns_method.run(method, &slice) == METHOD_WORKING ||
                puzzle_solved(opened.puzzle));
  assert_true(method->expanded < 400000);
  patterns_method.delete(method);
  puzzle_best(opened.puzzle, plan);
  assert_int_equal(plan->score, 100);
  exhaust_close(&opened);
}

/* Fully scrambled, with twenty pieces and fifty moves. */
static void test_cube(void **state) {
  (void)state;
  Plan plan;
  solve("games/rubiksCube.kif", 777, &plan);
  assert_true(plan.moves.count <= 50);
  vector_free(&plan.moves);
}

/* With the seed the plan is the same, whatever the slices are. */
static void test_same(void **state) {
  (void)state;
  Plan one, other;
  solve("games/eightPuzzle.kif", 1, &one);
  solve("games/eightPuzzle.kif", 100000, &other);
  assert_int_equal(one.moves.count, 30);
  assert_int_equal(other.moves.count, 30);
  assert_memory_equal(one.moves.data, other.moves.data, 30 * sizeof(Move));
  vector_free(&one.moves);
  vector_free(&other.moves);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_meet),    cmocka_unit_test(test_patterns),
      cmocka_unit_test(test_stuck),   cmocka_unit_test(test_waiting),
      cmocka_unit_test(test_refused), cmocka_unit_test(test_cube),
      cmocka_unit_test(test_same)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
