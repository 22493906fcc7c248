/* The proof that the goals of two roles add up to the same in every final
   state, so that one's gain is the other's loss. */
#ifndef TAFL_ANALYSE_SUMS_H
#define TAFL_ANALYSE_SUMS_H

#include <stdbool.h>

#include "analyse/onehot.h"

/* Returns true if two roles' goals are proved to add up to `sum` wherever a
   step ends the game; a role without a goal there has 0. `propagations` and
   `seconds` are as for the prover. */
bool sums_prove(const Net *net, const OneHot *onehot, int sum,
                uint64_t propagations, double seconds);

#endif
