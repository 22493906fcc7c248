/* Thinking on where values are exact (setting solver=2): about a shorter way to
   a win, and about the longest resistance in a loss that the opponent may not
   have seen. */
#ifndef TAFL_SEARCH_SETTLE_H
#define TAFL_SEARCH_SETTLE_H

#include "search/parts.h"

/* Returns true if a descent goes on in a proved node, `steps` below the
   root. */
bool settle_passes(const Search *search, Node *node, uint32_t steps);
/* Chooses where all actions of a role have exact values. */
uint32_t settle_choose(const Search *search, Node *node, uint32_t role);
/* Returns true if settle_done may be true. */
bool settle_near(const Search *search);
/* Returns true if there is nothing left to find out for the root's choice. */
bool settle_done(const Search *search);

#endif
