/* Simulated games of known strength, and shares of runs that are judged by the
   binomial distribution. */
#ifndef TAFL_TEST_SUPPORT_CHANCE_H
#define TAFL_TEST_SUPPORT_CHANCE_H

#include "base/random.h"
#include "support/unit.h"

double chance_uniform(Random *random); /* in (0, 1) */
/* Returns a value of Gumbel's distribution. Players with strength + value each
   beat each other in pairs as Bradley and Terry have it, however many of them
   there are (Luce and Plackett). */
double chance_gumbel(Random *random);
/* Returns the score of a game, 0, 1/2 or 1, with a mean. Of the less
   probable result, and as much of the other, a share is made draws. */
double chance_score(Random *random, double mean, double draws);

/* Prints the share of runs in which something was so, with its standard error,
   and fails if it is not within the bounds, allowing for chance: it must not be
   so far outside that it would happen once in 20000 times. */
void chance_expect(const char *what, uint64_t hits, uint64_t runs, double low,
                   double high);

/* Returns the chi-square of what was seen in cells of these weights; cells in
   which fewer than five are expected are merged. */
double chance_square(const uint64_t *seen, const double *weights,
                     uint32_t cells);
/* Returns what it exceeds once in 30,000 times: Wilson and Hilferty's (1931)
   approximation, four deviations. */
double chance_square_bound(uint32_t cells);
/* Fails if it exceeds that. */
void chance_check_cells(const uint64_t *seen, const double *weights,
                        uint32_t cells);

#endif
