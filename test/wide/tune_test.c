/* The chosen mode respects what the caller fixes, and plays the same games. */
#include "support/playouts.h"

#include "wide/tune.h"

static Cones *tuned(const Net *net, const TuneOptions *options) {
  Cones *cones = make_cones(net, ISA_PLAIN, false, 1);
  assert_non_null(cones);
  assert_true(tune_cones(cones, options));
  return cones;
}

static void test_fixed(void **state) {
  (void)state;
  Loaded loaded;
  load(&loaded, "games/ticTacToe.kif");
  for (size_t i = 0; i < LENGTH(widths); i++)
    for (Isa isa = ISA_PLAIN; isa <= best_isa(); isa++) {
      TuneOptions options = {.words = widths[i], .isa = isa};
      Cones *cones = tuned(&loaded.net, &options);
      assert_int_equal(cones->mode.words, widths[i]);
      assert_int_equal(cones->mode.isa, isa);
      assert_false(cones->mode.jit);
      assert_ptr_equal(cones->sliced, sliced_find(isa, widths[i]));
      cones_delete(cones);
    }
  unload(&loaded);
}

/* Nothing is fixed: any mode may win, except widths that are not tried. */
static void test_choice(void **state) {
  (void)state;
  Loaded loaded;
  load(&loaded, "games/lightsOut.kif");
  Cones *cones = tuned(&loaded.net, &tune_default);
  assert_true(cones->mode.words >= 4 && cones->mode.words <= 16);
  assert_true(isa_available(cones->mode.isa));
  cones_delete(cones);
  TuneOptions slow = {.any_isa = true, .code = false, .seconds = 0};
  cones = tuned(&loaded.net, &slow);
  assert_false(cones->mode.jit);
  cones_delete(cones);
  unload(&loaded);
}

static void test_none(void **state) {
  (void)state;
  Loaded loaded;
  load(&loaded, "games/ticTacToe.kif");
  Cones *cones = make_cones(&loaded.net, ISA_PLAIN, false, 2);
  TuneOptions options = {.words = 3, .any_isa = true};
  assert_false(tune_cones(cones, &options));
  assert_int_equal(cones->mode.words, 2);
  cones_delete(cones);
  unload(&loaded);
}

static uint64_t goal_sum(const Cones *cones) {
  WideOptions options = {.seed = 4, .step_limit = 50};
  Wide *wide = wide_new(cones, &options);
  wide_run(wide, 300);
  uint64_t sum =
      wide_totals(wide)->goals[0] * 1000003 + wide_totals(wide)->states;
  wide_delete(wide);
  return sum;
}

/* With a fixed width the games do not depend on the mode or on time. */
static void test_same(void **state) {
  (void)state;
  Loaded loaded;
  load(&loaded, "games/connectFour.kif");
  Cones *plain = make_cones(&loaded.net, ISA_PLAIN, false, 8);
  uint64_t sum = goal_sum(plain);
  cones_delete(plain);
  for (int i = 0; i < 4; i++) {
    TuneOptions options = tune_default;
    options.words = 8;
    options.seconds = 0.002 * i;
    Cones *cones = tuned(&loaded.net, &options);
    assert_true(goal_sum(cones) == sum);
    cones_delete(cones);
  }
  unload(&loaded);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_fixed),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_same),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
