/* Checks all invariants of a tree, slowly. */
#ifndef TAFL_TEST_SEARCH_TREE_CHECK_H
#define TAFL_TEST_SEARCH_TREE_CHECK_H

#include "search/tree.h"

/* Returns false with a `message` if something is wrong. */
bool tree_check(const Tree *tree, NodeId root, char *message, size_t size);

#endif
