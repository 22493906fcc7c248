/* Weighted least squares. With the Elo of a doubling and its products with the
   exponents as unknowns, every lead is a sum of them with known factors:

     double-N   doubling
     times-R    doubling log2 R
     repeat-R   doubling repeat log2(R / 4)
     stale-I    -doubling stale (I - 64) / 2048
     more-K     doubling root log2 K
     root-K     doubling (root - 1) log2 K
     runs-K     doubling (runs - 1) log2 K */
#include <math.h>
#include <stdlib.h>

#include "scale/gains.h"

typedef enum { DOUBLING, REPEAT, STALE, ROOT, RUNS, UNKNOWNS } Unknown;

typedef struct Fit {
  double matrix[UNKNOWNS][UNKNOWNS]; /* of the normal equations; later its
                                        inverse: the covariances */
  double right[UNKNOWNS];
  double values[UNKNOWNS];
} Fit;

/* Sets the factors of a series; returns false if its name is none of these. */
static bool set_factors(const char *series, double factors[UNKNOWNS]) {
  const char *dash = strrchr(series, '-');
  if (!dash) return false;
  double number = atof(dash + 1);
  size_t length = (size_t)(dash - series);
  for (int i = 0; i < UNKNOWNS; i++) factors[i] = 0;
#define IS(name) (length == strlen(name) && !strncmp(series, name, length))
  if (IS("double"))
    factors[DOUBLING] = 1;
  else if (IS("times"))
    factors[DOUBLING] = log2(number);
  else if (IS("repeat"))
    factors[REPEAT] = log2(number / 4);
  else if (IS("stale"))
    factors[STALE] = -(number - 64) / 2048;
  else if (IS("more") || IS("root"))
    factors[ROOT] = log2(number);
  else if (IS("runs"))
    factors[RUNS] = log2(number);
  else
    return false;
  if (IS("root") || IS("runs")) factors[DOUBLING] = -log2(number);
#undef IS
  return true;
}

static void add_match(Fit *fit, const Match *match) {
  double factors[UNKNOWNS];
  if (!set_factors(match->series, factors)) return;
  Gain lead = gains_elo(match);
  double weight = 1 / (lead.half * lead.half);
  for (int i = 0; i < UNKNOWNS; i++) {
    fit->right[i] += weight * factors[i] * lead.value;
    for (int k = 0; k < UNKNOWNS; k++)
      fit->matrix[i][k] += weight * factors[i] * factors[k];
  }
}

/* Inverts the matrix in place (Gauss and Jordan; it is symmetric and has no
   negative eigenvalues, so that pivots need no exchange). An unknown that no
   match says anything of gets a zero row. */
static void invert(double matrix[UNKNOWNS][UNKNOWNS]) {
  for (int p = 0; p < UNKNOWNS; p++) {
    double pivot = matrix[p][p];
    if (pivot < 1e-12) continue;
    for (int k = 0; k < UNKNOWNS; k++)
      if (k != p) matrix[p][k] /= pivot;
    for (int i = 0; i < UNKNOWNS; i++) {
      if (i == p) continue;
      for (int k = 0; k < UNKNOWNS; k++)
        if (k != p) matrix[i][k] -= matrix[i][p] * matrix[p][k];
      matrix[i][p] /= -pivot;
    }
    matrix[p][p] = 1 / pivot;
  }
}

/* The exponent is a quotient; its interval is that of the quotient's linear
   approximation. */
static Gain exponent(const Fit *fit, Unknown at) {
  double one = fit->values[DOUBLING], value = fit->values[at] / one;
  if (!(fit->matrix[at][at] > 0) || one == 0) return (Gain){0, INFINITY};
  double variance = fit->matrix[at][at] +
                    value * value * fit->matrix[DOUBLING][DOUBLING] -
                    2 * value * fit->matrix[at][DOUBLING];
  return (Gain){value, sqrt(fmax(variance, 0)) / fabs(one)};
}

Gains gains_fit(const Matches *matches) {
  Fit fit = {0};
  for (uint32_t i = 0; i < matches->count; i++)
    add_match(&fit, &matches->data[i]);
  bool any = fit.matrix[DOUBLING][DOUBLING] > 0;
  invert(fit.matrix);
  for (int i = 0; i < UNKNOWNS; i++)
    for (int k = 0; k < UNKNOWNS; k++)
      fit.values[i] += fit.matrix[i][k] * fit.right[k];
  return (Gains){
      .doubling = {fit.values[DOUBLING],
                   any ? sqrt(fit.matrix[DOUBLING][DOUBLING]) : INFINITY},
      .repeat = exponent(&fit, REPEAT),
      .stale = exponent(&fit, STALE),
      .root = exponent(&fit, ROOT),
      .runs = exponent(&fit, RUNS)};
}
