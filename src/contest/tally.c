/* Counting games, and figures computed from the counts. */
#include "contest/tally.h"

#include <math.h>

void tally_add(Tally *tally, Score score, double goal) {
  tally->games++;
  tally->goal_sum += goal;
  tally->wins += score == SCORE_WIN;
  tally->draws += score == SCORE_DRAW;
  tally->losses += score == SCORE_LOSS;
}

static double scored(const Tally *tally) {
  return (double)(tally->wins + tally->draws + tally->losses);
}

double tally_win_rate(const Tally *tally) {
  double n = scored(tally);
  double sum = (double)tally->wins + (double)tally->draws / 2;
  return n > 0 ? 100 * sum / n : NAN;
}

double tally_interval(const Tally *tally) {
  double n = scored(tally), mean = tally_win_rate(tally);
  if (n < 2) return NAN;
  double squares = (double)tally->wins * (100 - mean) * (100 - mean) +
                   (double)tally->draws * (50 - mean) * (50 - mean) +
                   (double)tally->losses * mean * mean;
  return 1.96 * sqrt(squares / (n - 1)) / sqrt(n);
}

void tally_wilson(const Tally *tally, double *low, double *high) {
  double n = scored(tally), rate = tally_win_rate(tally) / 100;
  double z = 1.959964, square = z * z / n; /* the normal's 97.5 % point */
  double centre = (rate + square / 2) / (1 + square);
  double half =
      z / (1 + square) * sqrt(rate * (1 - rate) / n + square / (4 * n));
  *low = n > 0 ? 100 * fmax(centre - half, 0) : NAN;
  *high = n > 0 ? 100 * fmin(centre + half, 1) : NAN;
}

double tally_mean_goal(const Tally *tally) {
  return tally->games ? tally->goal_sum / (double)tally->games : NAN;
}
