/* Axes against examples worked out by hand, and properties of ticks on random
   ranges. */
#include "draw/scale.h"

#include <math.h>

#include "base/random.h"
#include "support/unit.h"

static ScaleRange range_of(double low, double high) {
  ScaleRange range = {0};
  scale_range_add(&range, low);
  scale_range_add(&range, high);
  return range;
}

static void assert_ticks(const Scale *scale, uint32_t most,
                         const double *expected, uint32_t count) {
  ScaleTicks ticks = {0};
  scale_ticks(scale, most, &ticks);
  assert_int_equal(ticks.at.count, count);
  for (uint32_t i = 0; i < count; i++)
    assert_true(fabs(ticks.at.data[i] - expected[i]) <=
                1e-12 * fabs(expected[i]));
  scale_ticks_free(&ticks);
}

#define TICKS(scale, most, ...) \
  assert_ticks(scale, most, (double[]){__VA_ARGS__}, \
               LENGTH(((double[]){__VA_ARGS__})))

static void test_ranges_take_finite_values(void **state) {
  (void)state;
  ScaleRange range = {0};
  scale_range_add(&range, NAN);
  scale_range_add(&range, -INFINITY);
  assert_false(range.any);
  scale_range_add(&range, 3);
  scale_range_add(&range, INFINITY);
  scale_range_add(&range, -2);
  assert_true(range.any && range.low == -2 && range.high == 3);
}

static void test_linear_scales_end_at_ticks(void **state) {
  (void)state;
  ScaleRange range = range_of(12, 86);
  Scale scale = scale_of(&range, false, 8);
  assert_true(scale.low == 0 && scale.high == 100);
  TICKS(&scale, 8, 0, 20, 40, 60, 80, 100);
  range = range_of(-0.03, 0.11);
  scale = scale_of(&range, false, 5);
  assert_true(scale.low == -0.05 && scale.high == 0.15);
  TICKS(&scale, 5, -0.05, 0, 0.05, 0.1, 0.15);
  range = range_of(47.2, 52.9);
  scale = scale_of(&range, false, 7);
  assert_true(scale.low == 47 && scale.high == 53);
  TICKS(&scale, 7, 47, 48, 49, 50, 51, 52, 53);
}

static void test_degenerate_ranges(void **state) {
  (void)state;
  ScaleRange none = {0};
  Scale scale = scale_of(&none, false, 6);
  assert_true(scale.low == 0 && scale.high == 1);
  ScaleRange single = range_of(50, 50);
  scale = scale_of(&single, false, 6);
  assert_true(scale.low < 50 && scale.high > 50);
  single = range_of(0, 0);
  scale = scale_of(&single, false, 6);
  assert_true(scale.low < 0 && scale.high > 0);
  single = range_of(40, 40);
  scale = scale_of(&single, true, 6);
  assert_true(scale.logarithmic && scale.low == 20 && scale.high == 80);
  ScaleRange below = range_of(-1, 100);
  scale = scale_of(&below, true, 6);
  assert_false(scale.logarithmic);
  ScaleRange huge = range_of(-1e308, 1e308);
  scale = scale_of(&huge, false, 6);
  assert_true(isfinite(scale.low) && isfinite(scale.high));
}

static void test_places(void **state) {
  (void)state;
  Scale scale = {.low = 0, .high = 50, .from = 100, .to = 200};
  assert_true(scale_place(&scale, 0) == 100);
  assert_true(scale_place(&scale, 25) == 150);
  assert_true(scale_place(&scale, 1e9) == 200);
  assert_true(scale_place(&scale, -INFINITY) == 100);
  assert_true(scale_place(&scale, NAN) == 100);
  assert_true(scale_holds(&scale, 50) && !scale_holds(&scale, 50.1));
  assert_false(scale_holds(&scale, INFINITY));
  assert_false(scale_holds(&scale, NAN));
  Scale flipped = {.low = 0, .high = 10, .from = 300, .to = 0};
  assert_true(scale_place(&flipped, 1) == 270);
  Scale powers = {
      .logarithmic = true, .low = 1, .high = 10000, .from = 0, .to = 400};
  assert_true(fabs(scale_place(&powers, 100) - 200) < 1e-9);
  assert_true(fabs(scale_place(&powers, 1000) - 300) < 1e-9);
  assert_true(scale_place(&powers, 0) == 0);
}

static void test_logarithmic_ticks(void **state) {
  (void)state;
  Scale scale = {.logarithmic = true, .low = 10, .high = 1000, .to = 1};
  TICKS(&scale, 8, 10, 20, 50, 100, 200, 500, 1000);
  TICKS(&scale, 6, 10, 100, 1000);
  scale.low = 1e-3, scale.high = 1e9;
  TICKS(&scale, 5, 1e-3, 1, 1e3, 1e6, 1e9);
  scale.low = 30, scale.high = 45;
  TICKS(&scale, 4, 30, 35, 40, 45);
  scale.low = .3, scale.high = 7;
  TICKS(&scale, 8, .5, 1, 2, 5);
}

/* Ticks are few but not too few, ascend, lie on the scale, are equally far from
   each other, and are told apart by their decimals. */
static void test_random_ranges(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 15);
  for (int round = 0; round < 3000; round++) {
    double size = pow(10, (double)random_below(&random, 16) - 8);
    double low = ((double)random_below(&random, 2001) - 1000) * size;
    double high = low + (1 + random_below(&random, 3000)) * size;
    uint32_t most = 3 + random_below(&random, 10);
    ScaleRange range = range_of(low, high);
    Scale scale = scale_of(&range, false, most);
    assert_true(scale.low <= low + 1e-5 * (high - low) &&
                scale.high >= high - 1e-5 * (high - low));
    ScaleTicks ticks = {0};
    scale_ticks(&scale, most, &ticks);
    uint32_t count = ticks.at.count;
    assert_in_range(count, 2, most);
    assert_true(fabs(ticks.at.data[0] - scale.low) < 1e-9 * (high - low));
    assert_true(fabs(ticks.at.data[count - 1] - scale.high) <
                1e-9 * (high - low));
    double step = ticks.at.data[1] - ticks.at.data[0];
    Text one = {0}, other = {0};
    for (uint32_t i = 1; i < count; i++) {
      assert_true(fabs(ticks.at.data[i] - ticks.at.data[i - 1] - step) <
                  1e-6 * step);
      text_clear(&one), text_clear(&other);
      scale_number(&one, ticks.at.data[i - 1], ticks.decimals);
      scale_number(&other, ticks.at.data[i], ticks.decimals);
      assert_string_not_equal(text_string(&one), text_string(&other));
    }
    text_free(&one), text_free(&other);
    scale_ticks_free(&ticks);
  }
}

static void assert_number(const char *expected, double value, int decimals) {
  Text text = {0};
  if (decimals < 0)
    scale_short(&text, value);
  else
    scale_number(&text, value, decimals);
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

static void test_numbers(void **state) {
  (void)state;
  assert_number("57.1", 57.14, 1);
  assert_number("−57", -57.14, 0);
  assert_number("0.0", -0.01, 1);
  assert_number("∞", INFINITY, 1);
  assert_number("−∞", -INFINITY, 1);
  assert_number("–", NAN, 1);
  assert_number("0.25", .25, -1);
  assert_number("100000", 1e5, -1);
  assert_number("2.5e6", 2.5e6, -1);
  assert_number("1e−7", 1e-7, -1);
  assert_number("−1e12", -1e12, -1);
  assert_number("1e100", 1e100, 1);
}

static void assert_interval(const char *expected, double value, double low,
                            double high, int decimals) {
  Text text = {0};
  scale_interval(&text, value, low, high, decimals);
  assert_string_equal(text_string(&text), expected);
  text_free(&text);
}

static void test_intervals(void **state) {
  (void)state;
  assert_interval("57.1 ± 3.2", 57.1, 53.9, 60.3, 1);
  assert_interval("57.1 (53.2 to 59.9)", 57.1, 53.2, 59.9, 1);
  assert_interval("200 ± 31", 200, 170, 231, 0);
  assert_interval("50.0", 50, NAN, NAN, 1);
  assert_interval("50.0", 50, 50, 50, 1);
  assert_interval("50 (−∞ to 56)", 50, -INFINITY, 56, 0);
  assert_interval("50 (40 to –)", 50, 40, NAN, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ranges_take_finite_values),
      cmocka_unit_test(test_linear_scales_end_at_ticks),
      cmocka_unit_test(test_degenerate_ranges),
      cmocka_unit_test(test_places),
      cmocka_unit_test(test_logarithmic_ticks),
      cmocka_unit_test(test_random_ranges),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_intervals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
