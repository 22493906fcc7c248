/* Wins, draws and losses of a player, and figures of its strength. */
#ifndef TAFL_CONTEST_TALLY_H
#define TAFL_CONTEST_TALLY_H

#include <stdint.h>

typedef enum { SCORE_NONE, SCORE_LOSS, SCORE_DRAW, SCORE_WIN } Score;

typedef struct Tally {
  uint64_t games;                /* with goals */
  uint64_t wins, draws, losses;  /* none in games with one player */
  double goal_sum, goal_squares; /* sums of the goals and their squares */
} Tally;

void tally_add(Tally *tally, Score score, double goal);

/* In percent, with a draw as half a win; NAN without games. */
double tally_win_rate(const Tally *tally);
/* Half the width of the 95 % confidence interval of the win rate, as in the
   papers: 1.96 s / sqrt(n) with the sample deviation s (n - 1) of the scores
   100, 50 and 0. NAN with fewer than two games. */
double tally_interval(const Tally *tally);
/* Wilson's 95 % interval of the win rate (Wilson 1927), in percent, which also
   holds for few games and for rates near 0 and 100: three wins of three
   are 43.9 to 100. The rate with draws as half wins is taken for that of a
   coin; since draws make scores differ less than a coin's, the interval is then
   rather too wide than too narrow. NAN without games. */
void tally_wilson(const Tally *tally, double *low, double *high);
/* The probability that the player is the stronger one of two, 0 to 1: that its
   share of the decided games is more than half, all shares being equally likely
   before the games. Draws say nothing about it; 1/2 without decided games. */
double tally_superiority(const Tally *tally);
double tally_mean_goal(const Tally *tally); /* NAN without games */
/* Half the width of the 95 % interval of the mean goal, as in the papers:
   1.96 s / sqrt(n). NAN with fewer than two games; for few games and for goals
   that are all equal see contest/estimate.h. */
double tally_goal_interval(const Tally *tally);
/* The sample deviation (n - 1) of the goals; NAN with fewer than two games. */
double tally_goal_deviation(const Tally *tally);

#endif
