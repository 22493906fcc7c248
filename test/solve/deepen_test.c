/* IDA* against exhaustive search: score and length of the plan, and what it
   proves; on the net and on the rules, with a large table and with one that
   forgets. */
#include "solve/deepen.h"

#include "solve/memo.h"
#include "support/exhaust.h"
#include "support/unit.h"

enum { STATES = 20000 };

static void check(const char *text, bool ground, uint64_t slice) {
  ExhaustPuzzle opened;
  exhaust_open(&opened, text, ground);
  Puzzle *puzzle = opened.puzzle;
  Exhaust all;
  uint32_t length = 0;
  exhaust_init(&all, puzzle, STATES);
  int best = exhaust_best(&all, &length);
  int highest = atomic_load(&puzzle->bound);
  assert_true(exhaust_run(puzzle, &deepen_method, 1, slice, UINT64_MAX));
  assert_int_equal(atomic_load(&puzzle->score), best);
  assert_int_equal(atomic_load(&puzzle->length), length);
  if (ground)
    assert_int_equal(atomic_load(&puzzle->bound), best < 0 ? 0 : best);
  else
    assert_int_equal(atomic_load(&puzzle->bound), highest);
  assert_int_equal(atomic_load(&puzzle->least), ground ? length : 0);
  Plan plan;
  uint32_t at;
  puzzle_best(puzzle, &plan);
  assert_int_equal(
      puzzle_replay(puzzle, plan.moves.data, plan.moves.count, &at), best);
  vector_free(&plan.moves);
  exhaust_free(&all);
  exhaust_close(&opened);
}

static void test_small(void **state) {
  static const char *const texts[] = {PUZZLE_LINE,      PUZZLE_HOPELESS,
                                      PUZZLE_ENDLESS,   "games/buttons.kif",
                                      "games/maze.kif", "games/blocksWorld.kif",
                                      "games/hanoi.kif"};
  (void)state;
  for (size_t i = 0; i < LENGTH(texts); i++) {
    check(texts[i], true, 1);
    check(texts[i], true, 1000);
  }
  for (size_t i = 0; i + 1 < LENGTH(texts); i++) check(texts[i], false, 100);
}

/* The first iterations of a puzzle that takes long prove that there is no
   shorter plan, and offer what they meet. */
static void test_partial(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, "games/knightsTour.kif", true);
  Puzzle *puzzle = opened.puzzle;
  assert_false(exhaust_run(puzzle, &deepen_method, 1, 500, 3000));
  assert_in_range(atomic_load(&puzzle->score), 1, 99);
  assert_in_range(atomic_load(&puzzle->least), 3, 29);
  assert_false(puzzle_solved(puzzle));
  exhaust_close(&opened);
}

static void test_terminal(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, PUZZLE_OVER, true);
  MethodTask task = {.puzzle = opened.puzzle, .memory = 1 << 20};
  assert_null(deepen_method.new(&task));
  assert_int_equal(atomic_load(&opened.puzzle->score), 40);
  exhaust_close(&opened);
}

/* ---- the table ---- */

static void test_memo(void **state) {
  (void)state;
  Memo memo;
  memo_init(&memo, 2, (size_t)1 << 24);
  uint32_t forgotten = 0;
  for (uint64_t i = 0; i < 50000; i++) {
    uint64_t row[2] = {i % 25000, i % 25000 / 7};
    uint32_t *number = memo_at(&memo, row);
    if (i < 25000 || *number)
      assert_int_equal(*number, i < 25000 ? 0 : i - 24999);
    else
      forgotten++;
    *number = (uint32_t)i + 1;
  }
  assert_in_range(memo.count, 24000, 25000);
  assert_in_range(forgotten, 0, 1000);
  memo_free(&memo);
}

/* A table without room forgets rows but never mixes them up. */
static void test_memo_full(void **state) {
  (void)state;
  Memo memo;
  memo_init(&memo, 1, 1);
  uint32_t known = 0, slots = memo.slots;
  for (uint64_t i = 0; i < 40000; i++) {
    uint64_t row = i * i % 5003;
    uint32_t *number = memo_at(&memo, &row);
    if (*number) assert_int_equal(*number, row + 1);
    known += *number != 0;
    *number = (uint32_t)row + 1;
  }
  assert_int_equal(memo.slots, slots);
  assert_in_range(memo.count, slots / 2, slots);
  assert_in_range(known, 1000, 39999);
  memo_free(&memo);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_small), cmocka_unit_test(test_partial),
      cmocka_unit_test(test_terminal), cmocka_unit_test(test_memo),
      cmocka_unit_test(test_memo_full)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
