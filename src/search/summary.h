/* The answer of a search, and its report. */
#ifndef TAFL_SEARCH_SUMMARY_H
#define TAFL_SEARCH_SUMMARY_H

#include "search/parts.h"

/* Returns the index of the root's best action for the search's role, by the
   setting `final`. */
uint32_t summary_best(Search *search);
/* Publishes the best move so far for search_best. */
void summary_publish(Search *search);
void summary_fill(Search *search); /* search->report */
void summary_free(SearchReport *report);

#endif
