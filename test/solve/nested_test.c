/* Nested Monte Carlo search and nested rollout policy adaptation: plans that
   replay, the best score of easy puzzles, the same seed gives the same plan
   whatever the slices; on the net one at a time and in lanes, and on the
   rules. */
#include "solve/nested.h"

#include "base/hash.h"
#include "solve/nrpa.h"
#include "support/exhaust.h"
#include "support/unit.h"

typedef enum { RULES, NET, LANES, WAYS } Way;

static void open_for(ExhaustPuzzle *opened, const char *text, Way way) {
  exhaust_open(opened, text, way != RULES);
  if (way == LANES) assert_non_null(book_cones(&opened->book, 1));
}

/* Plays the best plan again; returns its score and a signature of it. */
static int replay(Puzzle *puzzle, uint64_t *sign) {
  Plan plan;
  uint32_t at;
  puzzle_best(puzzle, &plan);
  int score = plan.score;
  if (score >= 0)
    assert_int_equal(
        puzzle_replay(puzzle, plan.moves.data, plan.moves.count, &at), score);
  *sign = plan.moves.count;
  for (uint32_t i = 0; i < plan.moves.count; i++)
    *sign = hash_pair(*sign, plan.moves.data[i]);
  vector_free(&plan.moves);
  return score;
}

static int run(const char *text, Way way, const MethodKind *kind, uint64_t seed,
               uint64_t slice, uint64_t states, uint64_t *sign) {
  ExhaustPuzzle opened;
  open_for(&opened, text, way);
  exhaust_run(opened.puzzle, kind, seed, slice, states);
  int score = replay(opened.puzzle, sign);
  exhaust_close(&opened);
  return score;
}

static const MethodKind *const kinds[] = {&nested_method, &nrpa_method};

static void test_easy(void **state) {
  static const struct {
    const char *text;
    int score;
  } easy[] = {{PUZZLE_LINE, 100},
              {PUZZLE_HOPELESS, 0},
              {"games/buttons.kif", 100},
              {"games/maze.kif", 100},
              {"games/blocksWorld.kif", 100}};
  (void)state;
  uint64_t sign;
  for (size_t i = 0; i < LENGTH(easy); i++)
    for (size_t k = 0; k < LENGTH(kinds); k++)
      for (Way way = RULES; way < WAYS; way++)
        assert_int_equal(run(easy[i].text, way, kinds[k], 1, 500,
                             way == LANES ? 100000 : 8000, &sign),
                         easy[i].score);
}

/* Partial goals get better with work, and depend on the seed alone. */
static void test_same_seed(void **state) {
  (void)state;
  for (size_t k = 0; k < LENGTH(kinds); k++)
    for (Way way = NET; way < WAYS; way++) {
      uint64_t states = way == LANES ? 200000 : 10000, first, second, other;
      int score =
          run("games/knightsTour.kif", way, kinds[k], 5, 100, states, &first);
      assert_in_range(score, 40, 100);
      assert_int_equal(
          run("games/knightsTour.kif", way, kinds[k], 5, 100, states, &second),
          score);
      assert_int_equal(first, second);
      run("games/knightsTour.kif", way, kinds[k], 6, 100, states, &other);
      assert_int_not_equal(first, other);
    }
}

/* Without an end there is no plan; where the game is over there is no method.
 */
static void test_none(void **state) {
  (void)state;
  uint64_t sign;
  for (size_t k = 0; k < LENGTH(kinds); k++) {
    for (Way way = RULES; way < WAYS; way++)
      assert_int_equal(run(PUZZLE_ENDLESS, way, kinds[k], 1, 100, 20000, &sign),
                       -1);
    ExhaustPuzzle opened;
    exhaust_open(&opened, PUZZLE_OVER, true);
    MethodTask task = {.puzzle = opened.puzzle, .memory = 1 << 20};
    assert_null(kinds[k]->new (&task));
    exhaust_close(&opened);
  }
}

/* A state without moves that is not terminal: the work ends all the same. */
#define PUZZLE_STUCK \
  "(role r) (init a) (<= (legal r go) (true b)) (<= (next b) (true b))" \
  "(<= terminal (true b)) (goal r 100)"

static void test_stuck(void **state) {
  (void)state;
  uint64_t sign;
  for (size_t k = 0; k < LENGTH(kinds); k++)
    for (Way way = RULES; way < WAYS; way++)
      assert_int_equal(run(PUZZLE_STUCK, way, kinds[k], 1, 10, 100, &sign), -1);
}

/* Higher levels begin when there is time for them. */
static void test_levels(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, "games/maze.kif", true);
  MethodTask task = {.puzzle = opened.puzzle, .seed = 1, .memory = 1 << 24};
  Method *method = nested_method.new(&task);
  Slice slice = {.states = 300000};
  assert_int_equal(nested_method.run(method, &slice), METHOD_WORKING);
  Text text = {0};
  uint32_t searches[3] = {0};
  nested_method.explain(method, &text);
  assert_int_equal(sscanf(strchr(text_string(&text), ':'), ": %u %u %u",
                          &searches[0], &searches[1], &searches[2]),
                   3);
  assert_true(searches[0] > searches[1]);
  assert_true(searches[1] > 0);
  text_free(&text);
  nested_method.delete(method);
  exhaust_close(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_easy), cmocka_unit_test(test_same_seed),
      cmocka_unit_test(test_none), cmocka_unit_test(test_stuck),
      cmocka_unit_test(test_levels)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
