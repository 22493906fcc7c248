/* Ratings from results that leave them open: the likelihood has no maximum,
   nobody connects the players, or there is hardly any game. A slow twin tries
   all sets of players that might be any distance ahead. */
#include <math.h>

#include "base/random.h"
#include "support/ratings.h"

enum { MOST = 7 };

static void expect_ends(const RatingPlayer *player, bool low, bool high) {
  assert_int_equal(!isinf(player->low), low);
  assert_int_equal(!isinf(player->high), high);
  assert_true(player->low <= player->elo && player->elo <= player->high);
  assert_true(isfinite(player->elo) && isfinite(player->error));
}

/* All won: with a lead of r the virtual draws leave
   n (1 - p(r)) = p(r / 2) - 1/2. */
static void test_all_won(void **state) {
  (void)state;
  Rating rating;
  double elo, error;
  rating_init(&rating, 2);
  ratings_add(&rating, 0, 1, 20, 0, 0);
  rating_solve(&rating, RATING_MEAN);
  rating_difference(&rating, 0, 1, &elo, &error);
  double half = 1 / (1 + pow(10, -elo / 800));
  ratings_expect(20 / (1 + pow(10, elo / 400)), half - 0.5, 1e-9);
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
  for (uint32_t a = 1; a < 5; a++) ratings_add(&rating, 0, a, 4, 0, 0);
  for (uint32_t a = 0; a < 4; a++) ratings_add(&rating, 4, a, 0, 0, 4);
  ratings_add(&rating, 1, 2, 2, 1, 1);
  ratings_add(&rating, 2, 3, 2, 0, 2);
  ratings_add(&rating, 1, 3, 3, 0, 1);
  rating_solve(&rating, RATING_MEAN);
  expect_ends(&rating.players[0], true, false);
  for (uint32_t a = 1; a < 4; a++) expect_ends(&rating.players[a], true, true);
  expect_ends(&rating.players[4], false, true);
  for (uint32_t a = 0; a < 4; a++)
    assert_true(rating.players[a].elo >= rating.players[a + 1].elo);
  double sum = 0;
  for (uint32_t a = 0; a < 5; a++) sum += rating.players[a].elo;
  ratings_expect(sum, 0, 1e-6);
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
  ratings_add(&rating, 0, 1, 3, 0, 0);
  ratings_add(&rating, 1, 2, 3, 0, 0);
  rating_solve(&rating, RATING_MEAN);
  expect_ends(&rating.players[0], true, false);
  expect_ends(&rating.players[1], false, false);
  expect_ends(&rating.players[2], false, true);
  ratings_expect(rating.players[1].elo, 0, 1e-6);
  rating_free(&rating);
}

static void test_components(void **state) {
  (void)state;
  Rating rating;
  double elo, error;
  rating_init(&rating, 6);
  ratings_add(&rating, 0, 3, 6, 0, 2);
  ratings_add(&rating, 2, 4, 5, 0, 0);
  rating_solve(&rating, 3);
  assert_int_equal(rating.components, 4);
  static const uint32_t expected[] = {0, 1, 2, 0, 2, 3};
  for (uint32_t a = 0; a < 6; a++)
    assert_int_equal(rating.players[a].component, expected[a]);
  ratings_expect(rating.players[0].elo, 400 * log10(3), 1e-6);
  ratings_expect(rating.players[3].elo, 0, 1e-9);
  ratings_expect(rating.players[2].elo, -rating.players[4].elo, 1e-6);
  assert_false(rating.players[0].virtual_draw);
  assert_true(rating.players[2].virtual_draw);
  ratings_expect(rating.players[5].elo, 0, 0);
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
  ratings_add(&rating, 0, 1, 0, 1, 0);
  rating_solve(&rating, RATING_MEAN);
  rating_difference(&rating, 0, 1, &elo, &error);
  ratings_expect(elo, 0, 1e-9);
  ratings_expect(error, 2 * ratings_logit, 1e-6);
  ratings_expect(rating.players[0].high, 1.959964 * ratings_logit, 0.01);
  ratings_expect(rating_superiority(&rating, 0, 1), 0.5, 1e-9);
  rating_free(&rating);
}

/* Few random matches of two to four sides. */
static void make_few(Random *random, Rating *rating, bool scored[MOST][MOST]) {
  uint32_t players = 1 + random_below(random, MOST);
  uint32_t matches = random_below(random, 2 * MOST);
  rating_init(rating, players);
  for (uint32_t i = 0; i < matches; i++) {
    RatingSide sides[4];
    RatingMatch match = {.sides = sides,
                         .count = 2 + random_below(random, 3),
                         .drawn = random_below(random, 16) == 0,
                         .group = random_below(random, 4)};
    for (uint32_t j = 0; j < match.count; j++)
      sides[j] = (RatingSide){random_below(random, players),
                              50.0 * random_below(random, 3)};
    rating_add(rating, &match);
  }
  for (uint32_t i = 0; i < rating->pairs.count; i++) {
    const RatingPair *pair = &rating->pairs.data[i];
    if (pair->score > 0) scored[pair->a][pair->b] = true;
    if (pair->score < 1) scored[pair->b][pair->a] = true;
  }
}

/* A set of players is ahead if none of the others has scored against it:
   nothing says how far ahead. */
static bool is_ahead(uint32_t players, bool scored[MOST][MOST], uint32_t set) {
  for (uint32_t a = 0; a < players; a++)
    for (uint32_t b = 0; b < players; b++)
      if (scored[a][b] && !(set >> a & 1) && set >> b & 1) return false;
  return true;
}

/* Some set that is ahead has one player and not the other. */
static bool can_leave(uint32_t players, bool scored[MOST][MOST], uint32_t up,
                      uint32_t down) {
  for (uint32_t set = 0; set < 1u << players; set++)
    if (set >> up & 1 && !(set >> down & 1) && is_ahead(players, scored, set))
      return true;
  return false;
}

static void check_few(const Rating *rating, bool scored[MOST][MOST],
                      uint32_t anchor) {
  double sum[MOST] = {0};
  for (uint32_t a = 0; a < rating->count; a++) {
    const RatingPlayer *player = &rating->players[a];
    uint32_t home = player->component;
    assert_true(isfinite(player->elo));
    sum[home] += player->elo;
    if (!player->matches) continue;
    assert_true(isfinite(player->error) && player->low <= player->elo);
    assert_true(player->high >= player->elo);
    bool leaves = false;
    for (uint32_t b = 0; b < rating->count; b++)
      for (uint32_t c = 0; c < rating->count; c++)
        leaves |= rating->players[b].component == home &&
                  rating->players[c].component == home &&
                  can_leave(rating->count, scored, b, c);
    assert_int_equal(player->virtual_draw, leaves);
    if (home != rating->players[anchor].component) continue;
    assert_int_equal(isinf(player->high) != 0,
                     can_leave(rating->count, scored, a, anchor));
    assert_int_equal(isinf(player->low) != 0,
                     can_leave(rating->count, scored, anchor, a));
  }
  ratings_expect(rating->players[anchor].elo, 0, 1e-9);
  for (uint32_t i = 0; i < rating->components; i++)
    if (i != rating->players[anchor].component) ratings_expect(sum[i], 0, 1e-6);
}

static void test_few_matches(void **state) {
  (void)state;
  Random random;
  random_seed(&random, 9);
  for (int i = 0; i < 200; i++) {
    Rating rating;
    bool scored[MOST][MOST] = {{0}};
    make_few(&random, &rating, scored);
    uint32_t anchor = random_below(&random, rating.count);
    rating_solve(&rating, anchor);
    check_few(&rating, scored, anchor);
    rating_free(&rating);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_won),  cmocka_unit_test(test_best_and_worst),
      cmocka_unit_test(test_ladder),   cmocka_unit_test(test_components),
      cmocka_unit_test(test_one_draw), cmocka_unit_test(test_few_matches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
