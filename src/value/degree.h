/* How far the formulas of a cone are satisfied, by counting conditions: the
   partial solutions of Clune 2007. A conjunction is satisfied to the share of
   its conditions that hold, a disjunction as far as its best alternative.

   The cone has conjunctions alone, so each gate has a degree for either sign: a
   negated conjunction is a disjunction. In stages with recursive definitions
   conjunctions are minima, so that variables are simply true or false. */
#ifndef TAFL_VALUE_DEGREE_H
#define TAFL_VALUE_DEGREE_H

#include "value/cone.h"

typedef struct Degree {
  const Cone *cone; /* borrowed */
  float *weight;    /* by reading: conditions that it counts for */
  uint32_t strict;  /* first gate of the stages with recursion */
} Degree;

void degree_init(Degree *degree, const Cone *cone);
void degree_free(Degree *degree);

/* Sets the degrees of all readings in the state, from 0 to 1. */
void degree_run(const Degree *degree, const uint64_t *state, float *degrees);

#endif
