/* A tree that several threads use at once. Each has a store, from which it
   takes blocks, ids and edges; a store takes them from the tree many at a time.
   Nodes have locks, the table of nodes needs none. Recycling, growing the table
   and whatever else looks at the whole tree is for one thread while no other is
   in the tree: the callers see to that. */
#ifndef TAFL_SEARCH_TREE_SHARE_H
#define TAFL_SEARCH_TREE_SHARE_H

#include "search/tree.h"

/* Several threads use the tree from now on, each with one of the stores, which
   are borrowed. `spare` is how many nodes they may add before one of them looks
   whether the tree is cramped. */
void tree_share(Tree *tree, TreeStore *stores, uint32_t count, uint32_t spare);
void tree_unshare(Tree *tree);

/* True if the table should grow soon. */
static inline bool tree_cramped(const Tree *tree) {
  return __atomic_load_n(&tree->cramped, __ATOMIC_RELAXED);
}
/* Grows the table; returns false if there is no memory for that. */
bool tree_relieve(Tree *tree);

/* ---- locks of nodes ---- */

void tree_wait(Tree *tree, Node *node);

/* Returns the node with its lock; if the tree is not shared, just the node. */
static inline Node *tree_lock(Tree *tree, NodeId id) {
  for (;;) {
    Node *node = tree_node(tree, id);
    if (!tree->shared) return node;
    if (__atomic_exchange_n(&node->lock, 1, __ATOMIC_ACQUIRE))
      tree_wait(tree, node);
    if (!(node->flags & NODE_DEAD)) return node;
    node_unlock(node); /* it has been opened: there is another block */
  }
}

static inline void tree_unlock(const Tree *tree, Node *node) {
  if (tree->shared) node_unlock(node);
}

#endif
