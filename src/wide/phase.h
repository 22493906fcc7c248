/* Whose turn it is, where roles take turns: playouts that begin in phase have
   the same role's moves legal in all lanes. */
#ifndef TAFL_WIDE_PHASE_H
#define TAFL_WIDE_PHASE_H

#include "wide/cones.h"

enum { PHASE_LIMIT = 8 };

typedef struct Phase {
  uint32_t period;             /* steps of a round; 1: no turns */
  NumberVector marks;          /* fluents that tell phases apart */
  uint32_t codes[PHASE_LIMIT]; /* of each phase: its marks as bits */
} Phase;

/* The initial state is phase 0. `memory` is overwritten. */
void phase_init(Phase *phase, const Cones *cones, uint64_t *memory);
void phase_free(Phase *phase);

/* Of a state, as a row of bits. A guess: nothing but speed depends on it. */
uint32_t phase_of(const Phase *phase, const uint64_t *row);

#endif
