/* Features that are sums over fluents, so that they cost nothing when states
   are evaluated: their weights become part of those of the fluents. */
#ifndef TAFL_VALUE_TIES_H
#define TAFL_VALUE_TIES_H

#include "value/feature.h"
#include "value/kinds.h"

enum { TIES_NUMBERS = 256 }; /* at most, and values of each */

typedef struct Tie {
  uint32_t feature;
  float value;
} Tie;

typedef struct Ties {
  VECTOR(LinearFeature) features;
  uint32_t *first; /* by fluent and one more: where its ties begin */
  VECTOR(Tie) list;
} Ties;

/* `counts` says which fluents advance whatever is played: they say nothing. */
void ties_init(Ties *ties, const Kinds *kinds, const bool *counts);
void ties_free(Ties *ties);

#endif
