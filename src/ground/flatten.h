/* The rules of the game as literals on relations. */
#ifndef TAFL_GROUND_FLATTEN_H
#define TAFL_GROUND_FLATTEN_H

#include "ground/unfold.h"

/* A rule of these literals and of calls that are flat already. */
GroundRule *flatten_body(Ground *ground, HeadKind kind, uint32_t relation,
                         const Term *head, uint32_t head_count,
                         const LiteralVector *literals,
                         const GroundLiteralVector *calls);
/* Fill Ground.rules with the rules of needed predicates (by number). */
void flatten_rules(Ground *ground, const bool *needed);

#endif
