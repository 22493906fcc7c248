/* Who computes which gate, and when: the programs of a net dealt out among the
   warps of a block, which play some words of games together.

   A slot has one word of 32 lanes for each of the block's `words` sets of
   games. The place of a slot is its address in words, with the slot's words
   permuted: word g is at place ^ g. The permutation keeps apart the banks of
   memory where a warp reads one word of 32 neighbouring slots, as far as the
   words that a thread loads at once allow.

   A stream is a warp's list of entries. An entry is a kind, and operands for
   `gates` gates of that kind: the places of three inputs and of the result, 16
   bits each. All gates between two barriers are independent of each other.
   Entries that would not be full repeat a gate. */
#ifndef TAFL_GPU_ROSTER_H
#define TAFL_GPU_ROSTER_H

#include "wide/cones.h"

typedef struct RosterShape {
  uint32_t words;   /* of a slot: 1, 2 … 32 */
  uint32_t warps;   /* of a block: a multiple of `words` */
  uint32_t bunch;   /* words that a thread computes at once: 1, 2 or 4 */
  uint32_t entries; /* of a warp between barriers, at most, on average */
} RosterShape;

/* Kinds; those from ROSTER_GATES on are functions of three inputs that the game
   has, of all that differ by the order of their inputs alone one. */
enum {
  ROSTER_END,
  ROSTER_BARRIER,
  ROSTER_LOOP,   /* what follows is repeated */
  ROSTER_AGAIN,  /* up to here, while an update changes something */
  ROSTER_UPDATE, /* of a loop's value: the first input is its new one */
  ROSTER_GATES
};

typedef enum {
  ROSTER_LOOK,
  ROSTER_NEXT,
  ROSTER_GOALS,
  ROSTER_PROGRAMS
} RosterProgram;

/* A fluent's place, and that of its next value. */
typedef struct RosterCopy {
  uint16_t to, from;
} RosterCopy;

typedef struct Roster {
  RosterShape shape;
  const Cones *cones; /* borrowed */
  uint32_t slots;
  uint32_t gates;   /* of an entry */
  uint32_t moves;   /* slots of moves: each role's begin at a multiple of 32 */
  uint32_t *number; /* by move of the net: its number among those */
  uint32_t *blocks; /* by role, and at the end: 32 slots of moves each */
  uint32_t first_move; /* slot */
  uint32_t terminal;   /* place */
  uint32_t *goals;     /* places */
  VECTOR(RosterCopy) copies;
  uint32_t *streams;         /* by program and warp: the first entry */
  VECTOR(uint8_t) tables;    /* of the kinds from ROSTER_GATES on */
  VECTOR(uint8_t) kinds;     /* by entry */
  VECTOR(uint16_t) operands; /* four for each gate of an entry */
} Roster;

/* Returns false if it needs more than `limit` slots, or places of more than 16
   bits. */
bool roster_init(Roster *roster, const Cones *cones, const RosterShape *shape,
                 uint32_t limit);
void roster_free(Roster *roster);

/* Returns the place of a slot. */
static inline uint32_t roster_place(const RosterShape *shape, uint32_t slot) {
  uint32_t at = slot * shape->words;
  return at + ((at >> 5) & (shape->words / shape->bunch - 1)) * shape->bunch;
}

/* Returns how many kinds there are. */
static inline uint32_t roster_kinds(const Roster *roster) {
  return ROSTER_GATES + roster->tables.count;
}

#endif
