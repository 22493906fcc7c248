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

#include "net/net.h"

/* Bit (a << 2 | b << 1 | c) of a table is the value at a, b, c: the order of
   the AVX-512 instruction vpternlog. */
enum { TABLE_A = 0xf0, TABLE_B = 0xcc, TABLE_C = 0xaa };

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
  uint32_t *slots; /* hash of cuts: index + 1, 0 is empty */
  uint32_t slot_count, slots_used;
  uint8_t spread[8][256]; /* [places of its variables][table] */
} Pairs;

void pairs_init(Pairs *pairs, uint32_t input_count);
void pairs_free(Pairs *pairs);
Signal pairs_and(Pairs *pairs, Signal a, Signal b);

/* Does the table depend on variable 0 (a), 1 (b) or 2 (c)? */
bool table_depends(uint8_t table, uint32_t variable);
/* The table with variable i moved to place[i]; variables it does not depend on
   may share a place. */
uint8_t table_move(uint8_t table, const uint32_t place[3]);
/* The table with variable i negated. */
uint8_t table_negate(uint8_t table, uint32_t variable);

#endif
