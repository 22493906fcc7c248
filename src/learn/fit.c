/* Logistic regression by stochastic gradient. The gradient of the log-loss of
   one state is (prediction − target) · feature; the step of a weight is

     RATE · gradient / √(first + Σ feature² / 4)

   where the sum is over the states so far: AdaGrad (Duchi, Hazan and Singer
   2011) with the information that a state has of a weight in place of the
   squared gradient, so that noise does not grow where goals hardly depend on
   the features. Features that were seen seldom have hardly moved. The result is
   the mean of the weights over the last half to three quarters of the steps
   (Polyak and Juditsky 1992), which is far less noisy than the weights
   themselves. Since Σ over steps s of w(s) = n w(n) − Σ (s − 1) Δ(s), a mean
   costs one addition where a weight changes.

   Games that are played side by side end in bursts of equal length and result;
   states therefore wait in a store, from which each new one drives out a random
   other one. The store has room for a quarter of the states so far. */
#include "learn/fit.h"

#include <math.h>

enum { STORE = 1 << 15, STORE_BYTES = 32 << 20 };
static const float RATE = 0.2f;

/* What is known of a weight before any state: the less it may differ from 0,
   the more. Kinds learn before single fluents of a board, which learn
   only what is particular to them. With 100 instead of 100,000 for fluents the
   noise of 800 of them buried the pieces of chess: correlation with the results
   of real games 0.20 instead of 0.42. */
static float first_information(const Linear *linear,
                               const LinearFeature *feature) {
  switch (feature->class) {
  case FEATURE_KIND: return 3000;
  case FEATURE_NUMBER: return 100;
  case FEATURE_PAIR: return 50000;
  case FEATURE_LINE: return 1000;
  case FEATURE_MOBILITY: return 10000;
  default: return linear->kinds.of_fluent[feature->first] ? 100000 : 300;
  }
}

static void mean_init(FitMean *mean, size_t count) {
  mean->sums = memory_new(count * sizeof *mean->sums);
}

void fit_init(Fit *fit, Linear *linear, uint64_t seed) {
  uint32_t features = linear->features.count;
  *fit = (Fit){.linear = linear, .count = (size_t)linear->rows * features};
  random_seed(&fit->random, seed);
  fit->weights = memory_new(fit->count * sizeof *fit->weights);
  fit->information = memory_new(fit->count * sizeof *fit->information);
  mirror_init(&fit->mirror, linear);
  mean_init(&fit->older, fit->count);
  mean_init(&fit->newer, fit->count);
  uint32_t words = linear->evaluation.words;
  fit->capacity = STORE;
  if (fit->capacity > STORE_BYTES / 8 / words)
    fit->capacity = STORE_BYTES / 8 / words;
  fit->targets = memory_new((size_t)fit->capacity * (linear->rows + 1) *
                            sizeof *fit->targets);
  fit->states = memory_new((size_t)fit->capacity * words * sizeof *fit->states);
  vector_resize(&fit->actives, features); /* nothing is allocated later on */
  fit_adopt(fit, 0);
}

void fit_free(Fit *fit) {
  mirror_free(&fit->mirror);
  memory_delete(fit->weights);
  memory_delete(fit->information);
  memory_delete(fit->older.sums);
  memory_delete(fit->newer.sums);
  memory_delete(fit->targets);
  memory_delete(fit->states);
  vector_free(&fit->actives);
}

/* ---- means ---- */

static void restart(FitMean *mean, size_t count) {
  memset(mean->sums, 0, count * sizeof *mean->sums);
  mean->steps = 0;
}

/* The newer mean takes the place of the older one when it has half as many
   steps; so the older one has the last half to all of them. */
static void advance(Fit *fit) {
  fit->older.steps++;
  fit->newer.steps++;
  if (2 * fit->newer.steps < fit->older.steps || fit->newer.steps < 1024)
    return;
  FitMean older = fit->older;
  fit->older = fit->newer;
  fit->newer = older;
  restart(&fit->newer, fit->count);
}

static double mean_of(const Fit *fit, size_t i) {
  const FitMean *mean = &fit->older;
  double less = mean->steps ? mean->sums[i] / (double)mean->steps : 0;
  return (double)fit->weights[i] - less;
}

void fit_publish(Fit *fit) {
  for (size_t i = 0; i < fit->count; i++)
    fit->linear->weights[i] = (float)mean_of(fit, i);
  mirror_even(&fit->mirror, fit->linear);
  linear_freeze(fit->linear);
}

void fit_adopt(Fit *fit, uint64_t states) {
  const Linear *linear = fit->linear;
  uint32_t features = linear->features.count;
  memcpy(fit->weights, linear->weights, fit->count * sizeof *fit->weights);
  for (size_t i = 0; i < fit->count; i++) {
    float first =
        first_information(linear, &linear->features.data[i % features]);
    fit->information[i] = first * (1 + (float)states / 100000);
  }
  restart(&fit->older, fit->count);
  restart(&fit->newer, fit->count);
}

void fit_turn(Fit *fit) {
  fit->waiting = 0;
  fit->seen = 0;
  fit_adopt(fit, 0);
}

/* ---- steps ---- */

static void look_at(Fit *fit, const uint64_t *state) {
  linear_active(fit->linear, state, NULL, &fit->actives);
}

static float predict(const Fit *fit, uint32_t row) {
  const float *weights =
      fit->weights + (size_t)row * fit->linear->features.count;
  float sum = 0;
  for (uint32_t i = 0; i < fit->actives.count; i++) {
    const LinearActive *active = &fit->actives.data[i];
    sum += weights[active->feature] * active->value;
  }
  return 1 / (1 + expf(-sum));
}

float fit_predict(Fit *fit, const uint64_t *state, uint32_t row) {
  size_t first = (size_t)row * fit->linear->features.count;
  double sum = 0;
  look_at(fit, state);
  for (uint32_t i = 0; i < fit->actives.count; i++) {
    const LinearActive *active = &fit->actives.data[i];
    sum += mean_of(fit, first + active->feature) * (double)active->value;
  }
  return (float)(1 / (1 + exp(-sum)));
}

static void step_row(Fit *fit, uint32_t row, float target, float weight) {
  size_t first = (size_t)row * fit->linear->features.count;
  float error = RATE * weight * (target - predict(fit, row));
  double older = (double)fit->older.steps, newer = (double)fit->newer.steps;
  for (uint32_t i = 0; i < fit->actives.count; i++) {
    const LinearActive *active = &fit->actives.data[i];
    size_t at = first + active->feature;
    float *information = &fit->information[at];
    *information += active->value * active->value * 0.25f * weight;
    float by = error * active->value / sqrtf(*information);
    fit->weights[at] += by;
    fit->older.sums[at] += older * (double)by;
    fit->newer.sums[at] += newer * (double)by;
  }
}

void fit_step(Fit *fit, const uint64_t *state, const float *targets,
              float weight) {
  look_at(fit, state);
  for (uint32_t row = 0; row < fit->linear->rows; row++)
    if (targets[row] >= 0) step_row(fit, row, targets[row], weight);
  advance(fit);
}

void fit_shuffle(Fit *fit, const uint64_t *state, const float *targets,
                 float weight) {
  uint32_t rows = fit->linear->rows, words = fit->linear->evaluation.words;
  uint64_t room = ++fit->seen / 4 + 1;
  bool full = fit->waiting == fit->capacity || fit->waiting >= room;
  uint32_t at =
      full ? random_below(&fit->random, fit->waiting) : fit->waiting++;
  float *kept = fit->targets + (size_t)at * (rows + 1);
  uint64_t *row = fit->states + (size_t)at * words;
  if (full) fit_step(fit, row, kept, kept[rows]);
  memcpy(kept, targets, rows * sizeof *kept);
  kept[rows] = weight;
  memcpy(row, state, words * sizeof *row);
}
