#include "value/model.h"

#include <math.h>

#include "base/memory.h"
#include "base/trial.h"

/* The penalty of a feature as a share of its variance: this much, and this much
   again divided by its stability. With it features that say nearly the same
   share their weight. */
static const double penalty = 0.01;
/* Variances below are taken for rounding errors. */
static const double tiny = 1e-9;

static double *sums(size_t count) {
  return memory_new((count + 1) * sizeof(double));
}

void model_init(Model *model, uint32_t features, uint32_t targets,
                uint32_t levelled, uint32_t levels, bool pairs) {
  size_t square = (size_t)features * features;
  *model = (Model){.features = features,
                   .targets = targets,
                   .levels = levels,
                   .levelled = levelled};
  model->by_target = memory_new(targets * sizeof *model->by_target);
  for (uint32_t t = 0; t < targets; t++)
    model->by_target[t] =
        (ModelTarget){.x = sums(features),
                      .xx = sums(features),
                      .xy = sums(features),
                      .products = pairs ? sums(square) : NULL,
                      .level_y = t < levelled ? sums(levels) : NULL};
  model->level_count = sums(levels);
  model->level_x = sums((size_t)levels * features);
  model->x = sums(features);
  model->xx = sums(features);
  model->change_xx = sums(features);
  model->change_products = pairs ? sums(square) : NULL;
}

void model_free(Model *model) {
  for (uint32_t t = 0; t < model->targets; t++) {
    memory_delete(model->by_target[t].x);
    memory_delete(model->by_target[t].xx);
    memory_delete(model->by_target[t].xy);
    memory_delete(model->by_target[t].products);
    memory_delete(model->by_target[t].level_y);
  }
  memory_delete(model->by_target);
  memory_delete(model->level_count);
  memory_delete(model->level_x);
  memory_delete(model->x);
  memory_delete(model->xx);
  memory_delete(model->change_xx);
  memory_delete(model->change_products);
}

void model_see(Model *model, uint32_t level, const float *x,
               const float *before) {
  double *level_x = model->level_x + (size_t)level * model->features;
  model->states++;
  model->level_count[level]++;
  for (uint32_t i = 0; i < model->features; i++) {
    model->x[i] += (double)x[i];
    model->xx[i] += (double)x[i] * (double)x[i];
    level_x[i] += (double)x[i];
  }
  if (!before) return;
  model->changes++;
  for (uint32_t i = 0; i < model->features; i++) {
    double change = (double)x[i] - (double)before[i];
    if (change == 0) continue;
    model->change_xx[i] += change * change;
    for (uint32_t j = 0; model->change_products && j <= i; j++)
      model->change_products[(size_t)i * model->features + j] +=
          change * ((double)x[j] - (double)before[j]);
  }
}

void model_tell(Model *model, uint32_t target, uint32_t level, const float *x,
                double y) {
  ModelTarget *own = &model->by_target[target];
  own->count++;
  own->y += y;
  own->yy += y * y;
  if (own->level_y) own->level_y[level] += y;
  for (uint32_t i = 0; i < model->features; i++) {
    double value = (double)x[i];
    if (value == 0) continue;
    own->x[i] += value;
    own->xy[i] += value * y;
    own->xx[i] += value * value;
    double *row = own->products + (size_t)i * model->features;
    for (uint32_t j = 0; own->products && j <= i; j++)
      row[j] += value * (double)x[j];
  }
}

/* ---- sums to moments ---- */

/* Takes off the sums what the means of a level make, with `count` states, the
   sums `x` of its features and `y` of the target. */
static void take_off(const Model *model, ModelTarget *own, double count,
                     const double *x, double y) {
  if (count < 1) return;
  trial_check();
  own->yy -= y * y / count;
  for (uint32_t i = 0; i < model->features; i++) {
    own->xy[i] -= x[i] * y / count;
    own->xx[i] -= x[i] * x[i] / count;
    double *row = own->products + (size_t)i * model->features;
    for (uint32_t j = 0; own->products && j <= i && x[i] != 0; j++)
      row[j] -= x[i] * x[j] / count;
  }
}

static double variance_of(double sum, double count) {
  return count > 0 && sum / count > tiny ? sum / count : 0;
}

static void conclude_target(Model *model, ModelTarget *own) {
  size_t features = model->features;
  for (uint32_t l = 0; own->level_y && l < model->levels; l++)
    take_off(model, own, model->level_count[l], model->level_x + l * features,
             own->level_y[l]);
  if (!own->level_y) take_off(model, own, own->count, own->x, own->y);
  double count = own->count > 0 ? own->count : 1;
  own->y /= count;
  own->yy = variance_of(own->yy, count);
  for (uint32_t i = 0; i < features; i++) {
    own->x[i] /= count;
    own->xy[i] /= count;
    own->xx[i] = variance_of(own->xx[i], count);
    for (uint32_t j = 0; own->products && j <= i; j++)
      own->products[i * features + j] /= count;
  }
}

void model_conclude(Model *model) {
  for (uint32_t t = 0; t < model->targets; t++)
    conclude_target(model, &model->by_target[t]);
  for (uint32_t i = 0; i < model->features; i++) {
    double mean = model->states > 0 ? model->x[i] / model->states : 0;
    model->xx[i] =
        variance_of(model->xx[i] - mean * model->x[i], model->states);
    model->change_xx[i] = variance_of(model->change_xx[i], model->changes);
  }
}

double model_stability(const Model *model, uint32_t feature) {
  return model->change_xx[feature] > 0
             ? model->xx[feature] / model->change_xx[feature]
             : 0;
}

double model_correlation(const Model *model, uint32_t target,
                         uint32_t feature) {
  const ModelTarget *own = &model->by_target[target];
  double both = own->xx[feature] * own->yy;
  return both > 0 ? own->xy[feature] / sqrt(both) : 0;
}

/* ---- least squares ---- */

/* Solves A z = b for a symmetric positive definite A, of which the lower half
   is given and destroyed, by Cholesky's method. z takes b's place. Returns
   false if A is not positive definite. */
static bool solve(double *a, double *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    trial_check();
    for (uint32_t j = 0; j <= i; j++) {
      double sum = a[(size_t)i * n + j];
      for (uint32_t k = 0; k < j; k++)
        sum -= a[(size_t)i * n + k] * a[(size_t)j * n + k];
      if (i != j)
        a[(size_t)i * n + j] = sum / a[(size_t)j * n + j];
      else if (sum > 1e-12)
        a[(size_t)i * n + i] = sqrt(sum);
      else
        return false;
    }
  }
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < i; k++) b[i] -= a[(size_t)i * n + k] * b[k];
    b[i] /= a[(size_t)i * n + i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t k = i + 1; k < n; k++) b[i] -= a[(size_t)k * n + i] * b[k];
    b[i] /= a[(size_t)i * n + i];
  }
  return true;
}

/* Sets the matrix of correlations between the features with the penalty on its
   diagonal, and their covariances with the target in units of their
   deviations. */
static void set_equations(const Model *model, const ModelTarget *own,
                          const uint32_t *chosen, uint32_t n, double *a,
                          double *b) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t f = chosen[i];
    double deviation = sqrt(own->xx[f]);
    for (uint32_t j = 0; j < i; j++) /* chosen[j] < f */
      a[(size_t)i * n + j] =
          own->products[(size_t)f * model->features + chosen[j]] /
          (deviation * sqrt(own->xx[chosen[j]]));
    double stability = model_stability(model, f);
    a[(size_t)i * n + i] = 1 + penalty + penalty / (stability + penalty);
    b[i] = own->xy[f] / deviation;
  }
}

double model_fit(const Model *model, uint32_t target, const bool *used,
                 double *constant, double *weights) {
  const ModelTarget *own = &model->by_target[target];
  uint32_t *chosen = memory_new((model->features + 1) * sizeof *chosen);
  uint32_t n = 0;
  double explained = 0;
  *constant = own->y;
  for (uint32_t i = 0; i < model->features; i++) {
    weights[i] = 0;
    if (used[i] && own->xx[i] > 0) chosen[n++] = i;
  }
  double *a = sums((size_t)n * n), *b = sums(n);
  set_equations(model, own, chosen, n, a, b);
  if (solve(a, b, n))
    for (uint32_t i = 0; i < n; i++) {
      uint32_t f = chosen[i];
      weights[f] = b[i] / sqrt(own->xx[f]);
      *constant -= weights[f] * own->x[f];
      explained += weights[f] * own->xy[f];
    }
  memory_delete(chosen);
  memory_delete(a);
  memory_delete(b);
  explained = own->yy > 0 ? explained / own->yy : 0;
  return explained < 0 ? 0 : explained > 1 ? 1 : explained;
}

double model_sum_stability(const Model *model, uint32_t target,
                           const double *weights) {
  const ModelTarget *own = &model->by_target[target];
  double total = 0, change = 0;
  for (uint32_t i = 0; i < model->features; i++)
    for (uint32_t j = 0; j <= i; j++) {
      size_t at = (size_t)i * model->features + j;
      double both = weights[i] * weights[j] * (i == j ? 1 : 2);
      total += both * own->products[at];
      change += both * model->change_products[at];
    }
  change = variance_of(change, model->changes);
  return total > tiny && change > 0 ? total / change : 0;
}
