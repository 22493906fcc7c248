/* Ratings against closed forms, against a slow twin that climbs the likelihood
   one player at a time and differentiates it numerically, and on results that
   have no maximum of the likelihood. That intervals hold what they promise is
   for coverage_test.c. */
#include "contest/rating.h"

#include <math.h>

#include "base/random.h"
#include "support/unit.h"

static const double elo_per_logit = 173.71779276130073;

static void expect_near(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.9f, expected %.9f", value, expected);
}

/* Adds games of two players: a's goal is 100, 50 or 0. */
static void add(Rating *rating, uint32_t a, uint32_t b, uint32_t games,
                double goal) {
  RatingSide sides[] = {{a, goal}, {b, 100 - goal}};
  for (uint32_t i = 0; i < games; i++)
    rating_add(rating, &(RatingMatch){.sides = sides, .count = 2});
}

static void add_results(Rating *rating, uint32_t a, uint32_t b, uint32_t wins,
                        uint32_t draws, uint32_t losses) {
  add(rating, a, b, wins, 100);
  add(rating, a, b, draws, 50);
  add(rating, a, b, losses, 0);
}

/* ---- closed forms ---- */

/* With a share p of n games the lead is 400 log10(p / (1 - p)), and by the
   delta method its error is 400 / ln 10 times the error of p over p (1 - p).
   That of p comes from the squares of the residuals, and one game's p (1 - p)
   for the rating that was fitted. */
static void test_two_players(void **state) {
  (void)state;
  static const uint32_t cases[][3] = {
      {3, 0, 1}, {60, 0, 40}, {10, 20, 4}, {1, 50, 2}, {250, 1, 3}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Rating rating;
    double elo, error, wins = cases[i][0], draws = cases[i][1];
    double n = wins + draws + cases[i][2], p = (wins + draws / 2) / n;
    double squares = wins * (1 - p) * (1 - p) + draws * (0.5 - p) * (0.5 - p) +
                     cases[i][2] * p * p;
    rating_init(&rating, 2);
    add_results(&rating, 0, 1, cases[i][0], cases[i][1], cases[i][2]);
    rating_solve(&rating, RATING_MEAN);
    assert_true(rating_difference(&rating, 0, 1, &elo, &error));
    expect_near(elo, 400 * log10(p / (1 - p)), 1e-6);
    expect_near(error,
                elo_per_logit * sqrt(squares + p * (1 - p)) / (n * p * (1 - p)),
                1e-6);
    expect_near(rating.players[0].elo, elo / 2, 1e-6);
    expect_near(rating.players[1].elo, -elo / 2, 1e-6);
    expect_near(rating.players[0].error, error / 2, 1e-6);
    expect_near(rating_superiority(&rating, 0, 1),
                0.5 + erf(elo / error / sqrt(2)) / 2, 1e-9);
    expect_near(rating_score(&rating.players[0]), p, 1e-12);
    assert_int_equal(rating.players[0].matches, (uint64_t)n);
    assert_int_equal(rating.players[1].losses, cases[i][0]);
    assert_false(rating.players[0].virtual_draw);
    rating_free(&rating);
  }
}

/* Expectations that fit exactly: a beats b 2 to 1 and b beats c 3 to 1, so a
   beats c 6 to 1. */
static void test_transitive(void **state) {
  (void)state;
  Rating rating;
  double elo, error;
  rating_init(&rating, 3);
  add_results(&rating, 0, 1, 20, 0, 10);
  add_results(&rating, 1, 2, 30, 0, 10);
  add_results(&rating, 2, 0, 5, 0, 30);
  rating_solve(&rating, RATING_MEAN);
  expect_near(rating.players[0].elo, 400 * log10(12) / 3, 1e-6);
  expect_near(rating.players[1].elo, 400 * log10(1.5) / 3, 1e-6);
  expect_near(rating.players[2].elo, -400 * log10(18) / 3, 1e-6);
  rating_solve(&rating, 2);
  expect_near(rating.players[0].elo, 400 * log10(6), 1e-6);
  expect_near(rating.players[1].elo, 400 * log10(3), 1e-6);
  expect_near(rating.players[2].elo, 0, 1e-9);
  expect_near(rating.players[2].error, 0, 1e-6);
  assert_true(rating_difference(&rating, 0, 2, &elo, &error));
  expect_near(error, rating.players[0].error, 1e-6);
  rating_free(&rating);
}

/* Everybody scores half against everybody in decided games: by symmetry the
   information is m/4 on each pair and the leverage 2 / (k m); each
   of a player's (k - 1) m residuals is 1/2. */
static void test_symmetric(void **state) {
  (void)state;
  enum { K = 5, M = 6 };
  Rating rating;
  rating_init(&rating, K);
  for (uint32_t a = 0; a < K; a++)
    for (uint32_t b = 0; b < a; b++)
      add_results(&rating, a, b, M / 2, 0, M / 2);
  rating_solve(&rating, RATING_MEAN);
  double variance = (1 + 2.0 / (K * M)) * 4.0 / (K * M) * (K - 1) / K;
  for (uint32_t a = 0; a < K; a++) {
    expect_near(rating.players[a].elo, 0, 1e-9);
    expect_near(rating.players[a].error, elo_per_logit * sqrt(variance), 1e-6);
  }
  rating_free(&rating);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_players),
      cmocka_unit_test(test_transitive),
      cmocka_unit_test(test_symmetric),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
