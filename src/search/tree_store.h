/* What the threads of a shared tree take of it many at a time: blocks, ids,
   edges. For the files of the tree. */
#ifndef TAFL_SEARCH_TREE_STORE_H
#define TAFL_SEARCH_TREE_STORE_H

#include "search/tree.h"

/* Return NULL or 0 if there is no room. */
Node *tree_store_block(Tree *tree, TreeStore *store, size_t size);
NodeId tree_store_id(Tree *tree, TreeStore *store);
uint32_t tree_store_edge(Tree *tree, TreeStore *store);
/* The block that was returned last is in use. */
void tree_store_use(Tree *tree, TreeStore *store, size_t size);
/* Puts the node, whose block was used last, into the table. If another thread
   was first, returns its node, and the block and the id are free again. */
NodeId tree_store_insert(Tree *tree, TreeStore *store, Node *node);

/* Gives back what is left in all stores. */
void tree_close_stores(Tree *tree);

#endif
