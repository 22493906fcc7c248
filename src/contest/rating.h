/* Elo ratings of players from matches: the model of Bradley and Terry (1952),
   maximum likelihood.

   Player a scores against player b with the expectation
     1 / (1 + 10^((b - a) / 400)),
   a draw being half a win. A match of several players is as many comparisons as
   it has pairs of players: whoever has the higher goal has won against the
   other. Comparisons of one match depend on each other, as may matches of one
   group, such as those that repeat an opening with other roles; intervals
   allow for both, and for draws.

   Only differences between ratings mean something. Players that are connected
   by matches, directly or through others, are a component; ratings have mean 0
   in each component, or the anchor has 0 in its own, and ratings of different
   components cannot be compared.

   Maximum likelihood is infinite if some players of a component never lost a
   point to the others. In such a component each player gets, in addition to its
   matches, one virtual draw against an average player; so all ratings are
   finite. What would be infinite without it has an infinite end of its
   interval: `high` if the player and those at its level never lost a point to
   the main body, `low` if they never gained one. The main body is the largest
   set of players that all have scored against each other, directly or through
   others; or the anchor. */
#ifndef TAFL_CONTEST_RATING_H
#define TAFL_CONTEST_RATING_H

#include <stdbool.h>

#include "base/vector.h"

#define RATING_MEAN UINT32_MAX /* no anchor: the mean is 0 */

typedef struct RatingSide {
  uint32_t player; /* if it has several sides, their mean goal counts */
  double goal;
} RatingSide;

typedef struct RatingMatch {
  const RatingSide *sides;
  uint32_t count; /* a match with fewer than two players says nothing */
  bool drawn;     /* a draw for all, whatever the goals: cut off */
  uint64_t group; /* those of a group depend on each other; 0: on none */
} RatingMatch;

typedef struct RatingPlayer {
  uint64_t matches;             /* against others */
  uint64_t wins, draws, losses; /* of comparisons with one other player */
  /* Set by rating_solve: */
  double elo;
  double error;       /* standard error; NAN without matches */
  double low, high;   /* 95 % interval, perhaps infinite; NAN like `error` */
  uint32_t component; /* from 0, in the order of their first players */
  bool virtual_draw;  /* it has one: see above */
} RatingPlayer;

/* A comparison. */
typedef struct RatingPair {
  uint32_t a, b;
  double score;     /* of a: 0, 1/2, 1 */
  uint64_t cluster; /* number of the group, or of the match without one */
  bool grouped;
} RatingPair;

typedef struct Rating {
  uint32_t count;
  RatingPlayer *players;
  VECTOR(RatingPair) pairs;
  uint64_t matches; /* added so far */
  /* Set by rating_solve: */
  uint32_t components;
  bool solved;
  double *covariance; /* of ratings, in Elo; count x count */
} Rating;

void rating_init(Rating *rating, uint32_t players);
void rating_free(Rating *rating);
void rating_add(Rating *rating, const RatingMatch *match);

/* May be called again after more matches. `anchor` is a player or RATING_MEAN.
   Takes time for the cube of the number of players. */
void rating_solve(Rating *rating, uint32_t anchor);

/* The score of a player in all its comparisons, 0 to 1; NAN without any. */
double rating_score(const RatingPlayer *player);
/* After rating_solve: a's lead over b and its standard error. Returns false,
   and both are NAN, if no matches connect the players. */
bool rating_difference(const Rating *rating, uint32_t a, uint32_t b,
                       double *elo, double *error);
/* After rating_solve: the probability that a is stronger than b, 0 to 1, by the
   normal distribution of the difference; NAN if no matches connect them. */
double rating_superiority(const Rating *rating, uint32_t a, uint32_t b);

#endif
