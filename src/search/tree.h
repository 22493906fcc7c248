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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t NodeId; /* 0: none */

typedef struct Action {
  double total;      /* of returns: Q(s,a) is total / visits */
  double rave_total; /* of returns where the move came at s or later */
  uint32_t move;     /* its number in the search (moves.h) */
  uint32_t visits;   /* N(s,a) */
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
  uint32_t path;  /* the last descent that came by: cycles are seen */
  uint8_t main;   /* role with the most actions; children hang on its actions */
  uint8_t movers; /* roles with two actions or more */
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

typedef struct Tree Tree;

/* At most `bytes`, all in all; pages are not touched before they are needed. */
Tree *tree_new(uint32_t role_count, size_t bytes);
void tree_delete(Tree *tree);
void tree_clear(Tree *tree);

Node *tree_node(const Tree *tree, NodeId id);
/* The node with this key and state, 0: none. */
NodeId tree_find(const Tree *tree, uint64_t key, const uint64_t *state,
                 uint32_t words);
/* A new node; 0 if there is no room: recycle, or go on without. */
NodeId tree_add(Tree *tree, const NodeSeed *seed);

Action *node_actions(const Tree *tree, Node *node, uint32_t role,
                     uint32_t *count);
const uint64_t *node_state(const Tree *tree, const Node *node);
int8_t *node_goals(const Tree *tree, Node *node); /* by role */

/* The child by each role's choice, an index into its actions; 0: none yet. */
NodeId tree_child(const Tree *tree, Node *node, const uint32_t *choices);
/* False if there is no room for the edge. */
bool tree_link(Tree *tree, Node *node, const uint32_t *choices, NodeId child);

/* Recycle all that cannot be reached from `root`. */
void tree_keep(Tree *tree, NodeId root);
/* Recycle the nodes of least use (fewest visits, leaves first) until at least
   `share` of the memory is free; the root and nodes of pending actions stay.
   False if that much cannot be freed. */
bool tree_prune(Tree *tree, NodeId root, double share);

size_t tree_bytes(const Tree *tree); /* in use */
uint32_t tree_count(const Tree *tree);
const TreeStatistics *tree_statistics(const Tree *tree);

/* All invariants, slowly; false, with what is wrong in `message`. */
bool tree_check(const Tree *tree, NodeId root, char *message, size_t size);

#endif
