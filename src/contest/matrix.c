/* Plain loops: the matrices of a few hundred players take milliseconds. */
#include "contest/matrix.h"

#include <math.h>

#include "base/memory.h"

static const double tiny = 1e-12; /* pivot, relative to its diagonal element */

void matrix_factor(double *matrix, uint32_t n) {
  for (uint32_t j = 0; j < n; j++) {
    double *row = &matrix[(size_t)j * n], pivot = row[j];
    for (uint32_t k = 0; k < j; k++) pivot -= row[k] * row[k];
    pivot = sqrt(fmax(pivot, tiny * row[j]));
    row[j] = pivot;
    for (uint32_t i = j + 1; i < n; i++) {
      double *other = &matrix[(size_t)i * n], sum = other[j];
      for (uint32_t k = 0; k < j; k++) sum -= other[k] * row[k];
      other[j] = sum / pivot;
    }
  }
}

void matrix_solve(const double *factor, uint32_t n, double *b) {
  for (uint32_t i = 0; i < n; i++) {
    const double *row = &factor[(size_t)i * n];
    for (uint32_t k = 0; k < i; k++) b[i] -= row[k] * b[k];
    b[i] /= row[i];
  }
  for (uint32_t i = n; i-- > 0;) {
    b[i] /= factor[(size_t)i * n + i];
    for (uint32_t k = 0; k < i; k++) b[k] -= factor[(size_t)i * n + k] * b[i];
  }
}

void matrix_invert(double *matrix, uint32_t n) {
  size_t size = (size_t)n * n * sizeof *matrix;
  double *inverse = memory_new(size);
  matrix_factor(matrix, n);
  for (uint32_t i = 0; i < n; i++) {
    inverse[(size_t)i * n + i] = 1;
    matrix_solve(matrix, n, &inverse[(size_t)i * n]);
  }
  for (size_t i = 0; i < (size_t)n * n; i++) matrix[i] = inverse[i];
  memory_delete(inverse);
}

/* Adds A B. */
static void add_product(const double *a, const double *b, uint32_t n,
                        double *sum) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      double factor = a[(size_t)i * n + k];
      if (factor == 0) continue;
      for (uint32_t j = 0; j < n; j++)
        sum[(size_t)i * n + j] += factor * b[(size_t)k * n + j];
    }
}

double *matrix_sandwich(const double *a, const double *b, uint32_t n) {
  size_t size = (size_t)n * n * sizeof *a;
  double *half = memory_new(size), *whole = memory_new(size);
  add_product(a, b, n, half);
  add_product(half, a, n, whole);
  memory_delete(half);
  return whole;
}
