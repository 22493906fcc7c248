/* What tests of ratings share. */
#ifndef TAFL_TEST_SUPPORT_RATINGS_H
#define TAFL_TEST_SUPPORT_RATINGS_H

#include "contest/rating.h"
#include "support/unit.h"

extern const double ratings_logit; /* 400 / ln 10 */

/* Fails unless they differ by the tolerance at most. */
void ratings_expect(double value, double expected, double tolerance);
/* Adds games of two players, with the results for a. */
void ratings_add(Rating *rating, uint32_t a, uint32_t b, uint32_t wins,
                 uint32_t draws, uint32_t losses);

#endif
