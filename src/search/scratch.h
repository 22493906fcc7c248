/* What one thread of a search has for itself. */
#ifndef TAFL_SEARCH_SCRATCH_H
#define TAFL_SEARCH_SCRATCH_H

#include "search/parts.h"

/* The role count and the settings of the search are known. */
void scratch_init(Scratch *own, const Search *search, uint64_t seed,
                  Mast *mast);
/* Gives the vectors their full size, so that nothing is allocated later. */
void scratch_reserve(Scratch *own, const Search *search);
void scratch_free(Scratch *own);

#endif
