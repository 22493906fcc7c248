/* Estimates are computed from the sums of a tally. Scores of games are taken in
   percent: 100, 50 and 0. */
#include "contest/estimate.h"

#include <math.h>
#include <stdbool.h>

static const double normal = 1.959963984540054; /* its 97.5 % point */
static const double pi = 3.14159265358979323846;

enum { EXACT_DEGREES = 40 }; /* beyond, the series errs by less than 1e-8 */

/* ---- Student's t ---- */

/* Returns P(|T| <= t), for whole degrees of freedom a finite sum: Abramowitz
   and Stegun (1964), 26.7.3 and 26.7.4. */
static double student_within(double t, int degrees) {
  double angle = atan(t / sqrt(degrees)), square = pow(cos(angle), 2);
  bool odd = degrees % 2;
  double term = odd ? cos(angle) : 1, sum = 0;
  for (int i = odd ? 3 : 2; i <= degrees; i += 2) {
    sum += term;
    term *= square * (i - 1) / i;
  }
  return odd ? 2 / pi * (angle + sin(angle) * sum) : sin(angle) * sum;
}

static double student_exact(int degrees) {
  double low = 0, high = 16;
  for (int i = 0; i < 60; i++) {
    double middle = (low + high) / 2;
    if (student_within(middle, degrees) < 0.95)
      low = middle;
    else
      high = middle;
  }
  return (low + high) / 2;
}

/* The expansion of Cornish and Fisher: Abramowitz and Stegun (1964), 26.7.5. */
static double student_series(double degrees) {
  double z = normal, z3 = pow(z, 3), z5 = pow(z, 5), z7 = pow(z, 7);
  double g1 = (z3 + z) / 4, g2 = (5 * z5 + 16 * z3 + 3 * z) / 96;
  double g3 = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
  double g4 =
      (79 * pow(z, 9) + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92160;
  double v = degrees;
  return z + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v;
}

double estimate_student(uint64_t degrees) {
  return degrees <= EXACT_DEGREES ? student_exact((int)degrees)
                                  : student_series((double)degrees);
}

/* ---- estimates ---- */

/* Makes room for [low, high], cut off at the ends of the scale. */
static Estimate with_ends(double value, double low, double high) {
  return (Estimate){value, fmax(value - fmax(low, 0), fmin(high, 100) - value)};
}

Estimate estimate_rate(const Tally *tally) {
  double value = tally_win_rate(tally);
  Tally more = *tally;
  more.wins += 2;
  more.losses += 2;
  double n = (double)(more.wins + more.draws + more.losses);
  double centre = tally_win_rate(&more);
  double squares = (1e4 * (double)more.wins + 2500 * (double)more.draws) / n;
  double half = normal * sqrt((squares - centre * centre) / n);
  if (isnan(value)) return (Estimate){NAN, NAN};
  return with_ends(value, centre - half, centre + half);
}

Estimate estimate_goal(const Tally *tally) {
  double n = (double)tally->games, value = tally_mean_goal(tally);
  double deviation = tally_goal_deviation(tally);
  if (tally->games < 2) return (Estimate){value, NAN};
  if (deviation > 0)
    return (Estimate){value,
                      estimate_student(tally->games - 1) * deviation / sqrt(n)};
  double others = normal * normal / (n + normal * normal);
  return (Estimate){value, others * fmax(value, 100 - value)};
}

Estimate estimate_bare(double rate, uint64_t games) {
  double n = (double)games + 4, centre = (rate * (double)games + 200) / n;
  double half = normal * sqrt(centre * (100 - centre) / n);
  if (!games) return (Estimate){rate, NAN};
  return with_ends(rate, centre - half, centre + half);
}

Estimate estimate_mean(const Estimate *list, uint32_t count) {
  Estimate sum = {0, 0};
  for (uint32_t i = 0; i < count; i++) {
    sum.value += list[i].value;
    sum.half += list[i].half * list[i].half;
  }
  if (!count) return (Estimate){NAN, NAN};
  return (Estimate){sum.value / count, sqrt(sum.half) / count};
}

Estimate estimate_difference(Estimate a, Estimate b) {
  return (Estimate){a.value - b.value, hypot(a.half, b.half)};
}

/* ---- agreement ---- */

static double known(double half) {
  return isnan(half) ? 0 : half;
}

EstimateVerdict estimate_compare(Estimate theirs, Estimate ours) {
  double distance = fabs(theirs.value - ours.value);
  double a = known(theirs.half), b = known(ours.half);
  double slack = 1e-9; /* figures are decimal fractions */
  if (isnan(distance) || (isnan(theirs.half) && isnan(ours.half)))
    return ESTIMATE_UNKNOWN;
  return distance <= hypot(a, b) + slack ? ESTIMATE_AGREE
         : distance <= a + b + slack     ? ESTIMATE_NEAR
                                         : ESTIMATE_DIFFER;
}

const char *estimate_verdict_name(EstimateVerdict verdict) {
  static const char *const names[] = {"unknown", "agree", "near", "differ"};
  return names[verdict];
}
