/* The states that a search of a puzzle has come to, with the way to them: what
   the best-first methods share. A node is a packed state with its parent and
   depth; a state is kept once, with the least depth that it was reached at.

   At first states are taken for the same at all depths, as long as the phase of
   clocks that moves depend on is the same: clocks that only end the game favour
   the shorter way. If that leads nowhere, the depth becomes part of the state
   (`clocked`).

   One step of a search: nodes_expand makes the children of some nodes; the
   search drops those that it has no use for, gives the others to nodes_enter or
   nodes_add, and nodes_rate says how good they are. */
#ifndef TAFL_SOLVE_NODES_H
#define TAFL_SOLVE_NODES_H

#include "solve/distance.h"
#include "solve/fan.h"
#include "solve/method.h"
#include "solve/store.h"

static const uint32_t NODES_NONE = UINT32_MAX;

typedef struct Nodes {
  Method *method;
  Packing packing;
  Fan *fan;
  Distance *distance;
  uint32_t words; /* of a key: those of the packing, one more for the phase if
                     the last has no room for it */
  bool clocked;
  Store *store;
  uint32_t most;     /* no node has this number */
  uint32_t *parents; /* by node */
  uint16_t *depths;
  /* Children of the last nodes_expand, key after key. */
  uint32_t child_count;
  VECTOR(uint64_t) keys;
  NumberVector from;    /* the node */
  NumberVector numbers; /* set by nodes_enter: the child's own */
  VECTOR(uint16_t) child_depths;
  VECTOR(Rating) ratings;    /* set by nodes_rate */
  VECTOR(uint16_t) mobility; /* set by nodes_count: moves */
  struct NodesInside *inside;
} Nodes;

/* Returns false if the puzzle has no net, or one that is too large to be
   searched so, or there is no memory; then there is nothing to free. `extra`:
   bytes that the caller is going to have of each node, within `memory`. */
bool nodes_init(Nodes *nodes, Method *method, size_t memory, size_t extra);
void nodes_free(Nodes *nodes);
/* Forgets all nodes but the puzzle's state, which is node 0 then. Returns false
   if there is no room for it. */
bool nodes_clear(Nodes *nodes);

static inline const uint64_t *nodes_key(const Nodes *nodes, uint32_t node) {
  return store_key(nodes->store, node);
}
static inline const uint64_t *nodes_child(const Nodes *nodes, uint32_t child) {
  return nodes->keys.data + (size_t)child * nodes->words;
}

/* Nodes that are expanded at once, at most: fewer where they have many
   children. */
uint32_t nodes_batch(const Nodes *nodes);
/* Sets the children. Terminal nodes have none. */
void nodes_expand(Nodes *nodes, const uint32_t *list, uint32_t count);
void nodes_rate(Nodes *nodes);
void nodes_count(Nodes *nodes); /* takes as long as expanding takes */
/* Makes nodes of the children; a node that exists gets the shorter way. Drops
   children that existed, unless `known` ones are wanted or the shorter way to
   them may matter. Returns false if there is no room for all of them; the
   others are dropped. */
bool nodes_enter(Nodes *nodes, bool known);
/* Makes a node of one child. Returns false if there is no room, or the state
   has a node. */
bool nodes_add(Nodes *nodes, uint32_t child, uint32_t *node);

/* Offers the way to a terminal child, which need not be a node. */
void nodes_offer(Nodes *nodes, uint32_t child);
/* The same for every terminal child that is better than the best plan; drops
   terminal children. */
void nodes_harvest(Nodes *nodes);

/* A slice is over when the puzzle is solved, too, and earlier where nodes have
   many children. */
void nodes_start_slice(Nodes *nodes);
bool nodes_slice_over(const Nodes *nodes, const Slice *slice);

/* To be called when every node has been expanded. Returns true if that is all
   there is, which proves that the best plan is the best; else the search begins
   anew, with clocks. */
bool nodes_finish(Nodes *nodes);

#endif
