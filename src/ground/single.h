/* Facts of which a single one holds, such as the place of a king, taken out of
   wide calls. */
#ifndef TAFL_GROUND_SINGLE_H
#define TAFL_GROUND_SINGLE_H

#include "ground/ground_data.h"

/* Does a rule have a negative call of a wide predicate that reads such a fact?
   Relations must be classified. */
bool single_applies(Ground *ground);
/* In a body with such a call, if Ground.tight, replaces each literal that reads
   the fact by a call of a new predicate, whose rules are added to `parts`.
   Makes a claim. Does the same, without a claim, where a wide call alone reads
   the fact. */
void single_body(Ground *ground, Term head, LiteralVector *body,
                 GroundLiteralVector *calls, RuleVector *parts);

#endif
