/* Conjunctions as lists of signals; pairs that occur in several lists become
   gates. */
#ifndef TAFL_PROGRAM_SHARE_H
#define TAFL_PROGRAM_SHARE_H

#include "net/net.h"

typedef struct ShareList {
  Gate gate; /* the conjunction */
  uint32_t first, count;
} ShareList;

typedef struct SharePair {
  Signal a, b;
} SharePair;

typedef struct Share {
  VECTOR(Signal) elements;
  VECTOR(ShareList) lists; /* of elements, each signal at most once */
  uint32_t gate_count;     /* shared pair i is gate gate_count + i */
  VECTOR(SharePair) pairs; /* of signals of earlier gates */
} Share;

void share_pairs(Share *share);
void share_free(Share *share);

#endif
