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

/* ---- cells ---- */

double chance_square(const uint64_t *seen, const double *weights,
                     uint32_t cells) {
  double total = 0, sum = 0, chi = 0, rare_seen = 0, rare = 0;
  for (uint32_t i = 0; i < cells; i++) {
    total += (double)seen[i];
    sum += weights[i];
  }
  for (uint32_t i = 0; i < cells; i++) {
    double expected = total * weights[i] / sum;
    double off = (double)seen[i] - expected;
    if (expected >= 5) {
      chi += off * off / expected;
    } else {
      rare += expected;
      rare_seen += (double)seen[i];
    }
  }
  if (rare > 0) chi += (rare_seen - rare) * (rare_seen - rare) / (rare + 1);
  return chi;
}

double chance_square_bound(uint32_t cells) {
  double freedom = cells - 1, part = 2 / (9 * freedom);
  return freedom * pow(1 - part + 4 * sqrt(part), 3);
}

void chance_check_cells(const uint64_t *seen, const double *weights,
                        uint32_t cells) {
  double chi = chance_square(seen, weights, cells);
  if (getenv("SHOW"))
    print_message("# %u cells: chi-square %.1f, bound %.1f\n", cells, chi,
                  chance_square_bound(cells));
  assert_true(chi < chance_square_bound(cells));
}
