/* Checks the statistics of a search that has thought. */
#ifndef TAFL_TEST_SEARCH_SEARCH_CHECK_H
#define TAFL_TEST_SEARCH_SEARCH_CHECK_H

#include "search/parts.h"

/* Fails if anything is wrong in a node, and so many steps below it. */
void search_check_node(Search *search, NodeId id, uint32_t depth);
/* The same for the root, and for all that the tree is made of. */
void search_check(Search *search);

#endif
