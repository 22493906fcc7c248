/* The pages of a tree. */
#ifndef TAFL_SEARCH_TREE_MEMORY_H
#define TAFL_SEARCH_TREE_MEMORY_H

#include <stdbool.h>

#include "search/tree_layout.h"

/* Reserves address space for a tree of `bytes`; gives up the caller's trial if
   there is none. */
void tree_memory_reserve(Tree *tree, size_t bytes);
void tree_memory_release(Tree *tree);
/* Makes at least `bytes` of a part usable; returns false if that would exceed
   the tree's limit. */
bool tree_memory_commit(Tree *tree, uint32_t part, size_t bytes);

#endif
