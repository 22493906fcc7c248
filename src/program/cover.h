/* A circuit of two-input gates covered by three-input lookup gates: any
   function of three values is one gate, so negations cost nothing.

   Values are numbers: the inputs of the pairs in order, then the lookup gates.
   Invariants: inputs of a gate precede it; its table depends on its first
   inputs and not on the rest, which repeat the last of those (0 without any);
   of all orders of its inputs it has the one with the smallest table, so that
   few different tables occur. */
#ifndef TAFL_PROGRAM_COVER_H
#define TAFL_PROGRAM_COVER_H

#include "program/pairs.h"

typedef uint32_t Value;

typedef struct Lookup {
  Value inputs[3];
  uint8_t table;
} Lookup;

typedef struct Cover {
  uint32_t input_count;
  VECTOR(Lookup) gates; /* gate i is value input_count + i */
  VECTOR(Value) wanted; /* of each wanted signal, negation included */
} Cover;

void cover_pairs(const Pairs *pairs, const Signal *wanted, uint32_t count,
                 Cover *cover);
void cover_free(Cover *cover);

#endif
