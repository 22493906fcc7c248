/* Predicates called with few constants are evaluated for those only. */
#ifndef TAFL_GROUND_DEMAND_H
#define TAFL_GROUND_DEMAND_H

#include "ground/ground_data.h"

/* Adds to each rule of a predicate that is always called with constants a
   literal that restricts it to those. `rules` must be complete; changed rules
   are replaced in it. */
void demand_constants(Ground *ground, RuleVector *rules);

#endif
