/* Wide playouts on random nets and games of the library: every recorded game is
   replayed by the slow evaluation of the net, sums are recomputed from the
   records, step limits are respected, and all instruction sets and the machine
   code play the same games. */
#include "support/playouts.h"

#include "base/hash.h"
#include "wide/history.h"

/* From the initial state, uniformly, then with scores. */
static void play(const Net *net, const ProgramMode *mode, uint64_t seed,
                 uint32_t limit, uint32_t most) {
  Replay replay;
  replay_init(&replay, net);
  Cones *cones = cones_new(net, mode);
  assert_non_null(cones);
  Wide *wide = make_wide(cones, &replay, seed, limit);
  double *scores = memory_new(net->moves.count * sizeof *scores);
  for (uint32_t i = 0; i < net->moves.count; i++) scores[i] = i % 7 * 0.8;
  assert_true(wide_run(wide, 2 * limit));
  check_credit(&replay, wide_credit(wide));
  wide_set_scores(wide, scores);
  assert_true(wide_run(wide, 2 * limit + 40));
  assert_true(replay.games.count > 0);
  check_games(&replay, NULL, limit, most);
  check_totals(&replay, wide_totals(wide));
  check_credit(&replay, wide_credit(wide));
  memory_delete(scores);
  wide_delete(wide);
  cones_delete(cones);
  replay_free(&replay);
}

static void test_random_nets(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    Terms terms;
    Net net;
    Random random;
    terms_init(&terms);
    random_seed(&random, seed);
    random_net(&net, &terms, &random, seed % 3 == 0);
    ProgramMode mode = {(Isa)(seed % ((uint32_t)best_isa() + 1)), false,
                        widths[seed % LENGTH(widths)]};
    play(&net, &mode, seed, LIMIT, 40);
    net_free(&net);
    terms_free(&terms);
  }
}

static void test_library(void **state) {
  static const char *const paths[] = {
      "games/ticTacToe.kif", "games/ticTicToe.kif", "games/bomberman.kif",
      "games/lightsOut.kif", "games/knightsTour.kif"};
  (void)state;
  for (size_t i = 0; i < LENGTH(paths); i++) {
    Loaded loaded;
    load(&loaded, paths[i]);
    ProgramMode mode = {best_isa(), false, 8};
    play(&loaded.net, &mode, i, 150, 12);
    unload(&loaded);
  }
}

static uint64_t play_signed(const Net *net, const ProgramMode *mode,
                            const double *scores) {
  Cones *cones = cones_new(net, mode);
  if (!cones) return 0;
  Replay replay;
  replay_init(&replay, net);
  Wide *wide = make_wide(cones, &replay, 7, 40);
  wide_set_scores(wide, scores);
  wide_run(wide, 100);
  uint64_t signature = replay_sign(&replay);
  wide_delete(wide);
  cones_delete(cones);
  replay_free(&replay);
  return signature;
}

/* The same seed and width give the same games on every machine. */
static void test_same_everywhere(void **state) {
  (void)state;
  Loaded loaded;
  load(&loaded, "games/bomberman.kif");
  double *scores = memory_new(loaded.net.moves.count * sizeof *scores);
  for (uint32_t i = 0; i < loaded.net.moves.count; i++)
    scores[i] = i * 5 % 11 * 0.3;
  for (size_t i = 0; i < LENGTH(widths); i++)
    for (int gibbs = 0; gibbs < 2; gibbs++) {
      ProgramMode mode = {ISA_PLAIN, false, widths[i]};
      const double *used = gibbs ? scores : NULL;
      uint64_t plain = play_signed(&loaded.net, &mode, used);
      for (mode.isa = ISA_AVX2; mode.isa <= best_isa(); mode.isa++)
        assert_true(play_signed(&loaded.net, &mode, used) == plain);
      mode = (ProgramMode){best_isa(), true, widths[i]};
      uint64_t jit = play_signed(&loaded.net, &mode, used);
      assert_true(!jit || jit == plain);
    }
  memory_delete(scores);
  unload(&loaded);
}

static void test_endless(void **state) {
  (void)state;
  for (uint32_t limit = 1; limit < 20; limit += 3) {
    Terms terms;
    Net net;
    Replay replay;
    terms_init(&terms);
    make_endless(&net, &terms);
    replay_init(&replay, &net);
    Cones *cones = make_cones(&net, best_isa(), false, 8);
    Wide *wide = make_wide(cones, &replay, 3, limit);
    wide_run(wide, 3 * (limit + 1));
    const WideTotals *totals = wide_totals(wide);
    assert_int_equal(totals->cut_off, 3 * 512);
    assert_int_equal(totals->states, 3 * 512 * limit);
    assert_int_equal(totals->ended + totals->stuck + totals->steps, 0);
    assert_int_equal(totals->scored[0] + totals->goals[0], 0);
    assert_int_equal(wide_credit(wide)[0].playouts, 0);
    check_games(&replay, NULL, limit, 30);
    wide_delete(wide);
    cones_delete(cones);
    replay_free(&replay);
    net_free(&net);
    terms_free(&terms);
  }
}

/* ---- records ---- */

/* First steps of lanes are correct, also where the 32 bits of their numbers
   overflow. */
static void test_first_steps(void **state) {
  (void)state;
  Terms terms;
  Net net;
  Random random;
  History record;
  Choose choose;
  uint64_t expected[128], lanes[2], all[2] = {~UINT64_C(0), ~UINT64_C(0)};
  terms_init(&terms);
  random_seed(&random, 1);
  make_endless(&net, &terms);
  Cones *cones = make_cones(&net, ISA_PLAIN, false, 2);
  choose_init(&choose, cones, 1);
  history_init(&record, cones);
  record.now = record.oldest = (UINT64_C(1) << 32) - 300;
  history_begin(&record, all);
  for (uint32_t lane = 0; lane < 128; lane++) expected[lane] = record.now;
  for (uint32_t step = 0; step < 4000; step++) {
    history_step(&record, &choose, NULL, all);
    for (uint32_t i = 0; i < 2; i++)
      lanes[i] = random_next(&random) & random_next(&random) &
                 random_next(&random) & random_next(&random) &
                 random_next(&random) & random_next(&random);
    history_begin(&record, lanes);
    for (uint32_t lane = 0; lane < 128; lane++) {
      if (bits_has(lanes, lane)) expected[lane] = record.now;
      assert_true(history_first(&record, lane) == expected[lane]);
      assert_true(record.oldest <= expected[lane]);
    }
    assert_true(record.now - record.oldest <= record.capacity);
  }
  assert_true(record.capacity < 4096);
  assert_true(record.oldest > UINT64_C(1) << 32);
  history_free(&record);
  choose_free(&choose);
  cones_delete(cones);
  net_free(&net);
  terms_free(&terms);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_nets),     cmocka_unit_test(test_library),
      cmocka_unit_test(test_same_everywhere), cmocka_unit_test(test_endless),
      cmocka_unit_test(test_first_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
