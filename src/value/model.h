/* What random games say of features: their stability and how they go with what
   one wants to know; and least squares.

   A target is a number that is known of a state once its game has ended, such
   as the payoff of a role. Stability (Clune 2007) is the variance of a feature
   over all states, divided by the mean square of its change from one state to
   the next: what goes up and down with every move has less than 1, what grows
   slowly has much more.

   Most features grow or fall while a game goes on, whoever is ahead, and that
   hides what they have to do with its payoff. The first targets are therefore
   compared within levels: states of the same number of steps. */
#ifndef TAFL_VALUE_MODEL_H
#define TAFL_VALUE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

/* Sums over the states in which a target y is known; model_conclude turns them
   into means, variances and covariances. */
typedef struct ModelTarget {
  double count, y, yy;
  double *x, *xx, *xy; /* by feature */
  double *products;    /* of features by pairs, the lower half; or NULL */
  double *level_y;     /* by level, if it is compared within levels */
} ModelTarget;

typedef struct Model {
  uint32_t features, targets;
  uint32_t levels, levelled; /* targets that are compared within levels */
  ModelTarget *by_target;
  double *level_count, *level_x; /* by level (and feature), of all states */
  double states, changes;        /* numbers of them */
  double *x, *xx, *change_xx;    /* by feature, of all states */
  double *change_products;       /* by pairs, the lower half; or NULL */
} Model;

/* `pairs`: with products of features, for least squares. */
void model_init(Model *model, uint32_t features, uint32_t targets,
                uint32_t levelled, uint32_t levels, bool pairs);
void model_free(Model *model);

/* Adds a state; `before` is the state before it in the game, or NULL. Every
   target that is compared within levels has to be told of every state. */
void model_see(Model *model, uint32_t level, const float *x,
               const float *before);
/* Adds that the target was y in a state with the features x. */
void model_tell(Model *model, uint32_t target, uint32_t level, const float *x,
                double y);
/* To be called once, before the functions below. */
void model_conclude(Model *model);

/* 0 for a feature that never changes. */
double model_stability(const Model *model, uint32_t feature);
double model_correlation(const Model *model, uint32_t target, uint32_t feature);

/* Finds y = constant + Σ weights · x over the features that are used by least
   squares with a penalty, which is the larger the less stable a feature is; the
   weights of others are 0. Returns the share of the variance of y that is
   explained, 0 to 1. */
double model_fit(const Model *model, uint32_t target, const bool *used,
                 double *constant, double *weights);
/* Stability of a weighted sum of features, whose variance is taken where the
   target is known; 0 if it never changes. */
double model_sum_stability(const Model *model, uint32_t target,
                           const double *weights);

#endif
