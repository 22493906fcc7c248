/* Ratings against closed forms, against a slow twin that climbs the likelihood
   one player at a time, against the jackknife, and on results that have no
   maximum of the likelihood. That intervals hold what they promise is
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

/* ---- the twin ---- */

enum { MOST = 8 };

typedef struct Results {
  uint32_t players;
  double games[MOST][MOST], score[MOST][MOST]; /* score of the first */
} Results;

/* Random results in which everybody scores against everybody. */
static void make_results(Random *random, Results *results, Rating *rating) {
  *results = (Results){.players = 2 + random_below(random, MOST - 1)};
  rating_init(rating, results->players);
  for (uint32_t a = 0; a < results->players; a++)
    for (uint32_t b = 0; b < a; b++) {
      uint32_t wins = random_below(random, 9), draws = random_below(random, 5);
      uint32_t losses = random_below(random, 9);
      if (a == b + 1) wins++, losses++;
      add_results(rating, a, b, wins, draws, losses);
      results->games[a][b] = results->games[b][a] = wins + draws + losses;
      results->score[a][b] = wins + draws / 2.0;
      results->score[b][a] = losses + draws / 2.0;
    }
}

static double likelihood(const Results *results, const double *elo) {
  double sum = 0;
  for (uint32_t a = 0; a < results->players; a++)
    for (uint32_t b = 0; b < results->players; b++)
      if (results->score[a][b] > 0)
        sum -= results->score[a][b] * log1p(pow(10, (elo[b] - elo[a]) / 400));
  return sum;
}

/* Hunter (2004), the algorithm of Zermelo: the strength of a player is its
   score over the sum of games / (its strength + the opponent's). */
static void climb(const Results *results, double *elo) {
  double strength[MOST], mean = 0;
  for (uint32_t a = 0; a < MOST; a++) strength[a] = 1;
  for (int round = 0; round < 20000; round++)
    for (uint32_t a = 0; a < results->players; a++) {
      double score = 0, sum = 0;
      for (uint32_t b = 0; b < results->players; b++) {
        score += results->score[a][b];
        sum += results->games[a][b] / (strength[a] + strength[b]);
      }
      strength[a] = score / sum;
    }
  for (uint32_t a = 0; a < results->players; a++) {
    elo[a] = 400 * log10(strength[a]);
    mean += elo[a] / results->players;
  }
  for (uint32_t a = 0; a < results->players; a++) elo[a] -= mean;
}

static void test_twin(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 1);
  for (int i = 0; i < 30; i++) {
    Results results;
    Rating rating;
    double elo[MOST], ours[MOST];
    make_results(&random, &results, &rating);
    rating_solve(&rating, RATING_MEAN);
    climb(&results, elo);
    for (uint32_t a = 0; a < results.players; a++) {
      ours[a] = rating.players[a].elo;
      expect_near(ours[a], elo[a], 1e-5);
    }
    /* No change of one rating makes the results more likely. */
    double best = likelihood(&results, ours);
    for (uint32_t a = 0; a < results.players; a++)
      for (int step = -1; step <= 1; step += 2) {
        ours[a] += step;
        assert_true(likelihood(&results, ours) < best);
        ours[a] -= step;
      }
    rating_free(&rating);
  }
}

/* The error of a rating is what differs if single matches are left out (the
   jackknife of Quenouille and Tukey), which knows no formula. */
static void test_jackknife(void **state) {
  (void)state;
  enum { N = 300, K = 4 };
  RatingSide sides[N][3];
  double without[N][K], mean[K] = {0}, squares[K] = {0};
  Random random;
  Rating rating;
  random_seed(&random, 2);
  for (int i = 0; i < N; i++) {
    uint32_t absent = random_below(&random, K);
    for (uint32_t j = 0, player = 0; j < 3; j++, player++) {
      if (player == absent) player++;
      sides[i][j] =
          (RatingSide){player, (double)random_below(&random, 4) + 0.5 * player};
    }
  }
  for (int left_out = -1; left_out < N; left_out++) {
    rating_init(&rating, K);
    for (int i = 0; i < N; i++)
      if (i != left_out)
        rating_add(&rating, &(RatingMatch){.sides = sides[i], .count = 3});
    rating_solve(&rating, RATING_MEAN);
    for (int a = 0; a < K && left_out >= 0; a++) {
      without[left_out][a] = rating.players[a].elo;
      mean[a] += without[left_out][a] / N;
    }
    if (left_out < N - 1) rating_free(&rating);
  }
  for (int a = 0; a < K; a++) {
    for (int i = 0; i < N; i++) squares[a] += pow(without[i][a] - mean[a], 2);
    double error = sqrt(squares[a] * (N - 1) / N);
    expect_near(rating.players[a].error, error, 0.02 * error);
  }
  rating_free(&rating);
}

/* ---- matches ---- */

static void expect_counts(const RatingPlayer *player, uint64_t matches,
                          uint64_t wins, uint64_t draws, uint64_t losses) {
  assert_int_equal(player->matches, matches);
  assert_int_equal(player->wins, wins);
  assert_int_equal(player->draws, draws);
  assert_int_equal(player->losses, losses);
}

static void test_three_roles(void **state) {
  (void)state;
  Rating rating;
  const RatingSide sides[] = {{0, 100}, {1, 50}, {2, 50}};
  const RatingSide twice[] = {{0, 40}, {1, 0}, {1, 80}}; /* a mean of 40 */
  const RatingSide alone[] = {{2, 10}, {2, 20}};
  rating_init(&rating, 3);
  rating_add(&rating, &(RatingMatch){.sides = sides, .count = 3});
  expect_counts(&rating.players[0], 1, 2, 0, 0);
  expect_counts(&rating.players[1], 1, 0, 1, 1);
  expect_counts(&rating.players[2], 1, 0, 1, 1);
  rating_add(&rating, &(RatingMatch){.sides = twice, .count = 3});
  expect_counts(&rating.players[0], 2, 2, 1, 0);
  expect_counts(&rating.players[1], 2, 0, 2, 1);
  rating_add(&rating, &(RatingMatch){.sides = alone, .count = 2});
  rating_add(&rating, &(RatingMatch){.sides = alone, .count = 0});
  expect_counts(&rating.players[2], 1, 0, 1, 1);
  rating_add(&rating,
             &(RatingMatch){.sides = sides, .count = 3, .drawn = true});
  expect_counts(&rating.players[0], 3, 2, 3, 0);
  expect_counts(&rating.players[2], 2, 0, 3, 1);
  rating_free(&rating);
}

/* Matches that are copies of each other say nothing new if they are a group. */
static void test_groups(void **state) {
  (void)state;
  static const double goals[] = {100, 100, 0, 50, 100, 0, 50, 100, 0, 0, 100};
  Rating once, grouped, single;
  double elo, error[3];
  rating_init(&once, 2);
  rating_init(&grouped, 2);
  rating_init(&single, 2);
  for (uint32_t copy = 0; copy < 4; copy++)
    for (uint32_t i = 0; i < LENGTH(goals); i++) {
      RatingSide sides[] = {{0, goals[i]}, {1, 100 - goals[i]}};
      RatingMatch match = {.sides = sides, .count = 2};
      if (!copy) rating_add(&once, &match);
      rating_add(&single, &match);
      match.group = i + 1;
      rating_add(&grouped, &match);
    }
  rating_solve(&once, RATING_MEAN);
  rating_solve(&grouped, RATING_MEAN);
  rating_solve(&single, RATING_MEAN);
  expect_near(grouped.players[0].elo, once.players[0].elo, 1e-6);
  rating_difference(&once, 0, 1, &elo, &error[0]);
  rating_difference(&grouped, 0, 1, &elo, &error[1]);
  rating_difference(&single, 0, 1, &elo, &error[2]);
  expect_near(error[1], error[0], 0.05 * error[0]);
  expect_near(error[2], error[0] / 2, 0.05 * error[0]);
  double half = grouped.players[0].high - grouped.players[0].elo;
  assert_true(half > 1.5 * (single.players[0].high - single.players[0].elo));
  rating_free(&once);
  rating_free(&grouped);
  rating_free(&single);
}

/* ---- results without a maximum ---- */

static void expect_ends(const RatingPlayer *player, bool low, bool high) {
  assert_int_equal(!isinf(player->low), low);
  assert_int_equal(!isinf(player->high), high);
  assert_true(player->low <= player->elo && player->elo <= player->high);
  assert_true(isfinite(player->elo) && isfinite(player->error));
}

/* All won: the virtual draws leave n (1 - p(r)) = p(r / 2) - 1/2 for a lead of
 * r.
 */
static void test_all_won(void **state) {
  (void)state;
  Rating rating;
  double elo, error;
  rating_init(&rating, 2);
  add_results(&rating, 0, 1, 20, 0, 0);
  rating_solve(&rating, RATING_MEAN);
  rating_difference(&rating, 0, 1, &elo, &error);
  double half = 1 / (1 + pow(10, -elo / 800));
  expect_near(20 / (1 + pow(10, elo / 400)), half - 0.5, 1e-9);
  expect_ends(&rating.players[0], true, false);
  expect_ends(&rating.players[1], false, true);
  assert_true(rating.players[0].virtual_draw);
  /* Not even 150 Elo are certain, and certainly more than 0. */
  assert_true(rating.players[0].low > 0 && rating.players[0].low < 150);
  assert_true(rating_superiority(&rating, 0, 1) > 0.98);
  rating_free(&rating);
}

/* One player won everything, one lost everything, the others are bounded. */
static void test_best_and_worst(void **state) {
  (void)state;
  Rating rating;
  rating_init(&rating, 5);
  for (uint32_t a = 1; a < 5; a++) add_results(&rating, 0, a, 4, 0, 0);
  for (uint32_t a = 0; a < 4; a++) add_results(&rating, 4, a, 0, 0, 4);
  add_results(&rating, 1, 2, 2, 1, 1);
  add_results(&rating, 2, 3, 2, 0, 2);
  add_results(&rating, 1, 3, 3, 0, 1);
  rating_solve(&rating, RATING_MEAN);
  expect_ends(&rating.players[0], true, false);
  for (uint32_t a = 1; a < 4; a++) expect_ends(&rating.players[a], true, true);
  expect_ends(&rating.players[4], false, true);
  for (uint32_t a = 0; a < 4; a++)
    assert_true(rating.players[a].elo >= rating.players[a + 1].elo);
  double sum = 0;
  for (uint32_t a = 0; a < 5; a++) sum += rating.players[a].elo;
  expect_near(sum, 0, 1e-6);
  rating_solve(&rating, 0); /* relative to one without bound all are so */
  for (uint32_t a = 1; a < 5; a++) expect_ends(&rating.players[a], false, true);
  expect_ends(&rating.players[0], true, true);
  rating_free(&rating);
}

/* a beat b and b beat c: nothing says how far apart they are. */
static void test_ladder(void **state) {
  (void)state;
  Rating rating;
  rating_init(&rating, 3);
  add_results(&rating, 0, 1, 3, 0, 0);
  add_results(&rating, 1, 2, 3, 0, 0);
  rating_solve(&rating, RATING_MEAN);
  expect_ends(&rating.players[0], true, false);
  expect_ends(&rating.players[1], false, false);
  expect_ends(&rating.players[2], false, true);
  expect_near(rating.players[1].elo, 0, 1e-6);
  rating_free(&rating);
}

static void test_components(void **state) {
  (void)state;
  Rating rating;
  double elo, error;
  rating_init(&rating, 6);
  add_results(&rating, 0, 3, 6, 0, 2);
  add_results(&rating, 2, 4, 5, 0, 0);
  rating_solve(&rating, 3);
  assert_int_equal(rating.components, 4);
  static const uint32_t expected[] = {0, 1, 2, 0, 2, 3};
  for (uint32_t a = 0; a < 6; a++)
    assert_int_equal(rating.players[a].component, expected[a]);
  expect_near(rating.players[0].elo, 400 * log10(3), 1e-6);
  expect_near(rating.players[3].elo, 0, 1e-9);
  expect_near(rating.players[2].elo, -rating.players[4].elo, 1e-6);
  assert_false(rating.players[0].virtual_draw);
  assert_true(rating.players[2].virtual_draw);
  expect_near(rating.players[5].elo, 0, 0);
  assert_true(isnan(rating.players[5].error) && isnan(rating.players[5].low));
  assert_true(isnan(rating_score(&rating.players[5])));
  assert_false(rating_difference(&rating, 0, 2, &elo, &error));
  assert_true(isnan(elo) && isnan(error));
  assert_true(isnan(rating_superiority(&rating, 0, 2)));
  assert_true(rating_difference(&rating, 0, 3, &elo, &error));
  rating_free(&rating);
  rating_init(&rating, 0);
  rating_solve(&rating, RATING_MEAN);
  assert_int_equal(rating.components, 0);
  rating_free(&rating);
}

/* One draw says little, and yet its residual is 0. */
static void test_one_draw(void **state) {
  (void)state;
  Rating rating;
  double elo, error;
  rating_init(&rating, 2);
  add_results(&rating, 0, 1, 0, 1, 0);
  rating_solve(&rating, RATING_MEAN);
  rating_difference(&rating, 0, 1, &elo, &error);
  expect_near(elo, 0, 1e-9);
  expect_near(error, 2 * elo_per_logit, 1e-6);
  expect_near(rating.players[0].high, 1.959964 * elo_per_logit, 0.01);
  expect_near(rating_superiority(&rating, 0, 1), 0.5, 1e-9);
  rating_free(&rating);
}

/* ---- many ---- */

/* The order of matches changes nothing; more matches may follow a solution. */
static void test_order(void **state) {
  (void)state;
  Random random;
  RatingSide sides[200][2];
  Rating rating, reversed;
  random_seed(&random, 8);
  rating_init(&rating, 7);
  rating_init(&reversed, 7);
  for (int i = 0; i < 200; i++) {
    uint32_t a = random_below(&random, 7);
    double goal = 50.0 * random_below(&random, 3);
    sides[i][0] = (RatingSide){a, goal};
    sides[i][1] =
        (RatingSide){(a + 1 + random_below(&random, 6)) % 7, 100 - goal};
  }
  for (int i = 0; i < 200; i++) {
    rating_add(&rating, &(RatingMatch){.sides = sides[i], .count = 2});
    rating_add(&reversed, &(RatingMatch){.sides = sides[199 - i], .count = 2});
    if (i == 100) rating_solve(&rating, RATING_MEAN);
  }
  rating_solve(&rating, RATING_MEAN);
  rating_solve(&reversed, RATING_MEAN);
  for (uint32_t a = 0; a < 7; a++) {
    expect_near(rating.players[a].elo, reversed.players[a].elo, 1e-8);
    expect_near(rating.players[a].low, reversed.players[a].low, 1e-8);
  }
  rating_free(&rating);
  rating_free(&reversed);
}

/* A long chain far apart, where p (1 - p) is 0 for most pairs. */
static void test_many_players(void **state) {
  (void)state;
  enum { N = 200 };
  Rating rating;
  double elo, error;
  rating_init(&rating, N);
  for (uint32_t a = 0; a + 1 < N; a++) add_results(&rating, a, a + 1, 99, 0, 1);
  rating_solve(&rating, RATING_MEAN);
  assert_int_equal(rating.components, 1);
  for (uint32_t a = 0; a + 1 < N; a++) {
    assert_true(rating_difference(&rating, a, a + 1, &elo, &error));
    expect_near(elo, 400 * log10(99), 1e-4);
    expect_near(error, elo_per_logit * sqrt(1.01 / (100 * 0.99 * 0.01)), 1e-2);
  }
  rating_free(&rating);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_players),
      cmocka_unit_test(test_transitive),
      cmocka_unit_test(test_symmetric),
      cmocka_unit_test(test_twin),
      cmocka_unit_test(test_jackknife),
      cmocka_unit_test(test_three_roles),
      cmocka_unit_test(test_groups),
      cmocka_unit_test(test_all_won),
      cmocka_unit_test(test_best_and_worst),
      cmocka_unit_test(test_ladder),
      cmocka_unit_test(test_components),
      cmocka_unit_test(test_one_draw),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_many_players),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
