/* Long bodies split into parts, so that what does not belong together is not
   multiplied. */
#ifndef TAFL_GROUND_SPLIT_H
#define TAFL_GROUND_SPLIT_H

#include "ground/ground_data.h"

/* Adds the rule, split if that may help, to `own`, and its parts to `before`,
   or to `own` if they are recursive with it. */
void split_rule(Ground *ground, GroundRule *rule, RuleVector *before,
                RuleVector *own);
/* Decides, once all rows are known, for each split rule whether to use the
   parts or the plain rule: whichever has fewer instances by estimate. */
void split_choose(Ground *ground);

#endif
