/* What others found at the root (ally.h), by action of the root. */
#ifndef TAFL_SEARCH_OTHERS_H
#define TAFL_SEARCH_OTHERS_H

#include "search/parts.h"

/* The search stands at another root: nothing is known. */
void others_clear(Search *search);
/* Takes sums over the whole time at this root in place of earlier ones. With
   `join` what is new goes into the tree, else it is for the answer alone. */
void others_tell(Search *search, const RootSums *sums, bool join);
/* Adds sums to what is known, in the tree. */
void others_add(Search *search, const RootSums *sums);
/* Fills in what this search found without others. */
void others_subtract(Search *search, RootSums *sums);

/* Returns an action of the root, by its index among all, with what others
   found. */
Action others_action(const Search *search, const Node *root, uint32_t at);

#endif
