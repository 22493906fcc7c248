/* Logistic regression by stochastic gradient: the gradient of the log-loss of
   one state is (prediction − target) · feature. Every weight has a step size of
   its own (AdaGrad: Duchi, Hazan and Singer 2011), so that rare features learn
   as fast as common ones. A kind collects the gradients of all its fluents and
   so moves before any of them does; L2 decay takes from a fluent what its kind
   says already. */
#include "learn/fit.h"

#include <math.h>

static const double RATE = 0.02, DECAY = 1e-6, FIRST_SQUARE = 10;

void fit_init(Fit *fit, Linear *linear) {
  size_t count = (size_t)linear->rows * linear->features.count;
  *fit = (Fit){.linear = linear, .rate = RATE, .decay = DECAY};
  fit->squares = memory_new(count * sizeof *fit->squares);
  for (size_t i = 0; i < count; i++) fit->squares[i] = (float)FIRST_SQUARE;
}

void fit_free(Fit *fit) {
  memory_delete(fit->squares);
  vector_free(&fit->actives);
}

static float logistic(float sum) {
  return 1 / (1 + expf(-sum));
}

static float predict(const Fit *fit, uint32_t row) {
  const float *weights = linear_row(fit->linear, row);
  float sum = 0;
  for (uint32_t i = 0; i < fit->actives.count; i++) {
    const LinearActive *active = &fit->actives.data[i];
    sum += weights[active->feature] * active->value;
  }
  return logistic(sum);
}

float fit_predict(Fit *fit, const uint64_t *state, uint32_t row) {
  linear_active(fit->linear, state, NULL, &fit->actives);
  return predict(fit, row);
}

static void step_row(Fit *fit, uint32_t row, float target, float weight) {
  float *weights = linear_row(fit->linear, row);
  float *squares = fit->squares + (size_t)row * fit->linear->features.count;
  float error = (predict(fit, row) - target) * weight;
  for (uint32_t i = 0; i < fit->actives.count; i++) {
    const LinearActive *active = &fit->actives.data[i];
    uint32_t f = active->feature;
    float gradient = error * active->value + (float)fit->decay * weights[f];
    squares[f] += gradient * gradient;
    weights[f] -= (float)fit->rate * gradient / sqrtf(squares[f]);
  }
}

void fit_step(Fit *fit, const uint64_t *state, const float *targets,
              float weight) {
  linear_active(fit->linear, state, NULL, &fit->actives);
  for (uint32_t row = 0; row < fit->linear->rows; row++)
    if (targets[row] >= 0) step_row(fit, row, targets[row], weight);
}

void fit_settle(Fit *fit, uint64_t targets) {
  size_t count = (size_t)fit->linear->rows * fit->linear->features.count;
  float square = (float)(FIRST_SQUARE + 0.02 * (double)targets);
  for (size_t i = 0; i < count; i++)
    if (fit->squares[i] < square) fit->squares[i] = square;
}
