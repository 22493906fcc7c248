/* Whether arriving at a key earlier is never worse. A state is a key and a
   depth (solve/packing.h); if the autonomous fluents, such as a step counter,
   matter for nothing but a time limit, a search may drop a key that it met
   before at a lesser depth. */
#ifndef TAFL_SOLVE_DOMINANCE_H
#define TAFL_SOLVE_DOMINANCE_H

#include "solve/packing.h"

/* Returns a score such that of plans with a higher one, there is for each key
   on the way one as long or shorter that meets every key at the least depth at
   which it can be met. -1: this holds for all plans. 100: nothing is proved. */
int dominance_floor(const Book *book, const Packing *packing);

#endif
