/* The game tree: a transposition graph in a fixed amount of memory. Nodes are
   states, children are found by joint move, and what is no longer useful is
   recycled (tree_recycle.c). */
#ifndef TAFL_SEARCH_TREE_H
#define TAFL_SEARCH_TREE_H

#include <stdbool.h>

#include "search/tree_node.h"

/* Contents of a new node. */
typedef struct NodeSeed {
  uint64_t key;
  const uint64_t *state;
  uint32_t state_words;
  const uint32_t *move_counts; /* by role; NULL in terminal states */
  const uint32_t *moves;       /* role by role */
  const int *goals;            /* by role, in terminal states; else NULL */
  bool closed;                 /* its moves are only listed: see tree_open */
} NodeSeed;

/* A tree of at most `bytes` in all (and at most 32 GiB) for up to 255 roles.
   Pages are not touched before they are needed. Gives up the caller's trial
   (base/trial.h) if there is no address space. */
Tree *tree_new(uint32_t role_count, size_t bytes);
/* Gives a tree without nodes a set of columns: 1 << COLUMN_name for each. A new
   tree has the actions alone, which every tree has. */
void tree_use(Tree *tree, uint32_t columns);
void tree_delete(Tree *tree);
void tree_clear(Tree *tree);

static inline Node *tree_node(const Tree *tree, NodeId id) {
  uint32_t offset = __atomic_load_n(&tree_offsets(tree)[id], __ATOMIC_ACQUIRE);
  void *block = tree->parts[TREE_BLOCKS].base + (size_t)offset * TREE_UNIT;
  Node *node = block;
  assert(id && node->id == id);
  return node;
}

/* Returns the node with this key and state, or 0. */
NodeId tree_find(const Tree *tree, uint64_t key, const uint64_t *state,
                 uint32_t words);
/* The same by the key alone. */
NodeId tree_find_key(const Tree *tree, uint64_t key);
/* Adds a node and returns it, or 0 if there is no room: recycle, or go on
   without. The caller has checked that no node has this key and state. One of
   several threads gives its store (tree_share.h), else NULL: the node may then
   be one that another thread has added meanwhile. */
NodeId tree_add(Tree *tree, TreeStore *store, const NodeSeed *seed);
/* Gives a closed node its actions; must be called before anything but its key,
   state, flags, goals and number of actions is used. Returns the open node, or
   NULL if there is no room: recycle, or go on without. If the tree is shared,
   the caller holds the lock of the closed node, and then of the open one. */
Node *tree_open(Tree *tree, TreeStore *store, Node *node);

/* Returns the child with these choices in the chain that starts at `edge`. */
NodeId tree_edge_child(const Tree *tree, Node *node, uint32_t edge,
                       const uint32_t *choices);

/* Returns the child by each role's choice, an index into its actions; 0 if
   there is none yet. */
static inline NodeId tree_child(const Tree *tree, Node *node,
                                const uint32_t *choices) {
  uint32_t count, main = node->main;
  uint32_t link = node_actions(tree, node, main, &count)[choices[main]].child;
  assert(choices[main] < count);
  return node->movers < 2 || !link ? link
                                   : tree_edge_child(tree, node, link, choices);
}

/* Returns false if there is no room for the edge: recycle, or go on without.
   Also false if the node has more than 2^64 joint moves and the number of this
   one does not fit. */
bool tree_link(Tree *tree, TreeStore *store, Node *node,
               const uint32_t *choices, NodeId child);

/* Recycles all nodes that cannot be reached from `root`. */
void tree_keep(Tree *tree, NodeId root);
/* Recycles the least useful nodes (fewest visits, leaves first, then oldest)
   until at least `share` of the memory is free. The root, nodes with pending
   actions and the children of these actions stay if the root reaches them.
   Returns false if not enough could be freed; as much as possible is then. */
bool tree_prune(Tree *tree, NodeId root, double share);

/* A permutation of fluents and moves. */
typedef struct TreeImage {
  const uint32_t *fluents, *moves; /* what each becomes */
  const uint64_t *keys;            /* by fluent: the sum is a state's key */
  uint64_t *scratch;               /* words of a state */
} TreeImage;
/* Replaces all states, which must be sets of fluents, and moves by their
   images (tree_map.c). */
void tree_map(Tree *tree, const TreeImage *image);

size_t tree_bytes(const Tree *tree); /* in use */

/* Searches clear fresh pages while nobody waits for that: tree_ahead commits
   what will be used soon, a few MiB at a time and less than half of what is in
   use; tree_touch has the system provide the pages; tree_touched says that this
   is done. */
TreeRange tree_ahead(Tree *tree);
void tree_touch(TreeRange range);
void tree_touched(Tree *tree, TreeRange range);

/* Prefetching. For one node, in this order and with other work in between: its
   offset, its beginning, its actions or its state; and the hash slot of a
   key. */
static inline void tree_prefetch_offset(const Tree *tree, NodeId id) {
  const uint32_t *offsets = (const void *)tree->parts[TREE_OFFSETS].base;
  __builtin_prefetch(offsets + id);
}

static inline void tree_prefetch(const Tree *tree, NodeId id) {
  __builtin_prefetch(tree_node(tree, id));
}

static inline void tree_prefetch_state(const Tree *tree, NodeId id) {
  __builtin_prefetch(node_state(tree, tree_node(tree, id)));
}

void tree_prefetch_actions(const Tree *tree, NodeId id);
void tree_prefetch_key(const Tree *tree, uint64_t key);

#endif
