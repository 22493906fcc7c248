/* Distances from the goal against the engine, which says when they are zero,
   and against a recursive twin. */
#include "base/bits.h"
#include "base/random.h"
#include "solve/distance.h"
#include "support/puzzles.h"
#include "support/unit.h"

/* Bridges between places on a ring open and close; the goal is reached if one
   can walk from a to d. */
#define GAME_WALK \
  "(role r) (init (at a)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(succ 3 4) (succ 4 5) (succ 5 6) (ring a b) (ring b c) (ring c d)" \
  "(ring d e) (ring e a) (<= (joined ?x ?y) (ring ?x ?y))" \
  "(<= (joined ?x ?y) (ring ?y ?x))" \
  "(<= (legal r (flip ?x ?y)) (ring ?x ?y))" \
  "(<= (next (open ?x ?y)) (does r (flip ?x ?y)) (not (true (open ?x ?y))))" \
  "(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does r (flip ?x ?y))))" \
  "(<= (next (at ?x)) (true (at ?x)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (way ?x ?y) (true (open ?x ?y))) (<= (way ?x ?y) (true (open ?y ?x)))" \
  "(<= (reach ?x) (true (at ?x)))" \
  "(<= (reach ?y) (reach ?x) (joined ?x ?y) (way ?x ?y))" \
  "(<= terminal (true (step 6))) (<= terminal (reach d))" \
  "(<= (goal r 100) (reach d)) (<= (goal r 40) (not (reach d)) (reach c))" \
  "(<= (goal r 0) (not (reach d)) (not (reach c)))"

/* ---- the twin ---- */

/* The fluent will not change, or another one of its group will not. */
static bool is_stuck(const Packing *packing, const Changes *changes,
                     const uint64_t *state, uint32_t fluent) {
  bool holds = bits_has(state, fluent);
  if (bits_has(packing->fixed, fluent)) return true;
  if (bits_has(packing->timed, fluent)) return false;
  if (!holds && changes->stays_false[fluent] == EVIDENCE_PROVED) return true;
  if (holds) return changes->stays_true[fluent] == EVIDENCE_PROVED;
  for (uint32_t f = 0; f < packing->fields.count; f++) {
    const PackingField *field = &packing->fields.data[f];
    bool has = false, stays = false;
    for (uint32_t i = 0; i < field->count; i++) {
      uint32_t other = field->fluents[i];
      has |= other == fluent;
      stays |= bits_has(state, other) &&
               changes->stays_true[other] == EVIDENCE_PROVED;
    }
    if (has) return stays;
  }
  return false;
}

/* Without loops, and measured by ones. */
static uint32_t twin(const Packing *packing, const Changes *changes,
                     const uint64_t *state, Signal signal) {
  const Net *net = packing->net;
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  bool negated = signal_negated(signal);
  if (gate->kind == GATE_FLUENT) {
    if (bits_has(state, gate->first) != negated) return 0;
    return is_stuck(packing, changes, state, gate->first) ? DISTANCE_FAR : 1;
  }
  if (gate->kind != GATE_AND) return negated ? 0 : DISTANCE_FAR;
  uint32_t sum = 0, least = DISTANCE_FAR;
  for (uint32_t i = 0; i < gate->count; i++) {
    Signal input = net_inputs(net, signal_gate(signal))[i];
    uint32_t cost =
        twin(packing, changes, state, negated ? signal_not(input) : input);
    if (cost < least) least = cost;
    sum += cost;
  }
  return negated ? least : sum < DISTANCE_FAR ? sum : DISTANCE_FAR;
}

static void check_twin(const Packing *packing, const Changes *changes,
                       const uint64_t *state, const Rating *rating) {
  const Net *net = packing->net;
  uint32_t least = DISTANCE_FAR;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    uint32_t cost = twin(packing, changes, state, net->goals.data[i].signal);
    if (net->goals.data[i].value == 100 && cost < least) least = cost;
  }
  assert_int_equal(rating->goal, least);
  assert_int_equal(rating->end, twin(packing, changes, state, net->terminal));
}

/* ---- sampled states ---- */

typedef struct Case {
  Puzzles *puzzle;
  Packing packing;
  Distance *distance;
  uint64_t *key, *before;
  uint32_t zero, more; /* ratings seen */
} Case;

/* Every value that is a goal of the state has distance 0, no other one has. */
static void check_goals(Case *at, const uint64_t *key, uint16_t depth) {
  const Net *net = &at->puzzle->book.net;
  Game *game = at->puzzle->game;
  int highest = -1;
  Rating rating;
  const Term *values;
  uint32_t count = game_goals(game, 0, &values);
  for (uint32_t i = 0; i < net->goals.count; i++)
    for (uint32_t j = 0; j < count; j++)
      if (net->goals.data[i].term == values[j] &&
          net->goals.data[i].value > highest)
        highest = net->goals.data[i].value;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    int value = net->goals.data[i].value;
    distance_aim(at->distance, value);
    distance_rate(at->distance, key, at->packing.words, &depth, 1, &rating);
    assert_int_equal(rating.goal == 0, highest >= value);
    assert_int_equal(rating.score, highest);
    assert_int_equal(rating.terminal, game_terminal(game));
    assert_int_equal(rating.end == 0, rating.terminal);
    at->zero += rating.goal == 0;
    at->more += rating.goal != 0;
  }
}

static void check_state(Case *at, uint16_t depth, bool steps) {
  const uint64_t *state;
  Rating rating;
  game_state(at->puzzle->game, &state);
  packing_pack(&at->packing, state, at->key);
  check_goals(at, at->key, depth);
  distance_aim(at->distance, 100);
  distance_rate(at->distance, at->key, at->packing.words, &depth, 1, &rating);
  if (!steps && !at->packing.net->loops.count)
    check_twin(&at->packing, &at->puzzle->book.analysis->changes, state,
               &rating);
  if (depth) distance_see(at->distance, at->before, at->key);
  memcpy(at->before, at->key, at->packing.words * sizeof *at->key);
}

static void check_playout(Case *at, Random *random, bool steps) {
  Game *game = at->puzzle->game;
  const Move *moves;
  game_reset(game);
  for (uint16_t depth = 0; depth < 60; depth++) {
    check_state(at, depth, steps);
    uint32_t count = game_terminal(game) ? 0 : game_legal(game, 0, &moves);
    if (!count) break;
    Move move = moves[random_below(random, count)];
    game_make(game, &move);
  }
}

static void check_puzzle(Puzzles *puzzle) {
  Case at = {.puzzle = puzzle};
  Random random;
  random_seed(&random, 5);
  book_analysis(&puzzle->book);
  game_reset(puzzle->game);
  const uint64_t *state;
  game_state(puzzle->game, &state);
  packing_init(&at.packing, &puzzle->book, state);
  at.distance = distance_new(&at.packing, puzzle->book.analysis);
  assert_non_null(at.distance);
  at.key = memory_new(at.packing.words * sizeof *at.key);
  at.before = memory_new(at.packing.words * sizeof *at.before);
  for (uint32_t i = 0; i < 8; i++) check_playout(&at, &random, false);
  distance_measure(at.distance, MEASURE_STEPS);
  for (uint32_t i = 0; i < 8; i++) check_playout(&at, &random, true);
  distance_measure(at.distance, MEASURE_ONE);
  for (uint32_t i = 0; i < 2; i++) check_playout(&at, &random, false);
  distance_measure(at.distance, MEASURE_DEEP);
  for (uint32_t i = 0; i < 8; i++) check_playout(&at, &random, true);
  assert_true(at.zero > 0 && at.more > 0);
  memory_delete(at.key);
  memory_delete(at.before);
  distance_delete(at.distance);
  packing_free(&at.packing);
  puzzles_close(puzzle);
}

static void test_own_games(void **state) {
  (void)state;
  static const char *const names[] = {
      "blocksWorld", "buttons", "hamilton",  "hanoi",           "hunter",
      "knightsTour", "maze",    "lightsOut", "circleSolitaire", "peg"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles puzzle;
    puzzles_open_own(&puzzle, names[i]);
    check_puzzle(&puzzle);
  }
}

static void test_loops(void **state) {
  (void)state;
  Puzzles puzzle;
  puzzles_open_text(&puzzle, GAME_WALK);
  assert_true(puzzle.book.net.loops.count > 0);
  check_puzzle(&puzzle);
}

/* ---- many at once, and steps ---- */

/* The counter must be counted up to 5; it takes as many steps as are left, once
   its steps were seen. */
static void test_steps(void **state) {
  (void)state;
  Puzzles puzzle;
  puzzles_open_text(
      &puzzle,
      "(role r) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)"
      "(succ 4 5) (legal r up) (legal r stay)"
      "(<= (next (n ?y)) (does r up) (true (n ?x)) (succ ?x ?y))"
      "(<= (next (n ?x)) (does r stay) (true (n ?x)))"
      "(<= terminal (true (n 5))) (<= (goal r 100) (true (n 5)))"
      "(<= (goal r 0) (not (true (n 5))))");
  assert_non_null(book_analysis(&puzzle.book));
  Packing packing;
  const uint64_t *words;
  game_state(puzzle.game, &words);
  packing_init(&packing, &puzzle.book, words);
  Distance *distance = distance_new(&packing, puzzle.book.analysis);
  uint64_t keys[100];
  uint16_t depths[100] = {0};
  Rating ratings[100];
  for (uint32_t i = 0; i < 6; i++) {
    game_state(puzzle.game, &words);
    packing_pack(&packing, words, &keys[i]);
    if (i) distance_see(distance, &keys[i - 1], &keys[i]);
    if (i < 5) puzzles_make(&puzzle, "up");
  }
  for (uint32_t i = 6; i < 100; i++) keys[i] = keys[i % 6];
  distance_rate(distance, keys, 1, depths, 100, ratings);
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(ratings[i].goal, i % 6 != 5);
  distance_measure(distance, MEASURE_STEPS);
  distance_rate(distance, keys, 1, depths, 100, ratings);
  for (uint32_t i = 0; i < 100; i++)
    assert_int_equal(ratings[i].goal, 5 - i % 6);
  distance_measure(distance, MEASURE_ONE);
  distance_rate(distance, keys, 1, depths, 1, ratings);
  assert_int_equal(ratings[0].goal, 1);
  distance_delete(distance);
  packing_free(&packing);
  puzzles_close(&puzzle);
}

/* The light is lit by pressing while both switches are on, and stays lit: what
   it takes is one, and what it takes to turn on the switches. */
static void test_deep(void **state) {
  (void)state;
  Puzzles puzzle;
  puzzles_open_text(
      &puzzle, "(role r) (switch a) (switch b) (legal r press)"
               "(<= (legal r (turn ?s)) (switch ?s))"
               "(<= (next (on ?s)) (does r (turn ?s)) (not (true (on ?s))))"
               "(<= (next (on ?s)) (true (on ?s)) (not (does r (turn ?s))))"
               "(<= (next lit) (does r press) (true (on a)) (true (on b)))"
               "(<= (next lit) (true lit)) (<= terminal (true lit))"
               "(<= (goal r 100) (true lit)) (<= (goal r 0) (not (true lit)))");
  assert_non_null(book_analysis(&puzzle.book));
  Packing packing;
  const uint64_t *words;
  game_state(puzzle.game, &words);
  packing_init(&packing, &puzzle.book, words);
  assert_int_equal(packing.words, 1);
  Distance *distance = distance_new(&packing, puzzle.book.analysis);
  static const char *const moves[] = {"press",    "(turn a)", "(turn b)",
                                      "(turn a)", "(turn a)", "press"};
  static const uint32_t deep[] = {3, 2, 1, 2, 1, 0};
  for (uint32_t i = 0; i < LENGTH(moves); i++) {
    uint64_t key;
    uint16_t depth = (uint16_t)(i + 1);
    Rating rating;
    puzzles_make(&puzzle, moves[i]);
    game_state(puzzle.game, &words);
    packing_pack(&packing, words, &key);
    distance_measure(distance, MEASURE_DEEP);
    distance_rate(distance, &key, 1, &depth, 1, &rating);
    assert_int_equal(rating.goal, deep[i]);
    distance_measure(distance, MEASURE_ONE);
    distance_rate(distance, &key, 1, &depth, 1, &rating);
    assert_int_equal(rating.goal, i < 5);
  }
  distance_delete(distance);
  packing_free(&packing);
  puzzles_close(&puzzle);
}

static void test_guides(void **state) {
  (void)state;
  Rating near = {.score = 0, .goal = 1, .end = 5};
  Rating high = {.score = 50, .goal = 300, .end = 1};
  assert_true(distance_guide(&near, GUIDE_GOAL) <
              distance_guide(&high, GUIDE_GOAL));
  assert_true(distance_guide(&near, GUIDE_SCORE) >
              distance_guide(&high, GUIDE_SCORE));
  assert_int_equal(distance_guide(&near, GUIDE_END), 6);
  Rating none = {.score = -1, .goal = DISTANCE_FAR, .end = DISTANCE_FAR};
  for (Guide guide = 0; guide < GUIDE_KINDS; guide++)
    assert_true(distance_guide(&none, guide) <= GUIDE_MOST);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_games), cmocka_unit_test(test_loops),
      cmocka_unit_test(test_steps),     cmocka_unit_test(test_deep),
      cmocka_unit_test(test_guides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
