/* Courses of random nets and of games: random games, played by the slow
   evaluation, stay within what the stages admit, and so does every gate. */
#include "analyse/course.h"

#include "support/net_evaluate.h"
#include "support/playouts.h"

enum { STEPS = 40 };

/* A random game. */
typedef struct Walk {
  const Net *net;
  Random random;
  bool *state, *does, *values, *may;
  uint64_t *row;
} Walk;

static void walk_init(Walk *walk, const Net *net, uint64_t seed) {
  *walk = (Walk){.net = net,
                 .state = memory_new(net->fluents.count),
                 .does = memory_new(net->moves.count),
                 .values = memory_new(net->gates.count),
                 .may = memory_new(2 * (size_t)net->gates.count),
                 .row = memory_new((bits_words(net->fluents.count) + 1) * 8)};
  random_seed(&walk->random, seed);
}

static void walk_free(Walk *walk) {
  memory_delete(walk->state);
  memory_delete(walk->does);
  memory_delete(walk->values);
  memory_delete(walk->may);
  memory_delete(walk->row);
}

static bool value(const Walk *walk, Signal signal) {
  return walk->values[signal_gate(signal)] != signal_negated(signal);
}

static void see(Walk *walk) {
  net_evaluate(walk->net, walk->state, walk->does, walk->values);
  memset(walk->row, 0, bits_words(walk->net->fluents.count) * 8);
  for (uint32_t i = 0; i < walk->net->fluents.count; i++)
    if (walk->state[i]) bits_add(walk->row, i);
}

/* Chooses legal moves; returns false if the game is over. */
static bool choose(Walk *walk) {
  const Net *net = walk->net;
  memset(walk->does, 0, net->moves.count);
  see(walk);
  if (value(walk, net->terminal)) return false;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t legal = 0, chosen = UINT32_MAX;
    for (uint32_t i = net->role_first.data[role];
         i < net->role_first.data[role + 1]; i++)
      if (value(walk, net->moves.data[i].legal) &&
          !random_below(&walk->random, ++legal))
        chosen = i;
    if (!legal) return false;
    walk->does[chosen] = true;
  }
  see(walk);
  return true;
}

static void check_gates(Walk *walk, const Course *course, uint32_t stage) {
  course_evaluate(walk->net, course_rows(course, stage), walk->may);
  for (Gate gate = 0; gate < walk->net->gates.count; gate++)
    assert_true(walk->may[gate_signal(gate) | !walk->values[gate]]);
}

static void check_game(Walk *walk, const Course *course, bool gates) {
  const Net *net = walk->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    walk->state[i] = net->fluents.data[i].initial;
  for (uint32_t step = 0; step < STEPS; step++) {
    uint32_t stage = course_stage(course, step);
    bool plays = choose(walk);
    assert_true(course_admits(course, stage, walk->row));
    if (!plays) return;
    if (gates) check_gates(walk, course, stage);
    for (uint32_t i = 0; i < net->fluents.count; i++)
      walk->state[i] = value(walk, net->fluents.data[i].next);
  }
}

/* Counts fluents that are known at some stage. */
static uint32_t count_known(const Course *course) {
  size_t words = course_row_words(course);
  uint32_t known = 0;
  for (uint32_t stage = 0; stage < course->stages; stage++)
    for (uint32_t i = 0; i < course->net->fluents.count; i++)
      known += !bits_has(course_rows(course, stage), i) ||
               !bits_has(course_rows(course, stage) + words, i);
  return known;
}

static uint32_t check_net(const Net *net, uint64_t seed, uint32_t period,
                          uint32_t games) {
  Walk walk;
  Course course;
  walk_init(&walk, net, seed);
  course_find_rounds(net, period, &course);
  assert_int_equal(course.stages, period);
  assert_int_equal(course.back, 0);
  uint32_t known = count_known(&course);
  for (uint32_t i = 0; i < games; i++) check_game(&walk, &course, i < 1);
  course_free(&course);
  if (course_find_steps(net, period, UINT64_C(50000000), &course)) {
    assert_int_equal(course.stages - course.back, period);
    for (uint32_t i = 0; i < games; i++) check_game(&walk, &course, i < 1);
    course_free(&course);
  }
  walk_free(&walk);
  return known;
}

static void test_random_nets(void **state) {
  uint32_t known = 0;
  (void)state;
  for (uint64_t seed = 0; seed < 100; seed++) {
    Terms terms;
    Net net;
    Random random;
    terms_init(&terms);
    random_seed(&random, seed);
    random_net(&net, &terms, &random, seed % 3 == 0);
    known += check_net(&net, seed, 1 + seed % 4, 10);
    net_free(&net);
    terms_free(&terms);
  }
  assert_true(known > 0);
}

static void test_library(void **state) {
  static const struct {
    const char *path;
    uint32_t period;
  } cases[] = {{"games/ticTacToe.kif", 2}, {"games/pentago.kif", 4},
               {"games/hex.kif", 2},       {"games/breakthrough.kif", 2},
               {"games/bomberman.kif", 1}, {"games/chineseCheckers4.kif", 4}};
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Loaded loaded;
    load(&loaded, cases[i].path);
    uint32_t known = check_net(&loaded.net, i, cases[i].period, 3);
    assert_true(cases[i].period == 1 || known >= 2 * cases[i].period);
    unload(&loaded);
  }
}

/* A state whose control disagrees with the stage is not admitted. */
static void test_strays(void **state) {
  (void)state;
  Loaded loaded;
  Course course;
  load(&loaded, "games/ticTacToe.kif");
  course_find_rounds(&loaded.net, 2, &course);
  uint64_t *row =
      memory_new((bits_words(loaded.net.fluents.count) + 1) * sizeof *row);
  for (uint32_t i = 0; i < loaded.net.fluents.count; i++)
    if (loaded.net.fluents.data[i].initial) bits_add(row, i);
  assert_true(course_admits(&course, 0, row));
  assert_false(course_admits(&course, 1, row));
  memory_delete(row);
  course_free(&course);
  unload(&loaded);
}

/* A course that does not repeat soon enough is given up. */
static void test_budget(void **state) {
  (void)state;
  Loaded loaded;
  Course course;
  load(&loaded, "games/knightsTour.kif");
  assert_false(course_find_steps(&loaded.net, 2, 0, &course));
  assert_true(course_find_steps(&loaded.net, 2, UINT64_C(1) << 30, &course));
  assert_true(course.stages > 1);
  course_free(&course);
  unload(&loaded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_nets),
      cmocka_unit_test(test_library),
      cmocka_unit_test(test_strays),
      cmocka_unit_test(test_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
