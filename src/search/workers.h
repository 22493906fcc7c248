/* Many simulations at once, by one thread or several. */
#ifndef TAFL_SEARCH_WORKERS_H
#define TAFL_SEARCH_WORKERS_H

#include "search/batch.h"
#include "search/limit.h"
#include "search/parts.h"

/* Returns NULL if the game has no net. */
Workers *workers_new(Search *search);
/* The search has another evaluation. */
void workers_set_evaluation(Search *search);
void workers_delete(Workers *workers);
/* Gives the search an ally in place of the one it has; NULL: none. */
void workers_set_ally(Search *search, Ally *ally);
Batch *workers_first(const Search *search);
void workers_think(Search *search, Limit *limit);

#endif
