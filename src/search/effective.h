/* The move to play by Effective Quality (Świechowski, Mańdziuk and Ong 2016,
   section IV-D, Table I). */
#ifndef TAFL_SEARCH_EFFECTIVE_H
#define TAFL_SEARCH_EFFECTIVE_H

#include "search/parts.h"

/* The effective quality of one of the searching role's moves at the root, by
   its index; -INFINITY if nothing is known of it. */
double effective_quality(const Search *search, uint32_t action);
/* The index of the best move: ties go to the higher average of the move
   anywhere (the history heuristic), then to chance. */
uint32_t effective_best(const Search *search);

#endif
