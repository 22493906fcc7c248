/* What tree.c and recycle.c share: pages, blocks one after another, and the
   hash table. */
#ifndef TAFL_SEARCH_TREE_MEMORY_H
#define TAFL_SEARCH_TREE_MEMORY_H

#include "search/tree.h"

typedef struct TreeSlot {
  uint32_t tag; /* high half of the mixed key */
  NodeId id;    /* 0: empty */
} TreeSlot;

void tree_reserve(Tree *tree, size_t bytes);
void tree_release(Tree *tree);
/* Make sure that a part has this many bytes; false if that is over the limit.
 */
bool tree_commit(Tree *tree, uint32_t part, size_t bytes);

/* A table of `slots` (a power of two) without entries; room was committed. */
void tree_hash_clear(Tree *tree, size_t slots);
void tree_hash_insert(Tree *tree, const Node *node);
size_t tree_hash_slots(const Tree *tree);
/* How many ids a table may have to serve: 5/8 of its slots. Half a table of
   16-byte pairs for each would do as well, but recycling uses the table as
   scratch memory of 12 1/8 bytes an id. */
size_t tree_hash_ids(size_t slots);

static inline uint32_t *tree_offsets(const Tree *tree) {
  return (void *)tree->parts[TREE_OFFSETS].base;
}

static inline TreeEdge *tree_edges(const Tree *tree) {
  return (void *)tree->parts[TREE_EDGES].base;
}

/* Highest id that was ever given since the last clearing. */
static inline uint32_t tree_id_last(const Tree *tree) {
  return (uint32_t)(tree->parts[TREE_OFFSETS].used / sizeof(uint32_t)) - 1;
}

static inline uint32_t tree_edge_last(const Tree *tree) {
  return (uint32_t)(tree->parts[TREE_EDGES].used / sizeof(TreeEdge)) - 1;
}

static inline size_t tree_block_size(const Tree *tree, uint32_t actions,
                                     uint32_t words) {
  return tree->header + (size_t)actions * sizeof(Action) +
         (size_t)words * sizeof(uint64_t);
}

/* The block at `*place`, which goes on to the next one; NULL at the end. */
static inline Node *tree_next_block(const Tree *tree, size_t *place) {
  const TreePart *blocks = &tree->parts[TREE_BLOCKS];
  if (*place >= blocks->used) return NULL;
  void *block = blocks->base + *place;
  Node *node = block;
  *place += tree_block_size(tree, node->action_count, node->state_words);
  return node;
}

#endif
