/* Ratings against closed forms, against a slow twin that climbs the likelihood
   one player at a time, and against the jackknife. That intervals hold what
   they promise is for coverage_test.c. */
#include "contest/rating.h"

#include <math.h>

#include "base/random.h"
#include "support/ratings.h"

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
    ratings_add(&rating, 0, 1, cases[i][0], cases[i][1], cases[i][2]);
    rating_solve(&rating, RATING_MEAN);
    assert_true(rating_difference(&rating, 0, 1, &elo, &error));
    ratings_expect(elo, 400 * log10(p / (1 - p)), 1e-6);
    ratings_expect(
        error, ratings_logit * sqrt(squares + p * (1 - p)) / (n * p * (1 - p)),
        1e-6);
    ratings_expect(rating.players[0].elo, elo / 2, 1e-6);
    ratings_expect(rating.players[1].elo, -elo / 2, 1e-6);
    ratings_expect(rating.players[0].error, error / 2, 1e-6);
    ratings_expect(rating_superiority(&rating, 0, 1),
                   0.5 + erf(elo / error / sqrt(2)) / 2, 1e-9);
    ratings_expect(rating_score(&rating.players[0]), p, 1e-12);
    assert_int_equal(rating.players[0].matches, (uint64_t)n);
    assert_int_equal(rating.players[1].losses, cases[i][0]);
    assert_false(rating.players[0].virtual_draw);
    rating_free(&rating);
  }
}

static double half_of(uint32_t wins, uint32_t draws, uint32_t losses,
                      double *error) {
  Rating rating;
  rating_init(&rating, 2);
  ratings_add(&rating, 0, 1, wins, draws, losses);
  rating_solve(&rating, 1);
  double half = rating.players[0].high - rating.players[0].elo;
  ratings_expect(rating.players[0].elo - rating.players[0].low, half, 1e-9);
  *error = rating.players[0].error;
  rating_free(&rating);
  return half;
}

/* With draws it is Student's t; without, no more than the model allows. */
static void test_intervals(void **state) {
  (void)state;
  double error, half = half_of(5, 11, 5, &error);
  ratings_expect(half, 2.0859634 * error, 1e-4);
  half = half_of(2, 6, 3, &error);
  ratings_expect(half, 2.2281389 * error, 1e-4);
  half = half_of(6, 0, 5, &error);
  ratings_expect(half, 1.959964 * ratings_logit * sqrt(11 / 30.0), 1e-4);
  assert_true(half < 2.22 * error);
  half = half_of(500, 0, 500, &error);
  ratings_expect(half, 1.959964 * ratings_logit * sqrt(1 / 250.0), 1e-4);
}

/* Expectations that fit exactly: a beats b 2 to 1 and b beats c 3 to 1, so a
   beats c 6 to 1. */
static void test_transitive(void **state) {
  (void)state;
  Rating rating;
  double elo, error;
  rating_init(&rating, 3);
  ratings_add(&rating, 0, 1, 20, 0, 10);
  ratings_add(&rating, 1, 2, 30, 0, 10);
  ratings_add(&rating, 2, 0, 5, 0, 30);
  rating_solve(&rating, RATING_MEAN);
  ratings_expect(rating.players[0].elo, 400 * log10(12) / 3, 1e-6);
  ratings_expect(rating.players[1].elo, 400 * log10(1.5) / 3, 1e-6);
  ratings_expect(rating.players[2].elo, -400 * log10(18) / 3, 1e-6);
  rating_solve(&rating, 2);
  ratings_expect(rating.players[0].elo, 400 * log10(6), 1e-6);
  ratings_expect(rating.players[1].elo, 400 * log10(3), 1e-6);
  ratings_expect(rating.players[2].elo, 0, 1e-9);
  ratings_expect(rating.players[2].error, 0, 1e-6);
  assert_true(rating_difference(&rating, 0, 2, &elo, &error));
  ratings_expect(error, rating.players[0].error, 1e-6);
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
      ratings_add(&rating, a, b, M / 2, 0, M / 2);
  rating_solve(&rating, RATING_MEAN);
  double variance = (1 + 2.0 / (K * M)) * 4.0 / (K * M) * (K - 1) / K;
  for (uint32_t a = 0; a < K; a++) {
    ratings_expect(rating.players[a].elo, 0, 1e-9);
    ratings_expect(rating.players[a].error, ratings_logit * sqrt(variance),
                   1e-6);
  }
  rating_free(&rating);
}

/* ---- the twin ---- */

enum { MOST = 7 };

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
      ratings_add(rating, a, b, wins, draws, losses);
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
      ratings_expect(ours[a], elo[a], 1e-5);
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
    ratings_expect(rating.players[a].error, error, 0.02 * error);
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
  ratings_expect(grouped.players[0].elo, once.players[0].elo, 1e-6);
  rating_difference(&once, 0, 1, &elo, &error[0]);
  rating_difference(&grouped, 0, 1, &elo, &error[1]);
  rating_difference(&single, 0, 1, &elo, &error[2]);
  ratings_expect(error[1], error[0], 0.05 * error[0]);
  ratings_expect(error[2], error[0] / 2, 0.05 * error[0]);
  double half = grouped.players[0].high - grouped.players[0].elo;
  assert_true(half > 1.5 * (single.players[0].high - single.players[0].elo));
  rating_free(&once);
  rating_free(&grouped);
  rating_free(&single);
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
    ratings_expect(rating.players[a].elo, reversed.players[a].elo, 1e-8);
    ratings_expect(rating.players[a].low, reversed.players[a].low, 1e-8);
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
  for (uint32_t a = 0; a + 1 < N; a++) ratings_add(&rating, a, a + 1, 99, 0, 1);
  rating_solve(&rating, RATING_MEAN);
  assert_int_equal(rating.components, 1);
  for (uint32_t a = 0; a + 1 < N; a++) {
    assert_true(rating_difference(&rating, a, a + 1, &elo, &error));
    ratings_expect(elo, 400 * log10(99), 1e-4);
    ratings_expect(error, ratings_logit * sqrt(1.01 / (100 * 0.99 * 0.01)),
                   1e-2);
  }
  rating_free(&rating);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_players), cmocka_unit_test(test_intervals),
      cmocka_unit_test(test_transitive),  cmocka_unit_test(test_symmetric),
      cmocka_unit_test(test_twin),        cmocka_unit_test(test_jackknife),
      cmocka_unit_test(test_three_roles), cmocka_unit_test(test_groups),
      cmocka_unit_test(test_order),       cmocka_unit_test(test_many_players),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
