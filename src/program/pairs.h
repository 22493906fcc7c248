/* A circuit of two-input ANDs over negatable signals, where each gate knows its
   cuts: sets of at most three earlier gates (the leaves) that determine it,
   with the truth table. Gate 0 is the constant false, gates 1 … input_count are
   the inputs.

   Invariants: inputs of an AND come before it; leaves are sorted, 0 fills up;
   a table depends on all of its cut's leaves and on nothing else; no two gates
   share a cut and its function (up to negation), so gates that are equal within
   three leaves are one. */
#ifndef TAFL_PROGRAM_PAIRS_H
#define TAFL_PROGRAM_PAIRS_H

#include "base/map.h"
#include "net/net.h"

typedef struct Cut {
  Gate leaves[3];
  Gate gate; /* whose cut it is */
  uint8_t table;
} Cut;

typedef struct PairGate {
  Signal inputs[2];
  uint32_t first, count; /* of its cuts; the last has the gate itself as leaf */
} PairGate;

typedef struct Pairs {
  uint32_t input_count;
  VECTOR(PairGate) gates;
  VECTOR(Cut) cuts;
  Map known;              /* cuts by leaves and function: index + 1 */
  uint8_t spread[8][256]; /* [places of its variables][table] */
} Pairs;

void pairs_init(Pairs *pairs, uint32_t input_count);
void pairs_free(Pairs *pairs);
Signal pairs_and(Pairs *pairs, Signal a, Signal b);

#endif
