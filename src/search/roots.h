/* The statistics of the root, to be added to those of other searches that
   think about the same state. */
#ifndef TAFL_SEARCH_ROOTS_H
#define TAFL_SEARCH_ROOTS_H

#include "search/ally.h"
#include "search/search.h"

/* What this search found itself at its root since it stands there. While it
   thinks, only for the budget's `watch`. */
void roots_take(Search *search, RootSums *sums);
/* Adds what others found, which then guides this search, too; roots_take does
   not count it. While it thinks, only for the budget's `watch`. */
void roots_join(Search *search, const RootSums *sums);

#endif
