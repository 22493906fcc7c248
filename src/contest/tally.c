/* Counting games, and figures computed from the counts. */
#include "contest/tally.h"

#include <math.h>

/* What a sum of squares may have lost to rounding; equal goals have no spread.
 */
static const double rounding = 1e-12;

void tally_add(Tally *tally, Score score, double goal) {
  tally->games++;
  tally->goal_sum += goal;
  tally->goal_squares += goal * goal;
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

/* The share's distribution is Beta(wins + 1, losses + 1), and its upper half is
   P(X <= wins) for X heads of wins + losses + 1 fair coins. */
double tally_superiority(const Tally *tally) {
  double wins = (double)tally->wins, losses = (double)tally->losses;
  double coins = wins + losses + 1, few = fmin(wins, losses), tail = 0;
  double term = exp(lgamma(coins + 1) - lgamma(few + 1) -
                    lgamma(coins - few + 1) - coins * log(2));
  for (double heads = few; heads >= 0 && term > 1e-18 * tail; heads--) {
    tail += term;
    term *= heads / (coins - heads + 1);
  }
  return wins < losses ? tail : 1 - tail;
}

double tally_mean_goal(const Tally *tally) {
  return tally->games ? tally->goal_sum / (double)tally->games : NAN;
}

double tally_goal_deviation(const Tally *tally) {
  double n = (double)tally->games, squares = tally->goal_squares;
  double spread = squares - tally->goal_sum * tally->goal_sum / n;
  if (tally->games < 2) return NAN;
  if (spread < rounding * squares) return 0;
  return sqrt(spread / (n - 1));
}

double tally_goal_interval(const Tally *tally) {
  return 1.96 * tally_goal_deviation(tally) / sqrt((double)tally->games);
}
