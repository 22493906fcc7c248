/* Demand for wide predicates whose calls have variables. */
#ifndef TAFL_GROUND_ASK_H
#define TAFL_GROUND_ASK_H

#include "ground/ground_data.h"

/* Restricts the rules of wide predicates to what their calls can ask; adds the
   rules of the guards that say so. Rules come callees first. */
void ask_calls(Ground *ground, RuleVector *rules);

#endif
