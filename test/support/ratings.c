/* A win is a goal of 100 against 0, a draw 50 against 50. */
#include "support/ratings.h"

#include <math.h>

const double ratings_logit = 173.71779276130073;

void ratings_expect(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.9f, expected %.9f", value, expected);
}

static void add(Rating *rating, uint32_t a, uint32_t b, uint32_t games,
                double goal) {
  RatingSide sides[] = {{a, goal}, {b, 100 - goal}};
  for (uint32_t i = 0; i < games; i++)
    rating_add(rating, &(RatingMatch){.sides = sides, .count = 2});
}

void ratings_add(Rating *rating, uint32_t a, uint32_t b, uint32_t wins,
                 uint32_t draws, uint32_t losses) {
  add(rating, a, b, wins, 100);
  add(rating, a, b, draws, 50);
  add(rating, a, b, losses, 0);
}
