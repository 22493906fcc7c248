/* When a search has to stop thinking. */
#ifndef TAFL_SEARCH_LIMIT_H
#define TAFL_SEARCH_LIMIT_H

#include "search/search.h"

typedef struct Limit {
  Budget budget; /* the search's share */
  double start, deadline;
} Limit;

/* The clock starts now. */
void limit_init(Limit *limit, const Budget *budget, double share);
bool limit_reached(const Limit *limit, const SearchReport *report);

#endif
