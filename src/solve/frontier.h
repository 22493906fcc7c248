/* A best-first search for an end with at least a given goal, by the relaxed
   planning graph: a closed list of packed states, and an open list in buckets
   by f = a g + b h, where g is the depth and h the length of a relaxed plan. */
#ifndef TAFL_SOLVE_FRONTIER_H
#define TAFL_SOLVE_FRONTIER_H

#include "base/random.h"
#include "solve/method.h"
#include "solve/packing.h"
#include "solve/relax.h"
#include "solve/store.h"

typedef struct FrontierNode {
  uint32_t parent; /* itself at the start */
  Move move;       /* that leads here from there */
  uint32_t depth;
  uint16_t h;
  bool closed;
} FrontierNode;

typedef VECTOR(uint32_t) FrontierBucket;

typedef struct Frontier {
  Method *method; /* borrowed, like the engine and the packing */
  Game *game;
  Packing *packing;
  Relax *relax;
  int target;
  uint32_t weight_depth, weight_plan; /* a and b */
  uint32_t noise;                     /* h is raised by a random number below */
  Random random;
  /* States that differ in autonomous fluents only are one, which is that of the
     least depth. */
  bool timeless;
  uint32_t words; /* of a key in the store */
  uint32_t most;  /* nodes */
  Store *store;
  ScopePages *pages; /* of the nodes */
  FrontierNode *nodes;
  VECTOR(FrontierBucket) buckets;
  uint32_t lowest;  /* bucket that may have nodes */
  uint32_t nearest; /* node with the lowest h, the first of them */
  bool full;
  uint64_t work; /* states that were expanded or estimated, in all searches */
  uint64_t *state, *key; /* scratch */
  MoveVector moves, path;
} Frontier;

typedef enum {
  FRONTIER_WORKING,
  FRONTIER_FOUND, /* the plan was offered */
  FRONTIER_FULL,  /* there is no room for more states */
  FRONTIER_EMPTY  /* all states were expanded */
} FrontierStatus;

/* `memory`: bytes that it may use. */
void frontier_init(Frontier *frontier, Method *method, Game *game,
                   Packing *packing, size_t memory, uint64_t seed);
void frontier_free(Frontier *frontier);

/* Begins a search at the puzzle's state with the weights and settings as they
   are; forgets what was before. */
void frontier_begin(Frontier *frontier, int target);
/* Expands one state. */
FrontierStatus frontier_step(Frontier *frontier);

/* The first move of the way to the state with the shortest relaxed plan;
   returns false if that is the start. */
bool frontier_move(const Frontier *frontier, Move *move);

#endif
