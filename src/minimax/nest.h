/* Broods that the card has made ahead of the search (gpu/hatchery.h). Whole
   ones are found by the key of their node, and all by the child that leads to
   it in another brood. They are facts of the game, so that a search finds the
   same with them as without, only sooner.

   Some add while others look. The nest has two halves, each with room of
   its own: when the newer one is full, the older one is emptied and becomes the
   newer. Whoever looks says so, and copies what is needed. */
#ifndef TAFL_MINIMAX_NEST_H
#define TAFL_MINIMAX_NEST_H

#include <stdatomic.h>

#include "gpu/hatchery.h"

enum { NEST_READERS = 256 }; /* as many as a search has threads, at most */

/* A child in the nest. */
typedef struct NestPlace {
  uint32_t child;
  uint32_t until; /* it is there up to this turn; 0: it is nowhere */
} NestPlace;

typedef struct NestBrood {
  const HatchChild *children;
  NestPlace place; /* of the first */
  uint32_t count;
  uint32_t mover;
  bool forced;  /* no role has a choice */
  bool attacks; /* there may be no others, or no children at all */
} NestBrood;

static inline NestPlace nest_place(const NestBrood *brood, uint32_t i) {
  return (NestPlace){brood->place.child + i, brood->place.until};
}

typedef struct Nest Nest;

/* Each half has room for so many nodes that are found by their keys, at most,
   for few of them in the beginning; and for so many children. Returns NULL if
   the system has no such range of addresses. */
Nest *nest_new(uint32_t nodes, uint32_t children);
void nest_delete(Nest *nest);

/* A reader, of a number below NEST_READERS that nobody else uses, looks from
   enter to leave: what it finds stays where it is. nest_turn waits for it. */
void nest_enter(const Nest *nest, uint32_t reader);
void nest_leave(const Nest *nest, uint32_t reader);
/* Finds a whole brood. Returns false if it is not there. */
bool nest_find(const Nest *nest, uint64_t key, NestBrood *brood);
/* Finds what the child leads to. Returns false if there is nothing. */
bool nest_follow(const Nest *nest, NestPlace child, NestBrood *brood);

/* One thread at a time reserves, adds and turns, and nobody turns between the
   reserving and the adding of a part, or between two parts of a batch. */

/* Returns where so many more children of the newer half go, or NULL if there is
   no room. */
HatchChild *nest_reserve(Nest *nest, uint32_t children);
/* Adds a part of a batch, after its children were put where they go. `end` is
   the end of the children of the part before, that of the batch's first one the
   beginning of its own. Nodes that could not be made are left out; so are,
   among those that are found by their keys, those that are in that half
   already, or for which there is no room. */
void nest_add(Nest *nest, const Hatched *part, const HatchChild *children,
              const HatchChild *end);
/* Forgets the older half, which becomes the newer and has room for so many
   nodes, as far as possible. */
void nest_turn(Nest *nest, uint32_t nodes);
/* Returns how many nodes there are that are found by their keys in the newer
   half, */
uint32_t nest_recent(const Nest *nest);
/* and in both. */
uint32_t nest_count(const Nest *nest);
/* Returns how many nodes the newer half has room for, */
uint32_t nest_nodes(const Nest *nest);
/* and for how many more children there is room. */
uint32_t nest_room(const Nest *nest);

#endif
