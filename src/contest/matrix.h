/* Symmetric matrices of doubles, n x n, row after row. */
#ifndef TAFL_CONTEST_MATRIX_H
#define TAFL_CONTEST_MATRIX_H

#include <stdint.h>

/* Replaces a positive definite matrix by its Cholesky factor L, L L' being the
   matrix, below and on the diagonal; what is above stays. A pivot that rounding
   has left at 0 or below counts as tiny. */
void matrix_factor(double *matrix, uint32_t n);
/* Solves L L' x = b in place. */
void matrix_solve(const double *factor, uint32_t n, double *b);
/* Replaces a positive definite matrix by its inverse. */
void matrix_invert(double *matrix, uint32_t n);
/* Returns A B A for a symmetric A; the caller frees it. */
double *matrix_sandwich(const double *a, const double *b, uint32_t n);

#endif
