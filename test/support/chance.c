/* A statistical test has a fixed seed, so it passes or fails for ever. */
#include "support/chance.h"

#include <math.h>

static const double far = 3.9; /* standard errors */

double chance_uniform(Random *random) {
  return ((double)(random_next(random) >> 12) + 0.5) * 0x1p-52;
}

double chance_gumbel(Random *random) {
  return -log(-log(chance_uniform(random)));
}

double chance_score(Random *random, double mean, double draws) {
  double drawn = 2 * draws * fmin(mean, 1 - mean);
  double u = chance_uniform(random);
  return u < drawn ? 0.5 : u < drawn + mean - drawn / 2;
}

static double slack(double share, uint64_t runs) {
  return far * sqrt(share * (1 - share) / (double)runs);
}

void chance_expect(const char *what, uint64_t hits, uint64_t runs, double low,
                   double high) {
  double share = (double)hits / (double)runs;
  double error = sqrt(share * (1 - share) / (double)runs);
  print_message("# %s: %.2f %% +- %.2f, %llu runs\n", what, 100 * share,
                100 * error, (unsigned long long)runs);
  if (share < low - slack(low, runs) || share > high + slack(high, runs))
    fail_msg("%s: %.4f, expected %.4f to %.4f", what, share, low, high);
}
