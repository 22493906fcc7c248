/* The game tree as a transposition graph in one piece of memory of fixed size.

   A node is a state; it has, role by role, the moves that are legal there with
   their statistics (each role learns for itself: the opponent models of
   Finnsson 2007, section 4.3), and children by joint move. Nodes are named by
   numbers that stay while nodes move: recycling slides those that are kept
   together, so a Node pointer is good until the next tree_add or recycling, a
   NodeId for as long as the node lives.

   In memory a node is one block: Node, the roles' first actions (role_count + 1
   numbers), the roles' goals (bytes), actions, state; each part aligned. */
#ifndef TAFL_SEARCH_TREE_H
#define TAFL_SEARCH_TREE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

typedef uint32_t NodeId; /* 0: none */

typedef struct Action {
  double total; /* of returns: Q(s,a) is total / visits */
  union {
    double rave_total; /* of returns where the move came at s or later */
    struct {
      /* In searches without RAVE that keep them (select_note): the terms of the
         bound, of visits and pending descents; a width of 0: there are none. */
      float mean, width;
    };
  };
  uint32_t move;   /* its number in the search (moves.h) */
  uint32_t visits; /* N(s,a) */
  uint32_t rave_visits;
  uint32_t child;   /* of the main role's actions: if no other role has a
                       choice a NodeId, else the first edge */
  float maximum;    /* greatest return seen, -1: none */
  uint16_t pending; /* descents through it that are not backed up yet */
  int8_t exact;     /* its role's goal, if one role has a choice at most and the
                       child is proved; -1: not */
} Action;

enum {
  NODE_TERMINAL = 1,
  NODE_PROVEN = 2, /* goals are exact under best play; terminal nodes are */
  NODE_MARKED = 4  /* while recycling */
};

typedef struct Node {
  uint64_t key;
  NodeId id;
  uint32_t visits;       /* N(s): simulations that chose a move here */
  uint32_t action_count; /* of all roles */
  uint32_t state_words;
  uint32_t path;    /* the last descent that came by: cycles are seen */
  uint32_t pending; /* descents through it that are not backed up yet */
  uint8_t main;   /* role with the most actions; children hang on its actions */
  uint8_t movers; /* roles with two actions or more */
  int8_t exact;   /* highest exact value of the main role's actions, if nobody
                     else has a choice; -1: none */
  uint8_t flags;
} Node;

/* What a new node is made of. */
typedef struct NodeSeed {
  uint64_t key;
  const uint64_t *state;
  uint32_t state_words;
  const uint32_t *move_counts; /* by role; NULL in terminal states */
  const uint32_t *moves;       /* role by role */
  const int *goals;            /* by role: a terminal state; else NULL */
} NodeSeed;

typedef struct TreeStatistics {
  uint64_t added, linked, recycled, recyclings;
} TreeStatistics;

/* One joint move of a node where several roles have a choice, in the chain of
   the main role's action. */
typedef struct TreeEdge {
  uint64_t joint; /* the other roles' choices as one number */
  NodeId child;
  uint32_t next; /* 0: the last */
} TreeEdge;

/* Four arrays, each in a range of addresses of its own and used from its
   beginning on. */
enum {
  TREE_BLOCKS,  /* of the nodes, side by side from TREE_FIRST_BLOCK on */
  TREE_OFFSETS, /* uint32_t by NodeId: where its block is, in TREE_UNIT bytes */
  TREE_HASH,    /* nodes by key */
  TREE_EDGES,   /* TreeEdge; the first is none */
  TREE_PARTS
};
enum { TREE_UNIT = 8, TREE_FIRST_BLOCK = TREE_UNIT };

typedef struct TreePart {
  uint8_t *base;
  size_t used, committed; /* bytes; pages behind `committed` are not touched */
} TreePart;

/* Plain for the sake of the inline functions below; to others it is closed. */
typedef struct Tree {
  TreePart parts[TREE_PARTS];
  uint32_t role_count;
  uint32_t header;    /* bytes of a block before its actions */
  uint32_t count;     /* of nodes */
  NodeId free;        /* ids without a node, chained through the offsets */
  size_t limit;       /* of all that is committed */
  size_t granule;     /* of what is committed at once */
  MemoryPages *pages; /* all addresses */
  TreeStatistics statistics;
} Tree;

/* At most `bytes`, all in all (nor more than 32 GiB); pages are not touched
   before they are needed. At most 255 roles. */
Tree *tree_new(uint32_t role_count, size_t bytes);
void tree_delete(Tree *tree);
void tree_clear(Tree *tree);

static inline Node *tree_node(const Tree *tree, NodeId id) {
  const uint32_t *offsets = (const void *)tree->parts[TREE_OFFSETS].base;
  void *block = tree->parts[TREE_BLOCKS].base + (size_t)offsets[id] * TREE_UNIT;
  Node *node = block;
  assert(id && node->id == id);
  return node;
}

/* Memory that will be needed soon comes near: in this order, with other work
   between, the place of a node's number, its beginning, its actions; its state;
   and where a key is looked for. */
static inline void tree_prefetch_offset(const Tree *tree, NodeId id) {
  const uint32_t *offsets = (const void *)tree->parts[TREE_OFFSETS].base;
  __builtin_prefetch(offsets + id);
}

static inline void tree_prefetch(const Tree *tree, NodeId id) {
  __builtin_prefetch(tree_node(tree, id));
}

void tree_prefetch_actions(const Tree *tree, NodeId id);
void tree_prefetch_key(const Tree *tree, uint64_t key);

/* The node with this key and state, 0: none. */
NodeId tree_find(const Tree *tree, uint64_t key, const uint64_t *state,
                 uint32_t words);
/* A new node; 0 if there is no room: recycle, or go on without. The caller has
   made sure that there is none with this key and state. */
NodeId tree_add(Tree *tree, const NodeSeed *seed);

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

static inline void tree_prefetch_state(const Tree *tree, NodeId id) {
  __builtin_prefetch(node_state(tree, tree_node(tree, id)));
}

/* The child of the edge with these choices in the chain from `edge`. */
NodeId tree_edge_child(const Tree *tree, Node *node, uint32_t edge,
                       const uint32_t *choices);

/* The child by each role's choice, an index into its actions; 0: none yet. */
static inline NodeId tree_child(const Tree *tree, Node *node,
                                const uint32_t *choices) {
  uint32_t count, main = node->main;
  uint32_t link = node_actions(tree, node, main, &count)[choices[main]].child;
  assert(choices[main] < count);
  return node->movers < 2 || !link ? link
                                   : tree_edge_child(tree, node, link, choices);
}

/* False if there is no room for the edge: recycle, or go on without; also if
   the node has more than 2^64 joint moves and this is one of the last. */
bool tree_link(Tree *tree, Node *node, const uint32_t *choices, NodeId child);

/* Recycle all that cannot be reached from `root`. */
void tree_keep(Tree *tree, NodeId root);
/* Recycle the nodes of least use (fewest visits, leaves first; the oldest of
   equals) until at least `share` of the memory is free. The root, nodes of
   pending actions and the children of these actions stay, if the root reaches
   them. False if that much cannot be freed; all that could be is free then. */
bool tree_prune(Tree *tree, NodeId root, double share);

size_t tree_bytes(const Tree *tree); /* in use */
uint32_t tree_count(const Tree *tree);
const TreeStatistics *tree_statistics(const Tree *tree);

/* All invariants, slowly; false, with what is wrong in `message`. */
bool tree_check(const Tree *tree, NodeId root, char *message, size_t size);

#endif
