/* Sums at the root (search/ally.h) of several searches. Actions are in the
   order of their moves' numbers. */
#ifndef TAFL_CLUSTER_SUMS_H
#define TAFL_CLUSTER_SUMS_H

#include "search/ally.h"

void sums_sort(RootSums *sums);
void sums_clear(RootSums *sums);
void sums_free(RootSums *sums);
/* Adds sums to others; what one has proved is proved. */
void sums_add(RootSums *sums, const RootSums *more);
/* Takes away what was counted before: visits and totals of the difference, and
   proofs as they are now. Actions without news are left out. */
void sums_subtract(RootSums *sums, const RootSums *before);

#endif
