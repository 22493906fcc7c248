/* The sequential test against closed forms; and its error rates and lengths in
   simulated matches of known strength, with fixed seeds. The long run has more
   matches and prints the figures of docs/statistics.md. */
#include "contest/sprt.h"

#include <math.h>

#include "support/chance.h"

static void expect_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.9f, expected %.9f", value, expected);
}

/* ---- the ratio ---- */

/* The expected ratios were found without the formula, by maximising both
   likelihoods numerically over all distributions with the hypothesis' mean. */
static void test_ratio(void **state) {
  (void)state;
  static const struct {
    uint64_t counts[SPRT_OUTCOMES];
    double elo0, elo1, ratio;
  } cases[] = {{{1, 5, 20, 8, 3}, 0, 30, 0.863908085},
               {{10, 20, 40, 30, 15}, -10, 20, 2.193641877},
               {{0, 2, 9, 1, 0}, 0, 50, -1.791825584}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Sprt sprt = {.elo0 = cases[i].elo0, .elo1 = cases[i].elo1};
    memcpy(sprt.counts, cases[i].counts, sizeof sprt.counts);
    expect_near(sprt_ratio(&sprt), cases[i].ratio, 1e-6);
  }
}

/* With two outcomes only it is Wald's test of a coin: 7 ln(s1 / s0) +
   3 ln((1 - s1) / (1 - s0)) for s0 = 0.5, s1 = 0.640065; what was not seen
   counts a little. */
static void test_ratio_of_coin(void **state) {
  (void)state;
  Sprt sprt = {.elo1 = 100, .counts = {3, 0, 0, 0, 7}};
  expect_near(sprt_expected(100), 0.640065, 1e-6);
  expect_near(sprt_ratio(&sprt), 0.742678, 1e-3);
  sprt = (Sprt){.elo1 = 100, .counts = {0, 0, 0, 0, 1}};
  expect_near(sprt_ratio(&sprt), 0.246962, 1e-3);
  sprt = (Sprt){.elo1 = 100};
  expect_near(sprt_ratio(&sprt), 0, 1e-9);
}

static void test_coins(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 3);
  for (int i = 0; i < 200; i++) {
    uint64_t wins = random_below(&random, 300) + 1;
    uint64_t losses = random_below(&random, 300) + 1;
    Sprt sprt = {.elo0 = random_below(&random, 100) - 80.0,
                 .counts = {losses, 0, 0, 0, wins}};
    sprt.elo1 = sprt.elo0 + 1 + random_below(&random, 80);
    double s0 = sprt_expected(sprt.elo0), s1 = sprt_expected(sprt.elo1);
    expect_near(sprt_ratio(&sprt),
                (double)wins * log(s1 / s0) +
                    (double)losses * log((1 - s1) / (1 - s0)),
                3e-3);
  }
}

/* For many pairs with scores near the hypotheses the ratio approaches that of a
   normal distribution with the variance that was observed:
   n (s1 - s0) (2 mean - s0 - s1) / (2 variance). */
static void test_many_pairs(void **state) {
  (void)state;
  Sprt sprt = {.elo1 = 2, .counts = {10000, 20300, 40200, 21000, 10100}};
  double n = 0, sum = 0, squares = 0;
  for (int i = 0; i < SPRT_OUTCOMES; i++) {
    double count = (double)sprt.counts[i];
    n += count;
    sum += count * i / 4;
    squares += count * i * i / 16;
  }
  double mean = sum / n, variance = squares / n - mean * mean;
  double s0 = sprt_expected(0), s1 = sprt_expected(2);
  expect_near(sprt_ratio(&sprt),
              n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance), 2e-3);
}

/* Swapping the players swaps the hypotheses. */
static void test_symmetry(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 4);
  for (int i = 0; i < 100; i++) {
    Sprt sprt = {.elo0 = -5, .elo1 = 30}, other = {.elo0 = -30, .elo1 = 5};
    for (int j = 0; j < SPRT_OUTCOMES; j++) {
      sprt.counts[j] = random_below(&random, 50);
      other.counts[SPRT_OUTCOMES - 1 - j] = sprt.counts[j];
    }
    expect_near(sprt_ratio(&sprt), -sprt_ratio(&other), 1e-9);
  }
}

static void test_decisions(void **state) {
  (void)state;
  Sprt sprt = {.elo1 = 100, .alpha = 0.05, .beta = 0.05};
  expect_near(sprt_upper(&sprt), 2.944439, 1e-6);
  expect_near(sprt_lower(&sprt), -2.944439, 1e-6);
  for (int i = 0; i < 11; i++) sprt_add(&sprt, 4); /* 11 x 0.247 = 2.72 */
  assert_int_equal(sprt_decide(&sprt), SPRT_OPEN);
  sprt_add(&sprt, 4);
  assert_int_equal(sprt_decide(&sprt), SPRT_ELO1);
  assert_int_equal(sprt_pairs(&sprt), 12);
  for (int i = 0; i < 40; i++) sprt_add(&sprt, 0);
  assert_int_equal(sprt_decide(&sprt), SPRT_ELO0);
}

/* ---- error rates ---- */

/* How pairs of games come about. */
typedef struct Nature {
  const char *what;
  double draws; /* see chance_score */
  double first; /* Elo that the first role is worth */
  double
      repeat; /* share of pairs whose second game is won by the same player */
  double mirror; /* or by the same role: the pair is then level */
} Nature;

/* A second game that repeats the first by role is level with it; the rest of
   the pairs must make up for the mean. So the strength is that which gives the
   mean over all pairs: found by bisection. */
static double pair_mean(const Nature *nature, double elo) {
  double one = sprt_expected(elo + nature->first);
  double two = sprt_expected(elo - nature->first);
  return (one + nature->repeat * one + nature->mirror * (1 - one) +
          (1 - nature->repeat - nature->mirror) * two) /
         2;
}

static double find_strength(const Nature *nature, double mean) {
  double low = -2000, high = 2000;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (pair_mean(nature, middle) < mean)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

static uint32_t play_pair(const Nature *nature, double elo, Random *random) {
  double one =
      chance_score(random, sprt_expected(elo + nature->first), nature->draws);
  double two =
      chance_score(random, sprt_expected(elo - nature->first), nature->draws);
  double u = chance_uniform(random);
  if (u < nature->repeat)
    two = one;
  else if (u < nature->repeat + nature->mirror)
    two = 1 - one;
  return (uint32_t)(2 * (one + two));
}

typedef struct Measured {
  uint64_t runs, accepted; /* accepted: decided for elo1 */
  double pairs, error;     /* mean number, and its standard error */
  double variance;         /* of the score of a pair */
} Measured;

static Measured measure(const Nature *nature, Sprt sprt, double lead,
                        uint64_t runs) {
  Measured measured = {.runs = runs};
  double sum = 0, squares = 0, count = 0, lengths = 0;
  double elo = find_strength(nature, sprt_expected(lead));
  Random random;
  random_seed(&random, 5);
  for (uint64_t run = 0; run < runs; run++) {
    Sprt test = sprt;
    while (sprt_decide(&test) == SPRT_OPEN) {
      uint32_t half_points = play_pair(nature, elo, &random);
      sprt_add(&test, half_points);
      sum += half_points / 4.0;
      squares += half_points * half_points / 16.0;
      count++;
    }
    measured.accepted += sprt_decide(&test) == SPRT_ELO1;
    lengths += pow((double)sprt_pairs(&test), 2);
  }
  measured.pairs = count / (double)runs;
  measured.error = sqrt(lengths / (double)runs - pow(measured.pairs, 2)) /
                   sqrt((double)runs);
  measured.variance = squares / count - sum / count * sum / count;
  return measured;
}

/* Wald's approximation of the mean number of pairs, with decisions at the
   bounds themselves: what the ratio is on average at the end, over what a pair
   adds to it on average, (s1 - s0)^2 / (2 variance). */
static double wald_pairs(const Sprt *sprt, bool first, double variance) {
  double wrong = first ? sprt->beta : sprt->alpha;
  double good = first ? sprt_upper(sprt) : -sprt_lower(sprt);
  double bad = first ? -sprt_lower(sprt) : sprt_upper(sprt);
  double apart = sprt_expected(sprt->elo1) - sprt_expected(sprt->elo0);
  return ((1 - wrong) * good - wrong * bad) * 2 * variance / (apart * apart);
}

/* Measures both errors. They must not exceed `most`; the mean length must be
   within bounds, in units of Wald's approximation. Both allow for chance. */
static void expect_errors(const Nature *nature, Sprt sprt, double most,
                          double shortest, double longest) {
  uint64_t runs = unit_long() ? 10000 : 250;
  for (int first = 0; first < 2; first++) {
    Measured measured =
        measure(nature, sprt, first ? sprt.elo1 : sprt.elo0, runs);
    double wald = wald_pairs(&sprt, first, measured.variance);
    double wrong = first ? sprt.beta : sprt.alpha;
    char line[160];
    snprintf(line, sizeof line, "elo %g to %g, %s, at elo%d: %.1f pairs (%.1f)",
             sprt.elo0, sprt.elo1, nature->what, first, measured.pairs, wald);
    chance_expect(
        line, first ? runs - measured.accepted : measured.accepted, runs, 0,
        most > 0 ? most : wrong / (1 - (first ? sprt.alpha : sprt.beta)));
    double slack = 3.9 * measured.error;
    if (measured.pairs < shortest * wald - slack ||
        measured.pairs > longest * wald + slack)
      fail_msg("%s: not %g to %g times as long as Wald has it", line, shortest,
               longest);
  }
}

static const Nature natures[] = {
    {.what = "no draws"},
    {.what = "half draws", .draws = 0.5},
    {.what = "repeating players", .draws = 0.3, .repeat = 0.5},
    {.what = "repeating roles", .draws = 0.3, .first = 100, .mirror = 0.5},
    {.what = "better role", .first = 300},
};

/* Wald's bound of the errors is alpha / (1 - beta). Steps beyond the bounds
   make tests a little longer than his approximation. */
static void test_errors(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(natures); i++)
    expect_errors(&natures[i], (Sprt){.elo1 = 50, .alpha = 0.05, .beta = 0.05},
                  0, 0.98, 1.2);
}

/* Hypotheses that are far apart are decided by some twenty pairs, of which the
   distribution of outcomes is only roughly known. */
static void test_errors_of_short_tests(void **state) {
  (void)state;
  for (size_t i = 0; i < LENGTH(natures); i++)
    expect_errors(&natures[i], (Sprt){.elo1 = 100, .alpha = 0.05, .beta = 0.05},
                  0.065, 0.95, 1.6);
}

/* The two errors may differ, and neither hypothesis need be 0. */
static void test_other_errors(void **state) {
  (void)state;
  expect_errors(&natures[1],
                (Sprt){.elo0 = -25, .elo1 = 25, .alpha = 0.1, .beta = 0.02}, 0,
                0.98, 1.2);
}

/* A strength between the hypotheses takes longest, and is decided both ways. */
static void test_between(void **state) {
  (void)state;
  uint64_t runs = unit_long() ? 10000 : 250;
  Sprt sprt = {.elo1 = 50, .alpha = 0.05, .beta = 0.05};
  Measured measured = measure(&natures[1], sprt, 25, runs);
  Measured end = measure(&natures[1], sprt, 50, runs);
  chance_expect("elo 0 to 50, half draws, at 25", measured.accepted, runs, 0.46,
                0.54);
  assert_true(measured.pairs > 1.2 * end.pairs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ratio),
      cmocka_unit_test(test_ratio_of_coin),
      cmocka_unit_test(test_coins),
      cmocka_unit_test(test_many_pairs),
      cmocka_unit_test(test_symmetry),
      cmocka_unit_test(test_decisions),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_errors_of_short_tests),
      cmocka_unit_test(test_other_errors),
      cmocka_unit_test(test_between),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
