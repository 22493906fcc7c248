/* Playouts: the way and back, and in lanes a row of scores for each step, seen
   by scores that leave no choice. */
#include "solve/rollout.h"

#include "solve/nested.h"
#include "support/exhaust.h"
#include "support/unit.h"

enum { SURE = 60 }; /* a score that no noise makes up for */

static void open_line(ExhaustPuzzle *opened, Method *method) {
  exhaust_open(opened, PUZZLE_LINE, true);
  assert_non_null(book_cones(&opened->book, 1));
  *method = (Method){.kind = &nested_method, .puzzle = opened->puzzle};
}

static Move named(const Puzzle *puzzle, const char *name) {
  const Net *net = puzzle->net;
  Text text = {0};
  Move move = 0;
  for (;; move++) {
    assert_true(move < net->moves.count);
    text_clear(&text);
    term_write(&puzzle->book->description->rules.terms,
               net->moves.data[move].term, &text);
    if (strcmp(text_string(&text), name) == 0) break;
  }
  text_free(&text);
  return move;
}

static void expect(const Sequence *sequence, int score, const Move *moves,
                   uint32_t count) {
  assert_int_equal(sequence->score, score);
  assert_int_equal(sequence->moves.count, count);
  assert_memory_equal(sequence->moves.data, moves, count * sizeof *moves);
}

static void test_scores(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  Method method;
  Rollout rollout;
  open_line(&opened, &method);
  rollout_init(&rollout, &method, 1, true);
  assert_non_null(rollout.wide);
  Move up = named(opened.puzzle, "up"), stop = named(opened.puzzle, "stop");
  double rows[3][3] = {{0}};
  rows[0][up] = rows[1][up] = rows[2][stop] = SURE;
  RolloutScores by_step = {rows[0], 3, false}, always = {rows[2], 1, true};
  rollout_play_scores(&rollout, &by_step);
  expect(&rollout.result, 30, (Move[]){up, up, stop}, 3);
  rollout_play_scores(&rollout, &always);
  expect(&rollout.result, 0, (Move[]){stop}, 1);
  assert_int_equal(method.simulations, 128);
  /* beyond the rows choice is uniform: some lane goes on to the end */
  RolloutScores first = {rows[0], 2, false};
  rollout_play_scores(&rollout, &first);
  expect(&rollout.result, 100, (Move[]){up, up, up, up, stop}, 5);
  rollout_free(&rollout);
  exhaust_close(&opened);
}

/* Playouts after given moves keep the way, and take ends at once. */
static void test_moves(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  Method method;
  Rollout rollout;
  open_line(&opened, &method);
  rollout_init(&rollout, &method, 3, true);
  Move up = named(opened.puzzle, "up"), stop = named(opened.puzzle, "stop");
  for (uint32_t i = 0; i < 4; i++) rollout_make(&rollout, up);
  rollout_play_moves(&rollout, &stop, 1);
  expect(&rollout.result, 100, (Move[]){up, up, up, up, stop}, 5);
  rollout_go_back(&rollout, 1);
  rollout_play_moves(&rollout, (Move[]){stop, up}, 2);
  expect(&rollout.result, 100, (Move[]){up, up, up, up, stop}, 5);
  assert_int_equal(rollout.way.moves.count, 1);
  for (uint32_t i = 0; i < 20; i++) {
    rollout_play(&rollout);
    assert_true(rollout.result.score >= 0);
    assert_int_equal(rollout.result.moves.data[0], up);
    assert_int_equal(rollout.way.moves.count, 1);
  }
  assert_int_equal(atomic_load(&opened.puzzle->score), 100);
  rollout_free(&rollout);
  exhaust_close(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_scores),
                                     cmocka_unit_test(test_moves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
