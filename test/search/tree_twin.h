/* A twin of the game tree, slow and obvious: lists of everything, searched from
   end to end. A walk makes the same changes in both and compares them. */
#ifndef TAFL_TEST_SEARCH_TREE_TWIN_H
#define TAFL_TEST_SEARCH_TREE_TWIN_H

#include "base/random.h"
#include "base/vector.h"
#include "search/tree.h"
#include "support/unit.h"

enum { TWIN_ROLES = 4, TWIN_WORDS = 3, TWIN_ACTIONS = 16, TWIN_JOINTS = 81 };

typedef struct TwinNode {
  NodeId id; /* 0: recycled */
  uint64_t key, state[TWIN_WORDS];
  uint32_t words, visits;
  bool terminal, closed;
  uint32_t counts[TWIN_ROLES], moves[TWIN_ACTIONS];
  int goals[TWIN_ROLES];
  uint32_t action_visits[TWIN_ACTIONS], pending[TWIN_ACTIONS];
  double totals[TWIN_ACTIONS];
  uint32_t children[TWIN_JOINTS]; /* twin + 1 by joint move, or 0 */
} TwinNode;

typedef struct Twin {
  Tree *tree;
  size_t bytes;
  uint32_t roles;
  Random random;
  VECTOR(TwinNode) nodes;
  uint32_t root; /* a twin */
  uint32_t alive, lost_links;
} Twin;

uint32_t twin_below(Twin *twin, uint32_t limit);
uint32_t twin_joints(const Twin *twin, const TwinNode *node);

/* Returns the action of the main role in a joint move, as an index into all
   actions of the node. */
uint32_t twin_main_action(const Twin *twin, const TwinNode *node,
                          uint32_t joint);

/* Adds a random state if it is new; returns false if there was no room. */
bool twin_add(Twin *twin);

/* Opens a closed node if there is room. */
void twin_open(Twin *twin);
void twin_link(Twin *twin);

/* Adds some visits and, now and then, a pending descent. */
void twin_visit(Twin *twin);

void twin_end_pending(Twin *twin);
void twin_compare(Twin *twin);

/* Marks what the root reaches through nodes that were not recycled. */
void twin_reach(const Twin *twin, bool *reached);

/* Forgets all nodes but those that stay, and links to the others. */
void twin_forget(Twin *twin, const bool *stay);

void twin_keep(Twin *twin);

/* Marks the nodes that the tree still has. */
void twin_survey(const Twin *twin, bool *stay);

void twin_free(Twin *twin);
void twin_init(Twin *twin, uint32_t roles, size_t bytes, uint64_t seed);

#endif
