/* Symmetries of small puzzles: which are found, which are refused, and that
   searches that use them find the same scores and lengths as exhaustive
   search. */
#include "solve/symmetry.h"

#include "base/bits.h"
#include "solve/breadth.h"
#include "solve/satisfy.h"
#include "support/exhaust.h"
#include "support/puzzles.h"
#include "support/unit.h"

enum { STATES = 30000, SLICE = 1000, WORK = 2000000 };

/* A square of lamps, all of them dark; a press changes a lamp and those beside
   it. */
#define LAMPS_RULES \
  "(role r) (n 1) (n 2) (n 3) (by 1 2) (by 2 1) (by 2 3) (by 3 2)" \
  "(<= (legal r (press ?x ?y)) (n ?x) (n ?y))" \
  "(<= (toggled ?x ?y) (does r (press ?x ?y)))" \
  "(<= (toggled ?x ?y) (does r (press ?u ?y)) (by ?u ?x))" \
  "(<= (toggled ?x ?y) (does r (press ?x ?v)) (by ?v ?y))" \
  "(<= (next (lit ?x ?y)) (true (lit ?x ?y)) (not (toggled ?x ?y)))" \
  "(<= (next (lit ?x ?y)) (toggled ?x ?y) (not (true (lit ?x ?y))))" \
  "(<= dark (n ?x) (n ?y) (not (true (lit ?x ?y))))"
#define LAMPS_ALL "(<= terminal (not dark)) (<= (goal r 0) dark)"
#define LAMPS LAMPS_RULES LAMPS_ALL "(<= (goal r 100) (not dark))"

/* The goal, or a rule, looks almost the same. */
#define LAMPS_GOAL \
  LAMPS_RULES LAMPS_ALL \
      "(<= end (true (lit 1 1)) (true (lit 1 2)) (not (true (lit 2 1))))" \
      "(<= terminal end) (<= (goal r 50) end) (<= (goal r 100) (not dark))"
#define LAMPS_RULE LAMPS "(<= (toggled 1 1) (does r (press 3 2)))"

/* Three presses, which is too few. */
#define LAMPS_SHORT \
  LAMPS_RULES \
  "(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(<= (next (step ?t)) (true (step ?s)) (succ ?s ?t))" \
  "(<= terminal (true (step 3))) (<= (goal r 100) (not dark))" \
  "(<= cross (true (lit 1 1)) (true (lit 1 3)) (true (lit 3 1))" \
  "    (true (lit 3 3)) (not (true (lit 2 2))))" \
  "(<= pair (true (lit 1 1)) (true (lit 3 3)) (true (lit 2 2)))" \
  "(<= pair (true (lit 3 1)) (true (lit 1 3)) (true (lit 2 2)))" \
  "(<= (goal r 60) dark cross) (<= (goal r 40) dark pair (not cross))" \
  "(<= (goal r 0) dark (not cross) (not pair))"

/* Three wheels that are turned on by one, up to the last position; the first
   of them that gets there may be pulled. */
#define WHEELS \
  "(role r) (wheel a) (wheel b) (wheel c) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(<= (init (at ?w 0)) (wheel ?w))" \
  "(<= (legal r (turn ?w)) (true (at ?w ?p)) (succ ?p ?q))" \
  "(<= (legal r (pull ?w)) (true (at ?w 3)))" \
  "(<= (next (at ?w ?q)) (does r (turn ?w)) (true (at ?w ?p)) (succ ?p ?q))" \
  "(<= (next (at ?w ?p)) (true (at ?w ?p)) (not (does r (turn ?w))))" \
  "(<= (next (out ?w)) (does r (pull ?w))) (<= (next (out ?w)) (true (out " \
  "?w)))" \
  "(<= terminal (true (out ?w))) (<= low (true (at ?w 0)))" \
  "(<= (goal r 100) (not low)) (<= (goal r 10) low)"

/* Two wheels that differ only when some bolts are open and others are not,
   which random games do not come to: then turning a jams. */
#define LOCK \
  "(role r) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)" \
  "(succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)" \
  "(wheel a) (wheel b)" \
  "(<= (legal r (turn ?w)) (wheel ?w)) (legal r (slide 1))" \
  "(<= (legal r (slide ?n)) (true (open ?m)) (succ ?m ?n))" \
  "(<= (next (open ?n)) (does r (slide ?n)) (not (true (open ?n))))" \
  "(<= (next (open ?n)) (true (open ?n)) (not (does r (slide ?n))))" \
  "(<= (next (up ?w)) (does r (turn ?w)) (not (true (up ?w))))" \
  "(<= (next (up ?w)) (true (up ?w)) (not (does r (turn ?w))))" \
  "(<= key (true (open 2)) (true (open 3)) (true (open 5)) (true (open 8))" \
  "    (true (open 9)) (true (open 11)) (not (true (open 1)))" \
  "    (not (true (open 4))) (not (true (open 6))) (not (true (open 7)))" \
  "    (not (true (open 10))) (not (true (open 12))))" \
  "(<= (next jam) (does r (turn a)) key) (<= terminal (true jam))" \
  "(goal r 100)"
#define LOCK_FAIR LOCK "(<= (next jam) (does r (turn b)) key)"

/* Queens on four by four squares; the goal judges. */
#define QUEENS \
  "(role r) (n 1) (n 2) (n 3) (n 4) (init (left 4))" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)" \
  "(<= (legal r (put ?x ?y)) (n ?x) (n ?y) (not (true (queen ?x ?y))))" \
  "(<= (next (queen ?x ?y)) (does r (put ?x ?y)))" \
  "(<= (next (queen ?x ?y)) (true (queen ?x ?y)))" \
  "(<= (next (left ?m)) (true (left ?n)) (succ ?m ?n))" \
  "(<= terminal (true (left 0)))" \
  "(<= bad (true (queen ?x ?y)) (true (queen ?x ?z)) (distinct ?y ?z))" \
  "(<= bad (true (queen ?x ?y)) (true (queen ?z ?y)) (distinct ?x ?z))" \
  "(<= (up ?x ?y ?u ?v) (succ ?x ?u) (succ ?y ?v) (n ?x) (n ?y))" \
  "(<= (up ?x ?y ?u ?v) (up ?x ?y ?s ?t) (succ ?s ?u) (succ ?t ?v))" \
  "(<= (down ?x ?y ?u ?v) (succ ?x ?u) (succ ?v ?y) (n ?x) (n ?v))" \
  "(<= (down ?x ?y ?u ?v) (down ?x ?y ?s ?t) (succ ?s ?u) (succ ?v ?t)" \
  "    (n ?v))" \
  "(<= bad (true (queen ?x ?y)) (true (queen ?u ?v)) (up ?x ?y ?u ?v))" \
  "(<= bad (true (queen ?x ?y)) (true (queen ?u ?v)) (down ?x ?y ?u ?v))" \
  "(<= (goal r 100) (not bad)) (<= (goal r 0) bad)"

static Puzzle *open(ExhaustPuzzle *opened, const char *text) {
  exhaust_open(opened, text, true);
  opened->book.limits.prove_seconds = 1;
  book_analysis(&opened->book);
  book_cones(&opened->book, 0);
  return opened->puzzle;
}

/* ---- what is found ---- */

static void expect(const char *text, uint32_t skipped) {
  ExhaustPuzzle opened;
  Puzzle *puzzle = open(&opened, text);
  Symmetry symmetry;
  assert_int_equal(symmetry_init(&symmetry, puzzle), skipped > 0);
  assert_int_equal(symmetry.skipped, skipped);
  assert_int_equal(symmetry.proved > 0, skipped > 0);
  symmetry_free(&symmetry);
  exhaust_close(&opened);
}

static void test_found(void **state) {
  (void)state;
  expect(LAMPS, 6); /* corner, side and middle are left */
  expect(LAMPS_SHORT, 6);
  expect(WHEELS, 2);
  expect(QUEENS, 13);
  expect(LOCK_FAIR, 1);
  expect("games/peg.kif", 3);
}

static void test_none(void **state) {
  (void)state;
  expect(LAMPS_GOAL, 0);
  expect(LAMPS_RULE, 0);
  expect(LAMPS "(init (lit 1 1)) (init (lit 1 2))", 0);
  expect(PUZZLE_LINE, 0);
  expect(PUZZLE_OVER, 0);
  expect("games/lightsOut.kif", 0); /* its start is irregular */
  expect("games/eightPuzzle.kif", 0);
}

/* Samples do not tell the wheels apart; the proof does. */
static void test_refused(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  Puzzle *puzzle = open(&opened, LOCK);
  Symmetry symmetry;
  assert_false(symmetry_init(&symmetry, puzzle));
  assert_true(symmetry.sampled > 0);
  assert_int_equal(symmetry.proved, 0);
  exhaust_close(&opened);
}

/* ---- orbits ---- */

/* Checks that the middle, one corner and one side are left. */
static void test_orbits(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  Puzzle *puzzle = open(&opened, LAMPS);
  const Terms *terms = &opened.description.rules.terms;
  Symmetry symmetry;
  uint32_t left[3] = {0};
  assert_true(symmetry_init(&symmetry, puzzle));
  for (uint32_t m = 0; m < puzzle->net->moves.count; m++) {
    Term term = puzzle->net->moves.data[m].term;
    int64_t x = term_number(terms, term_argument(terms, term, 0));
    int64_t y = term_number(terms, term_argument(terms, term, 1));
    uint32_t orbit = (uint32_t)((x != 2) + (y != 2));
    bool skipped = bits_has(symmetry.later, m);
    /* the first of its orbit is kept */
    assert_int_equal(skipped, left[orbit] > 0);
    left[orbit] += !skipped;
  }
  for (uint32_t i = 0; i < 3; i++) assert_int_equal(left[i], 1);
  symmetry_free(&symmetry);
  exhaust_close(&opened);
}

/* After a move only what leaves the new state as it is counts. */
static void test_later_starts(void **state) {
  (void)state;
  static const struct {
    int64_t x, y;
    uint32_t skipped;
  } moves[] = {{1, 1, 3}, {1, 2, 3}, {2, 2, 6}, {2, 3, 3}};
  for (uint32_t i = 0; i < 4; i++) {
    ExhaustPuzzle opened;
    Puzzle *puzzle = open(&opened, LAMPS);
    const Terms *terms = &opened.description.rules.terms;
    for (uint32_t m = 0; m < puzzle->net->moves.count; m++) {
      Term term = puzzle->net->moves.data[m].term;
      if (term_number(terms, term_argument(terms, term, 0)) != moves[i].x ||
          term_number(terms, term_argument(terms, term, 1)) != moves[i].y)
        continue;
      puzzle_advance(puzzle, m);
      break;
    }
    Symmetry symmetry;
    assert_true(symmetry_init(&symmetry, puzzle));
    assert_int_equal(symmetry.skipped, moves[i].skipped);
    symmetry_free(&symmetry);
    exhaust_close(&opened);
  }
}

/* ---- searches ---- */

static void check_method(const char *text, const MethodKind *kind) {
  ExhaustPuzzle opened;
  Puzzle *puzzle = open(&opened, text);
  Exhaust all;
  Symmetry symmetry;
  uint32_t length = 0;
  assert_true(symmetry_init(&symmetry, puzzle));
  symmetry_free(&symmetry);
  exhaust_init(&all, puzzle, STATES);
  int best = exhaust_best(&all, &length);
  assert_true(exhaust_run(puzzle, kind, 1, SLICE, WORK));
  assert_int_equal(atomic_load(&puzzle->score), best);
  assert_int_equal(atomic_load(&puzzle->bound), best);
  assert_int_equal(atomic_load(&puzzle->length), length);
  assert_int_equal(atomic_load(&puzzle->least), length);
  exhaust_free(&all);
  exhaust_close(&opened);
}

static void test_searches(void **state) {
  (void)state;
  static const char *const texts[] = {
      LAMPS,  LAMPS_SHORT, LAMPS "(init (lit 2 2))", LAMPS "(init (lit 1 1))",
      WHEELS, QUEENS};
  for (uint32_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    check_method(texts[i], &breadth_method);
    check_method(texts[i], &satisfy_method);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_found),        cmocka_unit_test(test_none),
      cmocka_unit_test(test_refused),      cmocka_unit_test(test_orbits),
      cmocka_unit_test(test_later_starts), cmocka_unit_test(test_searches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
