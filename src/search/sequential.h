/* One simulation at a time, as in the papers. */
#ifndef TAFL_SEARCH_SEQUENTIAL_H
#define TAFL_SEARCH_SEQUENTIAL_H

#include "search/limit.h"
#include "search/parts.h"

void sequential_think(Search *search, Limit *limit);

#endif
