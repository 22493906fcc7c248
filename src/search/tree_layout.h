/* How a tree lies in memory: four arrays, each in an address range of its own
   and used from its beginning. */
#ifndef TAFL_SEARCH_TREE_LAYOUT_H
#define TAFL_SEARCH_TREE_LAYOUT_H

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "search/action.h"

typedef uint32_t NodeId; /* 0: none */

/* One joint move of a node where several roles have a choice, in the chain of
   the main role's action. */
typedef struct TreeEdge {
  uint64_t joint; /* the other roles' choices as one number */
  NodeId child;
  uint32_t next; /* 0: the last */
} TreeEdge;

enum {
  TREE_BLOCKS,  /* nodes (tree_node.h), side by side from TREE_FIRST_BLOCK on */
  TREE_OFFSETS, /* uint32_t by NodeId: where its block is, in TREE_UNIT bytes */
  TREE_HASH,    /* nodes by key (tree_hash.h) */
  TREE_EDGES,   /* TreeEdge; the first is not used */
  TREE_PARTS
};
enum { TREE_UNIT = 8, TREE_FIRST_BLOCK = TREE_UNIT };

typedef struct TreePart {
  uint8_t *base;
  size_t used, committed; /* bytes; pages beyond `committed` are not touched */
} TreePart;

/* Memory that will be used soon. */
typedef struct TreeRange {
  uint8_t *base;
  size_t bytes; /* 0: none */
} TreeRange;

typedef struct TreeStatistics {
  uint64_t added, linked, recycled, recyclings;
  uint64_t waits; /* for the lock of a node; atomic */
} TreeStatistics;

enum { TREE_STORE_IDS = 64, TREE_STORE_EDGES = 64 };

/* What one of several threads has taken of a tree and not used yet
   (tree_share.h). */
typedef struct TreeStore {
  size_t place, end; /* of its blocks: bytes from their base */
  NodeId ids[TREE_STORE_IDS];
  uint32_t id_count;
  uint32_t edge, edge_end;
  uint64_t added, linked; /* to the tree by this thread */
} TreeStore;

typedef struct Tree {
  TreePart parts[TREE_PARTS];
  uint32_t role_count;
  uint32_t header;  /* bytes of a block before its columns */
  uint32_t columns; /* the set of columns: a bit for each TreeColumn */
  /* Bytes an action takes in all columns, and in those before each column. */
  uint32_t per_action, before[COLUMN_COUNT];
  uint32_t count;    /* nodes */
  NodeId free;       /* unused ids, chained through the offsets */
  size_t limit;      /* for the sum of committed bytes */
  size_t granule;    /* parts are committed in multiples of this */
  uint32_t touching; /* ranges of tree_ahead that are not touched yet */
  ScopePages *pages; /* all address space */
  /* While several threads use the tree: */
  bool shared;
  bool cramped;      /* the table should grow; atomic */
  TreeStore *stores; /* of the threads */
  uint32_t store_count;
  size_t store_bytes;    /* of blocks that a store takes at once */
  uint32_t spare;        /* ids that there should be room for in the table */
  pthread_mutex_t mutex; /* of what stores take from, and of pages */
  TreeStatistics statistics;
} Tree;

static inline uint32_t *tree_offsets(const Tree *tree) {
  return (void *)tree->parts[TREE_OFFSETS].base;
}

static inline TreeEdge *tree_edges(const Tree *tree) {
  return (void *)tree->parts[TREE_EDGES].base;
}

/* The nodes that the threads have added are counted apart. */
static inline uint32_t tree_count(const Tree *tree) {
  uint64_t count = tree->count;
  for (uint32_t i = 0; i < tree->store_count; i++)
    count += tree->stores[i].added;
  return (uint32_t)count;
}

/* The highest id given out since the tree was last cleared. */
static inline uint32_t tree_id_last(const Tree *tree) {
  return (uint32_t)(tree->parts[TREE_OFFSETS].used / sizeof(uint32_t)) - 1;
}

static inline uint32_t tree_edge_last(const Tree *tree) {
  return (uint32_t)(tree->parts[TREE_EDGES].used / sizeof(TreeEdge)) - 1;
}

#endif
