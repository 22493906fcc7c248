/* Moving rows of bits (base/bits.h: a state, a set of moves) into lanes and
   back. */
#ifndef TAFL_WIDE_LANES_H
#define TAFL_WIDE_LANES_H

#include "base/bits.h"
#include "wide/cones.h"

/* Returns a lane's number from planes. */
static inline uint32_t lanes_number(const uint64_t *numbers, uint32_t words,
                                    uint32_t planes, uint32_t lane) {
  uint32_t number = 0;
  for (uint32_t j = 0; j < planes; j++, numbers += words)
    number |= (uint32_t)bits_has(numbers, lane) << j;
  return number;
}

/* Loads rows[lane] into each lane of the set `which`: bit b of the row into
   vector b of `memory`, and of `copy` if that is not NULL. */
void lanes_load(const Cones *cones, const uint64_t *const *rows, uint32_t bits,
                const uint64_t *which, uint64_t *memory, uint64_t *copy);

/* Stores each lane of `which` into rows[lane]: bit b from vector numbers[b], or
   from vector b if `numbers` is NULL. */
void lanes_store(const Cones *cones, const uint64_t *memory,
                 const uint32_t *numbers, uint32_t bits, const uint64_t *which,
                 uint64_t *const *rows);

#endif
