/* What simulations are worth: a model of strength, fitted to matches with
   counted simulations (tools/strength writes the file, a line for each series:
   name, game, games, wins, draws, losses).

   N simulations of one tree are the measure: an Elo difference of `doubling`
   for each doubling. Whatever is done in parallel counts as so many of them:

     leaves D with r playouts each   D r^repeat
     I leaves of D under way         less, by a factor of 2^(stale I/D)
     K trees with n each             n K^root, with exchanges n K^runs */
#ifndef TAFL_TEST_SCALE_GAINS_H
#define TAFL_TEST_SCALE_GAINS_H

#include "base/text.h"

typedef struct Match {
  char *series, *game;
  double games, wins, draws, losses;
} Match;

typedef VECTOR(Match) Matches;

/* A value and half its 95 % interval; infinite: nothing is known. */
typedef struct Gain {
  double value, half;
} Gain;

typedef struct Gains {
  Gain doubling;                  /* Elo */
  Gain repeat, stale, root, runs; /* exponents */
} Gains;

/* Returns false and sets `error` if a line is not such a line. */
bool gains_parse(Matches *matches, const char *text, Text *error);
void gains_free(Matches *matches);
/* The lead of the first player in Elo. */
Gain gains_elo(const Match *match);
/* All matches of a series, or of those with a common beginning, as one. */
Match gains_pool(const Matches *matches, const char *series, const char *game);
Gains gains_fit(const Matches *matches);

#endif
