/* Broods that the card has made ahead of the search (gpu/hatchery.h), by the
   key of their node. They are facts of the game, so that a search finds the
   same with them as without, only sooner.

   One thread adds while others look. The nest has two halves, each with room of
   its own: when the newer one is full, the older one is emptied and becomes the
   newer. Whoever looks says so, and copies what is needed. */
#ifndef TAFL_MINIMAX_NEST_H
#define TAFL_MINIMAX_NEST_H

#include <stdatomic.h>

#include "gpu/hatchery.h"

enum { NEST_READERS = 256 }; /* as many as a search has threads, at most */

typedef struct NestBrood {
  const HatchChild *children;
  uint32_t count;
  uint32_t mover;
  bool forced; /* no role has a choice */
} NestBrood;

typedef struct Nest Nest;

/* Each half has room for so many nodes, at most; for few in the beginning.
   Returns NULL if the system has no such range of addresses. */
Nest *nest_new(uint32_t nodes);
void nest_delete(Nest *nest);

/* A reader, of a number below NEST_READERS that nobody else uses, looks from
   enter to leave: what it finds stays where it is. nest_turn waits for it. */
void nest_enter(const Nest *nest, uint32_t reader);
void nest_leave(const Nest *nest, uint32_t reader);
/* Returns false if the node is not there. */
bool nest_find(const Nest *nest, uint64_t key, NestBrood *brood);
/* The same for attacks: there may be no others, or no children at all. */
bool nest_find_attacks(const Nest *nest, uint64_t key, NestBrood *brood);

/* Adds the nodes to the newer half; `children` is where their first ones are,
   and must stay there as long as the half. Nodes that are in that half already,
   or could not be made, are left out, and so are those for which there is no
   room. */
void nest_add(Nest *nest, const HatchNode *nodes, uint32_t count,
              const HatchChild *children);
/* Returns true if the newer half has room for so many more. */
bool nest_fits(const Nest *nest, uint32_t nodes);
/* Forgets the older half, which becomes the newer and has room for so many
   nodes, as far as possible. */
void nest_turn(Nest *nest, uint32_t nodes);
/* Returns how many nodes there are in the newer half, */
uint32_t nest_recent(const Nest *nest);
/* and in both. */
uint32_t nest_count(const Nest *nest);

#endif
