/* When a search has to stop thinking. */
#ifndef TAFL_SEARCH_LIMIT_H
#define TAFL_SEARCH_LIMIT_H

#include "game/budget.h"
#include "search/report.h"

typedef struct Limit {
  Budget budget; /* the search's share */
  double start, deadline;
  double watch; /* when `budget.watch` is due */
} Limit;

/* The clock starts now. */
void limit_init(Limit *limit, const Budget *budget, double share);
bool limit_reached(const Limit *limit, const SearchReport *report);
/* Returns true if limit_watch would call. */
bool limit_watched(const Limit *limit);
/* Calls the budget's `watch` if it is due, with the time so far in the report.
 */
void limit_watch(Limit *limit, SearchReport *report);

#endif
