/* Proofs of what rules' forms rely on. */
#ifndef TAFL_GROUND_CLAIM_H
#define TAFL_GROUND_CLAIM_H

#include "ground/ground_data.h"

/* With all fluents and moves known: are the ground's claims proved? */
bool claim_all_hold(Ground *ground);

#endif
