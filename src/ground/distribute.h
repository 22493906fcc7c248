/* Bodies in which many facts are compared by several wide static calls. */
#ifndef TAFL_GROUND_DISTRIBUTE_H
#define TAFL_GROUND_DISTRIBUTE_H

#include "ground/ground_data.h"

/* Replaces such facts and calls of the body by calls of new predicates, one for
   each static call, whose rules are added to `parts`. Makes claims if there is
   more than one. */
void distribute_body(Ground *ground, Term head, LiteralVector *body,
                     GroundLiteralVector *calls, RuleVector *parts);

#endif
