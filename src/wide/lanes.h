/* Rows of bits (a state, a set of moves: bit i of row[i / 64]) into lanes and
   back. */
#ifndef TAFL_WIDE_LANES_H
#define TAFL_WIDE_LANES_H

#include "base/bits.h"
#include "wide/cones.h"

/* A lane's number in planes. */
static inline uint32_t lanes_number(const uint64_t *numbers, uint32_t words,
                                    uint32_t planes, uint32_t lane) {
  uint32_t number = 0;
  for (uint32_t j = 0; j < planes; j++, numbers += words)
    number |= (uint32_t)bits_has(numbers, lane) << j;
  return number;
}

/* Each lane of the set `which` gets rows[lane]. Bit b of the rows goes into
   vector b of `memory`, and of `copy` if that is not NULL. */
void lanes_load(const Cones *cones, const uint64_t *const *rows, uint32_t bits,
                const uint64_t *which, uint64_t *memory, uint64_t *copy);

/* The other way; bit b of the rows comes from vector numbers[b], or from b
   where `numbers` is NULL. */
void lanes_store(const Cones *cones, const uint64_t *memory,
                 const uint32_t *numbers, uint32_t bits, const uint64_t *which,
                 uint64_t *const *rows);

#endif
