/* Fits the weights of a linear evaluation to targets, one state at a time. */
#ifndef TAFL_LEARN_FIT_H
#define TAFL_LEARN_FIT_H

#include "base/random.h"
#include "learn/mirror.h"
#include "value/linear.h"

/* A sum over steps from which the mean of a weight since some step follows. */
typedef struct FitMean {
  double *sums;
  uint64_t steps;
} FitMean;

typedef struct Fit {
  Linear *linear; /* borrowed */
  Random random;
  size_t count;       /* of weights: rows times features */
  float *weights;     /* as they are now */
  float *information; /* by weight: what the states so far told of it */
  FitMean older, newer;
  Mirror mirror;
  LinearActives actives;
  /* states that wait, with the targets of their rows and their weights */
  uint64_t seen;
  uint32_t capacity, waiting;
  float *targets;
  uint64_t *states;
} Fit;

void fit_init(Fit *fit, Linear *linear, uint64_t seed);
void fit_free(Fit *fit);

/* Returns the share of the range of the role's goals that the state has in a
   row, by the means that fit_publish would set. */
float fit_predict(Fit *fit, const uint64_t *state, uint32_t row);
/* Moves the weights towards targets of the rows, which are shares from 0 to 1;
   below 0: no target. `weight` is how much the state counts. */
void fit_step(Fit *fit, const uint64_t *state, const float *targets,
              float weight);
/* The same some time later, when other states have come in between. */
void fit_shuffle(Fit *fit, const uint64_t *state, const float *targets,
                 float weight);

/* Sets the weights of the linear evaluation to their means over the last part
   of all steps, the same for features that mirror each other, and freezes
   it. */
void fit_publish(Fit *fit);
/* Somebody else teaches now: the weights of the linear evaluation stay, but
   what they rest on, and states that wait, are forgotten. */
void fit_turn(Fit *fit);
/* Goes on from the weights of the linear evaluation, as if so many states had
   led to them. */
void fit_adopt(Fit *fit, uint64_t states);

#endif
