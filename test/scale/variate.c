#include "scale/variate.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

double variate_unit(Random *random) {
  return (double)(random_next(random) >> 11) * 0x1p-53;
}

double variate_exponential(Random *random, double mean) {
  return -mean * log(1 - variate_unit(random));
}

/* If ln x is normal with variance s^2 and mean m, then x has the mean
   exp(m + s^2 / 2) and the variation sqrt(exp(s^2) - 1). Box and Muller (1958)
   make the normal number. */
double variate_around(Random *random, double mean, double variation) {
  if (variation <= 0) return mean;
  double variance = log(1 + variation * variation);
  double normal = sqrt(-2 * log(1 - variate_unit(random))) *
                  cos(2 * pi * variate_unit(random));
  return mean * exp(sqrt(variance) * normal - variance / 2);
}
