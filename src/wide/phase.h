/* Phases of games in which roles take turns: if playouts begin in phase, the
   same role has a choice in all lanes. */
#ifndef TAFL_WIDE_PHASE_H
#define TAFL_WIDE_PHASE_H

#include "wide/cones.h"

enum { PHASE_LIMIT = 8 };

typedef struct Phase {
  uint32_t period;             /* steps of a round; 1: no turns */
  NumberVector marks;          /* fluents that distinguish phases */
  uint32_t codes[PHASE_LIMIT]; /* of each phase: its marks as bits */
} Phase;

/* The initial state has phase 0. Overwrites `memory`. */
void phase_init(Phase *phase, const Cones *cones, uint64_t *memory);
void phase_free(Phase *phase);

/* Returns the phase of a state, given as a row of bits. It is a guess: only
   speed depends on it. */
uint32_t phase_of(const Phase *phase, const uint64_t *row);

#endif
