/* Fits the weights of a linear evaluation to targets, one state at a time. */
#ifndef TAFL_LEARN_FIT_H
#define TAFL_LEARN_FIT_H

#include "value/linear.h"

typedef struct Fit {
  Linear *linear; /* borrowed */
  double rate;    /* of the first steps */
  double decay;   /* L2 */
  float *squares; /* by row and feature: sums of squared gradients */
  LinearActives actives;
} Fit;

void fit_init(Fit *fit, Linear *linear);
void fit_free(Fit *fit);

/* Returns the probability that the weights give the state in a row: the share
   of the range of the role's goals. */
float fit_predict(Fit *fit, const uint64_t *state, uint32_t row);
/* Moves the weights towards targets of the rows, which are shares from 0 to 1;
   below 0: no target. `weight` is how much the state counts. */
void fit_step(Fit *fit, const uint64_t *state, const float *targets,
              float weight);
/* Makes later steps as small as after so many targets. */
void fit_settle(Fit *fit, uint64_t targets);

#endif
