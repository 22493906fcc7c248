/* States as short keys. A key has a number for each proved one-hot group and a
   bit for each other fluent; fluents that can no longer change are left out,
   and so are autonomous fluents (step counters): their values depend on nothing
   but the number of steps from the start, so a state is its key and its depth.

   Keys are words; most puzzles need one or two. Unused bits are zero; the bits
   in use of a word are its lowest. */
#ifndef TAFL_SOLVE_PACKING_H
#define TAFL_SOLVE_PACKING_H

#include "game/book.h"

typedef struct PackingField {
  uint32_t first, bits;    /* in the key, never across words */
  uint32_t count;          /* fluents; value v > 0 is fluents[v - 1], 0 is none,
                              unless exactly one is always true: then value v is
                              fluents[v] */
  const uint32_t *fluents; /* one for a field of one bit */
  bool exactly;            /* one is always true */
} PackingField;

typedef struct Packing {
  const Net *net; /* borrowed */
  bool regular;   /* the state has all that the analysis proved of states */
  uint32_t words; /* of a key, at least 1 */
  uint32_t bits;  /* in use */
  uint32_t *used; /* bits in use of each word */
  VECTOR(PackingField) fields;
  uint64_t *start; /* the state that depths are counted from */
  uint64_t *timed; /* set of the autonomous fluents that change */
  uint32_t timed_count;
  uint64_t *fixed;    /* set of the fluents that keep their value */
  uint64_t *constant; /* state words: those of them that are true */
  NumberVector members;
  /* Values of the autonomous fluents after each number of steps, as states of
     which all other bits are zero; grows as it is asked for. */
  VECTOR(uint64_t) times;
  uint32_t state_words;
  Game *game; /* that plays them out */
} Packing;

/* `state`: what depths are counted from. Uses the book's analysis if that has
   been made, and else only what the net shows; does not change the book. */
void packing_init(Packing *packing, const Book *book, const uint64_t *state);
void packing_free(Packing *packing);

void packing_pack(const Packing *packing, const uint64_t *state, uint64_t *key);
void packing_unpack(Packing *packing, const uint64_t *key, uint32_t depth,
                    uint64_t *state);
/* The autonomous part of the state at a depth, as a row of state words; valid
   until the next call. */
const uint64_t *packing_time(Packing *packing, uint32_t depth);

/* Makes a net of the same game on keys: its fluents are the bits in use, in
   order, and after them the autonomous fluents in ascending order; it begins in
   the state of packing_init. Moves and goals have the same numbers. */
void packing_net(const Packing *packing, Net *net);

static inline uint32_t packing_value(const PackingField *field,
                                     const uint64_t *key) {
  return (uint32_t)(key[field->first >> 6] >> (field->first & 63) &
                    (((uint64_t)1 << field->bits) - 1));
}

#endif
