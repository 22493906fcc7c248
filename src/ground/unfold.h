/* Calls of wide static predicates replaced by what they stand for. */
#ifndef TAFL_GROUND_UNFOLD_H
#define TAFL_GROUND_UNFOLD_H

#include "ground/ground_data.h"

/* The rule's head and body with every call unfolded that is worth it. False if
   the body cannot be true. */
bool unfold_rule(const Ground *ground, const Rule *rule, Term *head,
                 LiteralVector *body);
/* Literals that unfold_rule gave, with the last one replaced by the body of
   `rule`, a rule of its predicate. `terms` have the bindings applied that this
   makes. False if the body cannot be true. */
bool unfold_last(const Ground *ground, const LiteralVector *literals,
                 const Rule *rule, Term *terms, uint32_t count,
                 LiteralVector *body);

#endif
