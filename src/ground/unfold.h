/* Calls of wide static predicates replaced by the bodies of their rules. */
#ifndef TAFL_GROUND_UNFOLD_H
#define TAFL_GROUND_UNFOLD_H

#include "ground/ground_data.h"

/* Sets head and body to the rule's, with every worthwhile call unfolded.
   Returns false if the body cannot be true. */
bool unfold_rule(const Ground *ground, const Rule *rule, Term *head,
                 LiteralVector *body);
/* Sets the body to literals that unfold_rule gave, with the last one replaced
   by the body of `rule`, a rule of its predicate, and applies the bindings to
   `terms`. The result can be given to it again with a greater depth: that makes
   its variables differ; at most 31. Returns false if the body cannot be
   true. */
bool unfold_last(const Ground *ground, const LiteralVector *literals,
                 const Rule *rule, uint32_t depth, Term *terms, uint32_t count,
                 LiteralVector *body);

#endif
