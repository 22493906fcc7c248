/* The generalised sequential probability ratio test for pairs of games.

   Let f be the observed frequencies of the outcomes a = 0, 1/4, 1/2, 3/4, 1.
   Among all distributions with mean s the one that makes the observations most
   likely is p(s) = f / (1 + t (a - s)), t being the root of
     sum f (a - s) / (1 + t (a - s)) = 0,
   and the logarithm of the ratio after n pairs is
     n sum f ln(p(s1) / p(s0)).
   (Van den Bergh, The generalized SPRT for multinomial distributions, and its
   use in fishtest.) Outcomes that were never seen count as a thousandth, so
   that the root exists. The test takes pairs and not games because the two
   games of a pair depend on each other, and draws and the better role make
   single games vary more. */
#include "contest/sprt.h"

#include <math.h>

static const double unseen = 1e-3;

static double outcome(int i) {
  return (double)i / (SPRT_OUTCOMES - 1);
}

void sprt_add(Sprt *sprt, uint32_t half_points) {
  sprt->counts[half_points]++;
}

uint64_t sprt_pairs(const Sprt *sprt) {
  uint64_t pairs = 0;
  for (int i = 0; i < SPRT_OUTCOMES; i++) pairs += sprt->counts[i];
  return pairs;
}

double sprt_expected(double elo) {
  return 1 / (1 + pow(10, -elo / 400));
}

static double slope(const double *weights, double mean, double t) {
  double sum = 0;
  for (int i = 0; i < SPRT_OUTCOMES; i++) {
    double from = outcome(i) - mean;
    sum += weights[i] * from / (1 + t * from);
  }
  return sum;
}

/* Finds the root by bisection: the sum falls from +infinity to -infinity
   between the two t at which a denominator becomes zero. */
static double find_root(const double *weights, double mean) {
  double low = -1 / (1 - mean), high = 1 / mean;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (slope(weights, mean, middle) > 0)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

double sprt_ratio(const Sprt *sprt) {
  double weights[SPRT_OUTCOMES], ratio = 0;
  double s0 = sprt_expected(sprt->elo0), s1 = sprt_expected(sprt->elo1);
  if (!sprt_pairs(sprt)) return 0;
  for (int i = 0; i < SPRT_OUTCOMES; i++)
    weights[i] = sprt->counts[i] ? (double)sprt->counts[i] : unseen;
  double t0 = find_root(weights, s0), t1 = find_root(weights, s1);
  for (int i = 0; i < SPRT_OUTCOMES; i++)
    ratio += weights[i] *
             log((1 + t0 * (outcome(i) - s0)) / (1 + t1 * (outcome(i) - s1)));
  return ratio;
}

double sprt_lower(const Sprt *sprt) {
  return log(sprt->beta / (1 - sprt->alpha));
}

double sprt_upper(const Sprt *sprt) {
  return log((1 - sprt->beta) / sprt->alpha);
}

SprtDecision sprt_decide(const Sprt *sprt) {
  double ratio = sprt_ratio(sprt);
  return ratio >= sprt_upper(sprt)   ? SPRT_ELO1
         : ratio <= sprt_lower(sprt) ? SPRT_ELO0
                                     : SPRT_OPEN;
}
