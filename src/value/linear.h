/* A linear evaluation: a value is the logistic function of a sum of weights of
   the features that a state has, stretched to the range of the role's goals.

     value(role) = least + (most − least) / (1 + exp(−sum(row of the role)))

   A row is a role; if two roles have goals of a constant sum there is one row,
   of the first role, and the other's value is what is left of the sum.

   Features are fluents (all but counters), kinds (the number of true fluents of
   a kind, such as white pawns anywhere), pairs of fluents, and mobility (the
   number of legal moves of the role that chooses). Learners change `weights`;
   linear_freeze turns them into the whole numbers that evaluate, with the
   weights of kinds folded into those of their fluents. */
#ifndef TAFL_VALUE_LINEAR_H
#define TAFL_VALUE_LINEAR_H

#include "game/book.h"
#include "value/evaluation.h"

enum { LINEAR_UNIT = 4096 }; /* whole numbers to one unit of a weight */

typedef enum {
  FEATURE_FLUENT,
  FEATURE_KIND,
  FEATURE_PAIR,
  FEATURE_MOBILITY
} FeatureClass;

typedef struct LinearFeature {
  FeatureClass class;
  uint32_t first;  /* a fluent; a kind; the role of a mobility */
  uint32_t second; /* of a pair: the other fluent */
} LinearFeature;

typedef struct Linear {
  Evaluation evaluation;
  const Analysis *analysis; /* borrowed */
  uint32_t rows;
  int sum;           /* of the goals, if there is one row for two roles */
  int *least, *most; /* by role: goals in the rules */
  VECTOR(LinearFeature) features;
  uint32_t *of_fluent; /* feature + 1 of a fluent; 0: none */
  uint32_t *kind_of;   /* feature + 1 of a fluent's kind; 0: none */
  float *weights;      /* by row and feature: what learners change */
  int32_t *frozen;     /* by fluent and row */
} Linear;

/* Returns NULL if the game has no net. All weights are 0. */
Linear *linear_new(Book *book);

/* Lists the features of a state that are not 0, with their values (numbers of a
   kind, 1 of a fluent): what the gradient of a sum is made of. */
typedef struct LinearActive {
  uint32_t feature;
  float value;
} LinearActive;
typedef VECTOR(LinearActive) LinearActives;
void linear_active(const Linear *linear, const uint64_t *state,
                   const uint32_t *legal, LinearActives *actives);

static inline float *linear_row(Linear *linear, uint32_t row) {
  return linear->weights + (size_t)row * linear->features.count;
}

/* Appends the feature's name: unique within a game, and the same in every run
   and for the same facts of other games. */
void linear_name(const Linear *linear, uint32_t feature, Text *text);

/* Makes the evaluation use the weights as they are now. No other thread may use
   it meanwhile. */
void linear_freeze(Linear *linear);

#endif
