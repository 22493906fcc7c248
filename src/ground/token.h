/* Proofs that something is in one place at a time. */
#ifndef TAFL_GROUND_TOKEN_H
#define TAFL_GROUND_TOKEN_H

#include "ground/ground_data.h"

/* Are all of Ground.tokens proved? All fluents and moves must be known. */
bool token_all_hold(Ground *ground);

#endif
