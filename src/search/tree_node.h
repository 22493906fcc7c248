/* A node of the tree: a state, and for each role the legal moves there with
   their statistics. Each role learns for itself (the opponent models of
   Finnsson 2007, section 4.3).

   In memory a node is one block: Node, the index of each role's first action
   (role_count + 1 numbers), the goals by role (bytes), the bounds if the tree
   has them, the actions, the other columns that the tree has (action.h),
   the state; each part is aligned. Most nodes are reached once and never chosen
   from: they stay closed, with a list of their moves (16 or 32 bits each) in
   place of the columns. Opening one makes a new block; the old one is dead
   until the tree is recycled. Blocks move when the tree is recycled, so a Node
   pointer is valid until then or until its node is opened, a NodeId as long as
   its node exists.

   While several threads use the tree, statistics, links and proofs of a node
   are for whoever holds its lock (tree_share.h). Nobody holds two of them, so
   what others read without the lock is atomic: flags, exact values, distances;
   goals do not change any more once a node is proved, and key, moves and state
   never do. A gap between the blocks of two threads has the id 0 and its
   length, in TREE_UNIT bytes, in place of the visits. */
#ifndef TAFL_SEARCH_TREE_NODE_H
#define TAFL_SEARCH_TREE_NODE_H

#include "search/action.h"
#include "search/tree_layout.h"

enum {
  NODE_TERMINAL = 1,
  NODE_PROVEN = 2, /* goals are exact under best play; so in terminal nodes */
  NODE_MARKED = 4, /* while recycling */
  NODE_CLOSED = 8, /* has a list of moves instead of columns */
  NODE_LONG = 16,  /* if closed: of 32 bits each */
  NODE_DEAD = 32,  /* a block without a node, which has another now */
  NODE_SURVEYED = 64, /* its main role's actions are judged (survey.h) */
  NODE_ASKED = 128    /* waits to be surveyed */
};

typedef struct Node {
  NodeId id;
  uint32_t visits; /* N(s): simulations that chose a move here */
  uint64_t key;
  uint32_t state_words;
  uint32_t path;    /* stamp of the last descent, to detect cycles */
  uint16_t pending; /* descents through it that are not backed up yet */
  uint8_t main;   /* role with the most actions; children hang on its actions */
  uint8_t movers; /* roles with two or more actions */
  int8_t exact;   /* highest exact value of the main role's actions if no other
                     role has a choice; -1: none */
  uint8_t flags;
  uint8_t distance; /* if proved: steps to the end (prove.c) */
  uint8_t lock;     /* 1: a thread has it; the last member */
} Node;

static inline uint8_t node_flags(const Node *node) {
  return __atomic_load_n(&node->flags, __ATOMIC_ACQUIRE);
}

/* Sets flags of a node whose lock is held. Whoever sees them sees what was
   written before. */
static inline void node_raise(Node *node, uint8_t flags) {
  __atomic_store_n(&node->flags, (uint8_t)(node->flags | flags),
                   __ATOMIC_RELEASE);
}

static inline void node_unlock(Node *node) {
  __atomic_store_n(&node->lock, 0, __ATOMIC_RELEASE);
}

static inline int8_t node_exact(const Node *node) {
  return __atomic_load_n(&node->exact, __ATOMIC_RELAXED);
}

static inline void node_set_exact(Node *node, int8_t exact) {
  __atomic_store_n(&node->exact, exact, __ATOMIC_RELAXED);
}

static inline uint8_t node_distance(const Node *node) {
  return __atomic_load_n(&node->distance, __ATOMIC_RELAXED);
}

static inline void node_set_distance(Node *node, uint8_t distance) {
  __atomic_store_n(&node->distance, distance, __ATOMIC_RELAXED);
}

/* Where each role's actions begin among all actions; role_count + 1. */
static inline uint32_t *node_firsts(const Node *node) {
  return (uint32_t *)(node + 1);
}

/* The number of actions of all roles together. */
static inline uint32_t node_action_count(const Tree *tree, const Node *node) {
  return node_firsts(node)[tree->role_count];
}

/* Returns one of the tree's columns, an element for each action of all
   roles. */
static inline void *node_column(const Tree *tree, const Node *node,
                                TreeColumn column) {
  assert(tree->columns & 1u << column && !(node_flags(node) & NODE_CLOSED));
  return (uint8_t *)node + tree->header +
         (size_t)node_action_count(tree, node) * tree->before[column];
}

#define COLUMN(name, type, first) \
  static inline type *node_##name(const Tree *tree, const Node *node) { \
    return (type *)node_column(tree, node, COLUMN_##name); \
  }
TREE_COLUMNS(COLUMN)
#undef COLUMN

/* Returns the actions of one role. */
static inline Action *node_actions(const Tree *tree, Node *node, uint32_t role,
                                   uint32_t *count) {
  const uint32_t *first = node_firsts(node) + role;
  *count = first[1] - first[0];
  return node_all(tree, node) + first[0];
}

static inline int8_t *node_goals(const Tree *tree, Node *node) { /* by role */
  return (int8_t *)(node_firsts(node) + tree->role_count + 1);
}

/* Bytes of a block before its state, by its flags. */
static inline size_t node_state_place(const Tree *tree, uint32_t flags,
                                      uint32_t actions) {
  size_t each = tree->per_action;
  if (flags & NODE_CLOSED)
    each = flags & NODE_LONG ? sizeof(uint32_t) : sizeof(uint16_t);
  size_t bytes = tree->header + each * actions;
  return (bytes + TREE_UNIT - 1) / TREE_UNIT * TREE_UNIT;
}

static inline const uint64_t *node_state(const Tree *tree, const Node *node) {
  size_t place =
      node_state_place(tree, node_flags(node), node_action_count(tree, node));
  return (const void *)((const uint8_t *)node + place);
}

/* Bytes of a block. */
static inline size_t node_size(const Tree *tree, const Node *node) {
  return node_state_place(tree, node_flags(node),
                          node_action_count(tree, node)) +
         (size_t)node->state_words * sizeof(uint64_t);
}

/* Iterates over all blocks: returns the one at `*place`, which is advanced to
   the next, or NULL at the end. Starts at TREE_FIRST_BLOCK. */
static inline Node *node_next(const Tree *tree, size_t *place) {
  const TreePart *blocks = &tree->parts[TREE_BLOCKS];
  while (*place < blocks->used) {
    void *block = blocks->base + *place;
    Node *node = block;
    *place += node->id ? node_size(tree, node) : node->visits * TREE_UNIT;
    if (node->id) return node;
  }
  return NULL;
}

#endif
