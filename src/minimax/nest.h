/* Broods that the card has made ahead of the search (gpu/hatchery.h), by the
   key of their node. They are facts of the game, so that a search finds the
   same with them as without, only sooner.

   One thread adds while others look. Nothing is removed while somebody looks:
   when there is no more room, nothing is added. */
#ifndef TAFL_MINIMAX_NEST_H
#define TAFL_MINIMAX_NEST_H

#include <stdatomic.h>

#include "gpu/hatchery.h"

typedef struct NestBrood {
  const HatchChild *children;
  uint32_t count;
  uint32_t mover;
  bool forced; /* no role has a choice */
} NestBrood;

typedef struct Nest Nest;

/* Has room for so many nodes. */
Nest *nest_new(uint32_t nodes);
void nest_delete(Nest *nest);

/* Returns false if the node is not there. What is found stays where it is until
   nest_clear. */
bool nest_find(const Nest *nest, uint64_t key, NestBrood *brood);
/* The same for attacks: there may be no others, or no children at all. */
bool nest_find_attacks(const Nest *nest, uint64_t key, NestBrood *brood);

/* Adds the nodes; `children` is where their first ones are, and must stay there
   until nest_clear. Nodes that are there already, or could not be made, are
   left out, and so are those for which there is no room. */
void nest_add(Nest *nest, const HatchNode *nodes, uint32_t count,
              const HatchChild *children);
/* Returns how many nodes there are. */
uint32_t nest_count(const Nest *nest);
/* Forgets everything. Nobody may look meanwhile. */
void nest_clear(Nest *nest);

#endif
