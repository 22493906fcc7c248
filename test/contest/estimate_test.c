/* Estimates compared with values of tables and with sums done by hand; how
   often their intervals hold is for coverage_test.c. */
#include "contest/estimate.h"

#include <math.h>

#include "support/unit.h"

static void expect_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.9f, expected %.9f", value, expected);
}

static Tally goals(const double *list, size_t count) {
  Tally tally = {0};
  for (size_t i = 0; i < count; i++) tally_add(&tally, SCORE_NONE, list[i]);
  return tally;
}

/* ---- distributions ---- */

/* Any table of Student's t. */
static void test_student(void **state) {
  (void)state;
  static const struct {
    uint64_t degrees;
    double t;
  } table[] = {{1, 12.7062}, {2, 4.3027},  {3, 3.1824},  {4, 2.7764},
               {5, 2.5706},  {9, 2.2622},  {10, 2.2281}, {20, 2.0860},
               {29, 2.0452}, {40, 2.0211}, {60, 2.0003}, {120, 1.9799}};
  for (size_t i = 0; i < LENGTH(table); i++)
    expect_near(estimate_student(table[i].degrees), table[i].t, 5.1e-5);
  expect_near(estimate_student(1), tan(0.475 * acos(-1)), 1e-9);
  expect_near(estimate_student(2), 0.95 * sqrt(2 / (1 - 0.95 * 0.95)), 1e-9);
  expect_near(estimate_student(UINT64_MAX), 1.959963985, 1e-8);
  /* It falls steadily, also where one formula takes over from the other. */
  for (uint64_t i = 1; i < 200; i++)
    assert_true(estimate_student(i) > estimate_student(i + 1));
  double step = estimate_student(40) - estimate_student(41);
  expect_near(step, estimate_student(41) - estimate_student(42), 1e-4);
}

/* Of wins + losses + 1 coins at most `wins` show heads. */
static void test_superiority(void **state) {
  (void)state;
  static const struct {
    uint64_t wins, draws, losses;
    double value;
  } cases[] = {{0, 0, 0, 0.5},         {0, 9, 0, 0.5},
               {1, 0, 0, 0.75},        {0, 0, 1, 0.25},
               {5, 3, 5, 0.5},         {3, 0, 1, 26 / 32.0},
               {1, 2, 3, 6 / 32.0},    {10, 0, 0, 2047 / 2048.0},
               {0, 0, 10, 1 / 2048.0}, {2, 0, 0, 0.875}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Tally tally = {.wins = cases[i].wins,
                   .draws = cases[i].draws,
                   .losses = cases[i].losses};
    expect_near(tally_superiority(&tally), cases[i].value, 1e-12);
  }
  /* For many games the normal distribution of (wins - losses) / sqrt(games). */
  Tally many = {.wins = 500500, .losses = 499500};
  expect_near(tally_superiority(&many), 0.5 + erf(1 / sqrt(2)) / 2, 1e-5);
  many = (Tally){.wins = 3000000, .losses = 10};
  expect_near(tally_superiority(&many), 1, 1e-12);
  many = (Tally){.wins = 10, .losses = 3000000};
  expect_near(tally_superiority(&many), 0, 1e-12);
}

/* ---- goals ---- */

static void test_goals(void **state) {
  (void)state;
  Tally tally = goals((const double[]){10, 20, 60}, 3); /* squares: 1400 */
  expect_near(tally_goal_deviation(&tally), sqrt(700), 1e-9);
  expect_near(tally_goal_interval(&tally), 1.96 * sqrt(700.0 / 3), 1e-9);
  Estimate estimate = estimate_goal(&tally);
  expect_near(estimate.value, 30, 1e-9);
  expect_near(estimate.half, 4.302653 * sqrt(700.0 / 3), 1e-4);
  tally = goals((const double[]){70}, 1);
  assert_true(isnan(tally_goal_deviation(&tally)));
  assert_true(isnan(tally_goal_interval(&tally)));
  estimate = estimate_goal(&tally);
  expect_near(estimate.value, 70, 1e-9);
  assert_true(isnan(estimate.half));
  estimate = estimate_goal(&(Tally){0});
  assert_true(isnan(estimate.value) && isnan(estimate.half));
}

/* Equal goals are not exact: Wilson's interval for 20 of 20 ends at 83.9; and a
   third, added up a hundred times, is still without spread. */
static void test_equal_goals(void **state) {
  (void)state;
  Tally tally = {0}, wins = {.wins = 20};
  double low, high;
  for (int i = 0; i < 20; i++) tally_add(&tally, SCORE_NONE, 100);
  tally_wilson(&wins, &low, &high);
  expect_near(estimate_goal(&tally).half, 100 - low, 1e-4);
  expect_near(tally_goal_interval(&tally), 0, 0);
  tally = (Tally){0};
  for (int i = 0; i < 100; i++) tally_add(&tally, SCORE_NONE, 100.0 / 3);
  expect_near(tally_goal_deviation(&tally), 0, 0);
  expect_near(estimate_goal(&tally).half,
              200.0 / 3 * 3.841459 / (100 + 3.841459), 1e-4);
}

/* ---- win rates ---- */

/* Agresti and Coull's interval by hand, with a draw as half a win. */
static void test_rates(void **state) {
  (void)state;
  Tally tally = {.wins = 20}; /* 22 of 24 */
  Estimate estimate = estimate_rate(&tally);
  double centre = 2200 / 24.0;
  double half = 1.959964 * sqrt(centre * (100 - centre) / 24);
  expect_near(estimate.value, 100, 1e-9);
  expect_near(estimate.half, 100 - centre + half, 1e-4);
  expect_near(estimate.half, 19.4, 0.05); /* as the header has it */
  tally = (Tally){.draws = 20};
  estimate = estimate_rate(&tally);
  expect_near(estimate.half, 1.959964 * sqrt(4 * 2500 / 24.0 / 24), 1e-4);
  expect_near(estimate.half, 8.2, 0.05);
  tally = (Tally){.wins = 95, .losses = 155};
  Estimate bare = estimate_bare(38, 250);
  estimate = estimate_rate(&tally);
  expect_near(estimate.half, bare.half, 1e-9);
  expect_near(estimate.half, 6.03, 0.2); /* the paper's */
  tally = (Tally){.wins = 95, .draws = 50, .losses = 105};
  assert_true(estimate_rate(&tally).half < bare.half);
  estimate = estimate_rate(&(Tally){0});
  assert_true(isnan(estimate.value) && isnan(estimate.half));
  assert_true(isnan(estimate_bare(50, 0).half));
  /* The scale ends at 0 and 100. */
  expect_near(estimate_rate(&(Tally){.wins = 1}).half,
              40 + 1.959964 * sqrt(60 * 40 / 5.0), 1e-4);
  expect_near(estimate_rate(&(Tally){.draws = 1}).half,
              1.959964 * sqrt(4 * 2500 / 25.0), 1e-4);
  expect_near(estimate_bare(0, 3).half, estimate_bare(100, 3).half, 1e-9);
  assert_true(estimate_bare(50, 1).half <= 50);
}

/* ---- several ---- */

static void test_mean_and_difference(void **state) {
  (void)state;
  static const Estimate list[] = {{60, 3}, {40, 4}, {80, 12}};
  Estimate mean = estimate_mean(list, 3), none = estimate_mean(list, 0);
  expect_near(mean.value, 60, 1e-9);
  expect_near(mean.half, 13.0 / 3, 1e-9);
  assert_true(isnan(none.value) && isnan(none.half));
  Estimate difference = estimate_difference(list[0], list[1]);
  expect_near(difference.value, 20, 1e-9);
  expect_near(difference.half, 5, 1e-9);
  difference = estimate_difference(list[0], (Estimate){50, NAN});
  expect_near(difference.value, 10, 1e-9);
  assert_true(isnan(difference.half));
}

static void test_compare(void **state) {
  (void)state;
  static const struct {
    Estimate theirs, ours;
    EstimateVerdict verdict;
  } cases[] = {{{50, 3}, {50, 4}, ESTIMATE_AGREE},
               {{50, 3}, {55, 4}, ESTIMATE_AGREE},
               {{50, 3}, {55.1, 4}, ESTIMATE_NEAR},
               {{57, 3}, {50, 4}, ESTIMATE_NEAR},
               {{57.1, 3}, {50, 4}, ESTIMATE_DIFFER},
               {{50.3, 0.1}, {50.5, 0.1}, ESTIMATE_NEAR},
               {{50, NAN}, {54, 4}, ESTIMATE_AGREE},
               {{50, NAN}, {54.1, 4}, ESTIMATE_DIFFER},
               {{50, 6}, {55.9, NAN}, ESTIMATE_AGREE},
               {{50, NAN}, {50, NAN}, ESTIMATE_UNKNOWN},
               {{NAN, 3}, {50, 4}, ESTIMATE_UNKNOWN},
               {{50, 3}, {NAN, NAN}, ESTIMATE_UNKNOWN}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    EstimateVerdict one = estimate_compare(cases[i].theirs, cases[i].ours);
    EstimateVerdict two = estimate_compare(cases[i].ours, cases[i].theirs);
    assert_int_equal(one, cases[i].verdict);
    assert_int_equal(two, one);
  }
  assert_string_equal(estimate_verdict_name(ESTIMATE_AGREE), "agree");
  assert_string_equal(estimate_verdict_name(ESTIMATE_NEAR), "near");
  assert_string_equal(estimate_verdict_name(ESTIMATE_DIFFER), "differ");
  assert_string_equal(estimate_verdict_name(ESTIMATE_UNKNOWN), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_student),
      cmocka_unit_test(test_superiority),
      cmocka_unit_test(test_goals),
      cmocka_unit_test(test_equal_goals),
      cmocka_unit_test(test_rates),
      cmocka_unit_test(test_mean_and_difference),
      cmocka_unit_test(test_compare),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
