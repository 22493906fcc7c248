/* A circuit of two-input ANDs over negatable signals, in which each gate has
   its cuts: sets of at most three earlier gates (the leaves) that determine it,
   with the truth table. Gate 0 is the constant false, gates 1 … input_count are
   the inputs.

   Invariants: inputs of an AND precede it; leaves are sorted and padded with 0;
   a table depends on all of its cut's leaves and on nothing else; no two gates
   have a cut with the same leaves and function (up to negation), so gates that
   are equal within three leaves are one. */
#ifndef TAFL_PROGRAM_PAIRS_H
#define TAFL_PROGRAM_PAIRS_H

#include "base/map.h"
#include "net/net.h"

typedef struct PairsCut {
  Gate leaves[3];
  Gate gate; /* whose cut it is */
  uint8_t table;
} PairsCut;

typedef struct PairsGate {
  Signal inputs[2];
  uint32_t first, count; /* its cuts; the last is the gate itself */
} PairsGate;

typedef struct Pairs {
  uint32_t input_count;
  VECTOR(PairsGate) gates;
  VECTOR(PairsCut) cuts;
  Map known;              /* cuts by leaves and function: index + 1 */
  uint8_t spread[8][256]; /* tables moved: [places of the variables][table] */
} Pairs;

void pairs_init(Pairs *pairs, uint32_t input_count);
void pairs_free(Pairs *pairs);
Signal pairs_and(Pairs *pairs, Signal a, Signal b);

#endif
