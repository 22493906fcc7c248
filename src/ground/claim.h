/* Proofs of the claims that the forms of rules rely on. */
#ifndef TAFL_GROUND_CLAIM_H
#define TAFL_GROUND_CLAIM_H

#include "ground/ground_data.h"

/* Are all claims proved? All fluents and moves must be known. */
bool claim_all_hold(Ground *ground);

#endif
