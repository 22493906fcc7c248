/* Random durations of the simulations. */
#ifndef TAFL_TEST_SCALE_VARIATE_H
#define TAFL_TEST_SCALE_VARIATE_H

#include "base/random.h"

double variate_unit(Random *random); /* 0 <= … < 1 */
double variate_exponential(Random *random, double mean);
/* Log-normal with this mean and coefficient of variation; 0: always the
   mean. */
double variate_around(Random *random, double mean, double variation);

#endif
