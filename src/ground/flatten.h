/* Literals of the game's rules as literals on relations. */
#ifndef TAFL_GROUND_FLATTEN_H
#define TAFL_GROUND_FLATTEN_H

#include "ground/ground_data.h"

/* Makes a rule of these literals and of calls that are flat already. */
GroundRule *flatten_rule(Ground *ground, HeadKind kind, uint32_t relation,
                         const Term *head, uint32_t head_count,
                         const LiteralVector *literals,
                         const GroundLiteralVector *calls);

#endif
