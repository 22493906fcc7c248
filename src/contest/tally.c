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

double tally_mean_goal(const Tally *tally) {
  return tally->games ? tally->goal_sum / (double)tally->games : NAN;
}
