/* Playouts by the programs of legs: by rounds they are the same, move by move,
   as by the programs of the whole net; lanes in step play games that the slow
   evaluation confirms. Machine code plays the same games as the tape. */
#include <glob.h>

#include "base/hash.h"
#include "support/games.h"
#include "support/playouts.h"
#include "wide/phase.h"
#include "wide/tune.h"

typedef struct Case {
  const char *path;
  uint32_t period;
} Case;

static const Case cases[] = {
    {"games/ticTacToe.kif", 2}, {"games/pentago.kif", 4},
    {"games/hex.kif", 2},       {"games/checkers.kif", 2},
    {"games/othello.kif", 2},   {"games/chineseCheckers4.kif", 4}};

/* ---- by rounds ---- */

/* The slow evaluation of large nets is very slow. */
static uint32_t few(const Net *net, uint32_t games) {
  return net->gates.count < 5000 ? games : 0;
}

/* Plays uniformly, then with scores, then from the rows. */
static uint64_t play_by(const Net *net, const ProgramMode *mode,
                        uint32_t period, const uint64_t *rows,
                        uint32_t row_count) {
  Replay replay;
  replay_init(&replay, net);
  Cones *cones = make_cones(net, mode->isa, mode->jit, mode->words);
  if (period) {
    cones_add_rounds(cones, period);
    assert_true(cones_set_mode(cones, &cones->mode));
    assert_non_null(cones->rounds);
    assert_int_equal(cones_leg_count(cones), 1 + period);
    assert_true(legs_cost(cones->rounds, period) <
                (double)legs_cost_of(&cones->whole, net));
  }
  Wide *wide = make_wide(cones, &replay, 3, 90);
  double *scores = memory_new(net->moves.count * sizeof *scores);
  for (uint32_t i = 0; i < net->moves.count; i++) scores[i] = i % 5 * 0.7;
  wide_run(wide, 250);
  check_credit(&replay, wide_credit(wide));
  wide_set_scores(wide, scores);
  wide_run(wide, 250);
  check_games(&replay, NULL, 90, few(net, 8));
  check_totals(&replay, wide_totals(wide));
  check_credit(&replay, wide_credit(wide));
  uint64_t signature = replay_sign(&replay);
  vector_clear(&replay.games);
  vector_clear(&replay.moves);
  wide_set_starts(wide, rows, row_count, 2);
  wide_clear(wide);
  assert_int_equal(wide_play(wide, row_count), row_count);
  assert_int_equal(replay.games.count, 2 * row_count);
  check_games(&replay, rows, 90, few(net, 30));
  check_credit(&replay, wide_credit(wide));
  signature = hash_pair(signature, replay_sign(&replay));
  memory_delete(scores);
  wide_delete(wide);
  cones_delete(cones);
  replay_free(&replay);
  return signature;
}

static uint64_t play(const Net *net, uint32_t period, const uint64_t *rows,
                     uint32_t row_count) {
  return play_by(net, &(ProgramMode){best_isa(), false, 4}, period, rows,
                 row_count);
}

/* Makes a state one that no game reaches: whatever is false at one stage is
   true, such as the control of all roles. */
static void go_astray(const Course *course, uint64_t *row) {
  for (uint32_t stage = 0; stage < course->stages; stage++)
    for (uint32_t i = 0; i < course->net->fluents.count; i++)
      if (!bits_has(course_rows(course, stage), i)) bits_add(row, i);
  for (uint32_t stage = 0; stage < course->stages; stage++)
    assert_false(course_admits(course, stage, row));
}

static bool is_stuck(const Replay *replay) {
  for (uint32_t role = 0; role < replay->net->role_count; role++)
    if (!replay_count_legal(replay, role)) return true;
  return false;
}

/* States of random games; every `stray`th has gone astray. */
static uint64_t *make_rows(const Net *net, uint32_t period, uint32_t count,
                           uint32_t stray) {
  size_t row_words = bits_words(net->fluents.count);
  uint64_t *rows = memory_new(count * row_words * sizeof *rows);
  Course course;
  Replay replay;
  Random random;
  course_find_rounds(net, period, &course);
  replay_init(&replay, net);
  random_seed(&random, 9);
  replay_enter(&replay, NULL);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t joint[REPLAY_ROLES];
    if (replay_value(&replay, net->terminal) || is_stuck(&replay))
      replay_enter(&replay, NULL);
    for (uint32_t j = 0; j < net->fluents.count; j++)
      if (replay.state[j]) bits_add(rows + i * row_words, j);
    if (stray && i % stray == stray - 1)
      go_astray(&course, rows + i * row_words);
    for (uint32_t role = 0; role < net->role_count; role++) {
      uint32_t rank = random_below(&random, replay_count_legal(&replay, role));
      uint32_t move = net->role_first.data[role];
      while (!replay_value(&replay, net->moves.data[move].legal) || rank--)
        move++;
      joint[role] = move;
    }
    replay_make(&replay, joint);
  }
  replay_free(&replay);
  course_free(&course);
  return rows;
}

static void test_rounds(void **state) {
  enum { ROWS = 200 };
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Loaded loaded;
    load(&loaded, cases[i].path);
    for (uint32_t stray = 0; stray <= 50; stray += 50) {
      uint64_t *rows = make_rows(&loaded.net, cases[i].period, ROWS, stray);
      uint64_t whole = play(&loaded.net, 0, rows, ROWS);
      assert_true(play(&loaded.net, cases[i].period, rows, ROWS) == whole);
      memory_delete(rows);
    }
    unload(&loaded);
  }
}

static void test_code(void **state) {
  enum { ROWS = 200 };
  (void)state;
  for (size_t i = 0; i < LENGTH(cases) && isa_available(ISA_AVX512); i++) {
    Loaded loaded;
    load(&loaded, cases[i].path);
    uint64_t *rows = make_rows(&loaded.net, cases[i].period, ROWS, 50);
    for (uint32_t words = 8; words <= 16; words *= 2) {
      ProgramMode tape = {ISA_AVX512, false, words};
      ProgramMode code = {ISA_AVX512, true, words};
      uint64_t whole = play_by(&loaded.net, &tape, 0, rows, ROWS);
      assert_true(play_by(&loaded.net, &code, 0, rows, ROWS) == whole);
      assert_true(play_by(&loaded.net, &tape, cases[i].period, rows, ROWS) ==
                  whole);
      assert_true(play_by(&loaded.net, &code, cases[i].period, rows, ROWS) ==
                  whole);
    }
    memory_delete(rows);
    unload(&loaded);
  }
}

/* Rounds that do not go with the phases of the game are not used. */
static void test_other_period(void **state) {
  (void)state;
  Loaded loaded;
  load(&loaded, "games/ticTacToe.kif");
  uint64_t *rows = make_rows(&loaded.net, 2, 20, 0);
  uint64_t whole = play(&loaded.net, 0, rows, 20);
  assert_true(play(&loaded.net, 4, rows, 20) == whole);
  memory_delete(rows);
  unload(&loaded);
}

/* ---- in step ---- */

static void play_in_step(Cones *cones, uint32_t limit) {
  const Net *net = cones->net;
  Replay replay;
  replay_init(&replay, net);
  Wide *wide = make_wide(cones, &replay, 8, limit);
  uint32_t lanes = 64 * cones->mode.words;
  while (replay.games.count < 2 * lanes) wide_run(wide, 10);
  /* all lanes are reported together */
  assert_int_equal(replay.games.count % lanes, 0);
  check_games(&replay, NULL, limit, few(net, 30));
  check_totals(&replay, wide_totals(wide));
  check_credit(&replay, wide_credit(wide));
  uint64_t *rows = make_rows(net, cones->rounds->count, 50, 10);
  vector_clear(&replay.games);
  vector_clear(&replay.moves);
  wide_set_starts(wide, rows, 50, 3);
  assert_int_equal(wide_play(wide, 50), 50);
  check_games(&replay, rows, limit, few(net, 20));
  vector_clear(&replay.games);
  vector_clear(&replay.moves);
  wide_set_starts(wide, NULL, 0, 0);
  while (replay.games.count < lanes) wide_run(wide, 1);
  check_games(&replay, NULL, limit, few(net, 30));
  memory_delete(rows);
  wide_delete(wide);
  replay_free(&replay);
}

/* Any course of steps will do, few or many legs, a limit before or after its
   end. */
static void test_steps(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Loaded loaded;
    Course course;
    load(&loaded, cases[i].path);
    bool code = i % 2 && isa_available(ISA_AVX512);
    Cones *cones = make_cones(&loaded.net, best_isa(), code, code ? 8 : 2);
    cones_add_rounds(cones, cases[i].period);
    assert_true(course_find_steps(&loaded.net, cases[i].period,
                                  UINT64_C(1) << 30, &course));
    cones_add_steps(cones, course, 1e9, 10);
    assert_non_null(cones->steps);
    assert_true(cones_set_mode(cones, &cones->mode));
    play_in_step(cones, 7);
    play_in_step(cones, 300);
    cones_delete(cones);
    unload(&loaded);
  }
}

/* Two roles write in turn, one letter at each of 24 steps; who writes `c` after
   an `a` of the step before ends the game. */
#define LEDGER \
  "(role x) (role y) (letter a) (letter b) (letter c) (letter d)" \
  "(init (control x)) (init (step 0))" \
  "(<= (legal ?r (write ?l)) (true (control ?r)) (letter ?l))" \
  "(<= (legal x wait) (true (control y)))" \
  "(<= (legal y wait) (true (control x)))" \
  "(<= (next (control x)) (true (control y)))" \
  "(<= (next (control y)) (true (control x)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (next (line ?n ?l)) (does ?r (write ?l)) (true (step ?n)))" \
  "(<= (next (line ?n ?l)) (true (line ?n ?l)))" \
  "(<= bad (true (line ?m a)) (succ ?m ?n) (true (line ?n c))" \
  " (succ ?n ?o) (true (line ?o c)))" \
  "(<= terminal (true (step 24))) (<= terminal bad)" \
  "(<= (goal x 100) bad) (<= (goal x 50) (not bad))" \
  "(<= (goal y 0) bad) (<= (goal y 50) (not bad))" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)" \
  "(succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)" \
  "(succ 12 13) (succ 13 14) (succ 14 15) (succ 15 16) (succ 16 17)" \
  "(succ 17 18) (succ 18 19) (succ 19 20) (succ 20 21) (succ 21 22)" \
  "(succ 22 23) (succ 23 24)"

static void test_tuned(void **state) {
  Description description;
  BookLimits limits = games_limits();
  Text error = {0};
  Net net;
  (void)state;
  games_read(&description, LEDGER);
  assert_true(games_net(&description, &limits, &net, &error));
  Cones *cones = make_cones(&net, best_isa(), false, 4);
  TuneOptions options = tune_default;
  options.words = 4;
  assert_true(tune_cones(cones, &options));
  assert_non_null(cones->rounds);
  assert_non_null(cones->steps);
  play_in_step(cones, 100);
  cones_delete(cones);
  net_free(&net);
  text_free(&error);
  description_free(&description);
}

/* ---- public games ---- */

/* Whatever tuning adds plays the same games by rounds, and right ones in step;
   returns whether it adds anything. */
static bool check_tuned(const Net *net) {
  TuneOptions options = {.words = 4, .isa = best_isa()};
  Cones *cones = make_cones(net, best_isa(), false, 4);
  assert_true(tune_cones(cones, &options));
  bool rounds = cones->rounds;
  if (rounds) {
    uint32_t period = cones->rounds->count;
    uint64_t *rows = make_rows(net, period, 100, 0);
    assert_true(play(net, 0, rows, 100) == play(net, period, rows, 100));
    memory_delete(rows);
  }
  if (cones->steps) play_in_step(cones, 200);
  cones_delete(cones);
  return rounds;
}

static void test_public(void **state) {
  const char *shared = getenv("SHARED");
  Text pattern = {0}, error = {0};
  BookLimits limits = games_limits();
  glob_t files;
  uint32_t found = 0;
  (void)state;
  text_format(&pattern, "%s/%s", shared ? shared : "../shared/games",
              unit_long() ? "*.kif" : "[bc]*Small.kif");
  bool none = glob(pattern.bytes, 0, NULL, &files) != 0;
  for (size_t i = 0; !none && i < files.gl_pathc; i++) {
    Description description;
    Net net;
    if (!description_read(&description, files.gl_pathv[i], 8 << 20, &error) ||
        !games_net(&description, &limits, &net, &error)) {
      print_message("# %s: %s\n", files.gl_pathv[i], text_string(&error));
      text_clear(&error);
    } else {
      found += check_tuned(&net);
      net_free(&net);
    }
    description_free(&description);
  }
  if (!none) globfree(&files);
  text_free(&pattern);
  text_free(&error);
  if (none) skip();
  assert_true(found > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_public), cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_code),   cmocka_unit_test(test_other_period),
      cmocka_unit_test(test_steps),  cmocka_unit_test(test_tuned),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
