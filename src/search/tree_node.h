/* A node of the tree: a state, and for each role the legal moves there with
   their statistics. Each role learns for itself (the opponent models of
   Finnsson 2007, section 4.3).

   In memory a node is one block: Node, the index of each role's first action
   (role_count + 1 numbers), the goals by role (bytes), actions, state; each
   part is aligned. Blocks move when the tree is recycled, so a Node pointer is
   valid until the next tree_add or recycling, a NodeId as long as its node
   exists. */
#ifndef TAFL_SEARCH_TREE_NODE_H
#define TAFL_SEARCH_TREE_NODE_H

#include "search/tree_layout.h"

typedef struct Action {
  double total; /* sum of returns: Q(s,a) is total / visits */
  union {
    double rave_total; /* sum of returns where the move came at s or later */
    struct {
      /* In searches without RAVE that keep them (select_note): the terms of the
         upper bound, from visits and pending descents; width 0 if there are
         neither. */
      float mean, width;
    };
  };
  uint32_t move;   /* its number in the search (numbering.h) */
  uint32_t visits; /* N(s,a) */
  uint32_t rave_visits;
  uint32_t child;   /* only for the main role: a NodeId if no other role has a
                       choice, else the first edge */
  float maximum;    /* highest return seen; -1: none */
  uint16_t pending; /* descents through it that are not backed up yet */
  int8_t exact;     /* its role's exact value (aim.h) if at most one role has a
                       choice and the child is proved; else -1 */
  uint8_t distance; /* if exact: steps to the end (prove.c) */
} Action;

enum {
  NODE_TERMINAL = 1,
  NODE_PROVEN = 2, /* goals are exact under best play; so in terminal nodes */
  NODE_MARKED = 4  /* while recycling */
};

typedef struct Node {
  uint64_t key;
  NodeId id;
  uint32_t visits;       /* N(s): simulations that chose a move here */
  uint32_t action_count; /* all roles together */
  uint32_t state_words;
  uint32_t path;    /* stamp of the last descent, to detect cycles */
  uint32_t pending; /* descents through it that are not backed up yet */
  uint8_t main;   /* role with the most actions; children hang on its actions */
  uint8_t movers; /* roles with two or more actions */
  int8_t exact;   /* highest exact value of the main role's actions if no other
                     role has a choice; -1: none */
  uint8_t flags;
  uint8_t distance; /* if proved: steps to the end (prove.c) */
} Node;

/* Where each role's actions begin among all actions; role_count + 1. */
static inline uint32_t *node_firsts(const Node *node) {
  return (uint32_t *)(node + 1);
}

static inline Action *node_actions(const Tree *tree, Node *node, uint32_t role,
                                   uint32_t *count) {
  const uint32_t *first = node_firsts(node) + role;
  void *actions = (uint8_t *)node + tree->header;
  *count = first[1] - first[0];
  return (Action *)actions + first[0];
}

static inline const uint64_t *node_state(const Tree *tree, const Node *node) {
  const void *state = (const uint8_t *)node + tree->header +
                      (size_t)node->action_count * sizeof(Action);
  return state;
}

static inline int8_t *node_goals(const Tree *tree, Node *node) { /* by role */
  return (int8_t *)(node_firsts(node) + tree->role_count + 1);
}

/* Bytes of a block. */
static inline size_t node_size(const Tree *tree, uint32_t actions,
                               uint32_t words) {
  return tree->header + (size_t)actions * sizeof(Action) +
         (size_t)words * sizeof(uint64_t);
}

/* Iterates over all blocks: returns the one at `*place`, which is advanced to
   the next, or NULL at the end. Starts at TREE_FIRST_BLOCK. */
static inline Node *node_next(const Tree *tree, size_t *place) {
  const TreePart *blocks = &tree->parts[TREE_BLOCKS];
  if (*place >= blocks->used) return NULL;
  void *block = blocks->base + *place;
  Node *node = block;
  *place += node_size(tree, node->action_count, node->state_words);
  return node;
}

#endif
