/* The inside of rating_solve: results summed by pair of players, which players
   are connected how, and the estimates of maximum likelihood. */
#ifndef TAFL_CONTEST_RATING_FIT_H
#define TAFL_CONTEST_RATING_FIT_H

#include "contest/rating.h"

/* Matrices are count x count, [a * count + b]. */
typedef struct RatingFit {
  uint32_t count;
  double *games; /* between a and b; symmetric */
  double *score; /* of a against b */
  bool *reaches; /* a scored against b, or against one that reaches b */
  /* By player: */
  uint32_t *component;
  uint32_t *size;  /* of its component */
  uint32_t *level; /* players that it reaches and that reach it, with itself */
  double *weight;  /* of its virtual draw: 1 or 0 */
  uint64_t *clusters;
  double *logit; /* rating in units of 400 / ln 10 Elo */
  uint32_t components;
  /* By component: the largest level, and how much more the comparisons vary
     than independent games without draws; at least 1. */
  uint32_t *body;
  double *dispersion;
} RatingFit;

void rating_fit_init(RatingFit *fit, const Rating *rating);
void rating_fit_free(RatingFit *fit);
/* Finds `component` to `weight`, and `body`. */
void rating_fit_connect(RatingFit *fit);
/* Finds the ratings. Their mean is 0 in components without virtual draws. */
void rating_fit_maximise(RatingFit *fit);
/* Returns two covariance matrices of the ratings, which the caller frees: the
   one that holds for independent games without draws, and the robust one.
   Finds `clusters` and `dispersion`; sorts the comparisons. */
void rating_fit_vary(RatingFit *fit, Rating *rating, double **model,
                     double **robust);

#endif
