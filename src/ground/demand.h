/* Predicates that are asked about few things, evaluated for those only. */
#ifndef TAFL_GROUND_DEMAND_H
#define TAFL_GROUND_DEMAND_H

#include "ground/ground_data.h"

/* Give each rule of a predicate that is always called with constants a literal
   that says with which. `rules` are all there are; those are replaced. */
void demand_constants(Ground *ground, RuleVector *rules);

#endif
