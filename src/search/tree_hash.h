/* The hash table of a tree: nodes by key. */
#ifndef TAFL_SEARCH_TREE_HASH_H
#define TAFL_SEARCH_TREE_HASH_H

#include "search/tree.h"

/* The high half of the mixed key as a tag, above the id; 0: empty. */
typedef uint64_t TreeSlot;

/* Sets up an empty table of `slots` (a power of two), which the caller has
   committed. */
void tree_hash_clear(Tree *tree, size_t slots);
void tree_hash_insert(Tree *tree, const Node *node);
/* The same while other threads do it. Returns the node, or one with the same
   key and state that was there already. */
NodeId tree_hash_join(Tree *tree, const Node *node);
/* Doubles the table, whatever is in it. Returns false if there is no room. */
bool tree_hash_grow(Tree *tree);
size_t tree_hash_slots(const Tree *tree);
/* The number of ids that a table is large enough for: 5/8 of its slots. A
   smaller table would do for finding nodes, but recycling uses it as scratch
   memory of 12 1/8 bytes per id. */
size_t tree_hash_ids(size_t slots);

#endif
