/* The legs of a round (wide/legs.h) that starts belong to, without the cones.
   Kernels that play by legs begin a playout in the leg of its start. */
#ifndef TAFL_GPU_PHASES_H
#define TAFL_GPU_PHASES_H

#include "wide/cones.h"

typedef struct Phases {
  uint32_t legs, row_words;
  uint64_t *rows; /* by leg: fluents that may be true, may be false */
} Phases;

/* Cones without rounds have one leg, which admits all states. */
void phases_init(Phases *phases, const Cones *cones);
void phases_free(Phases *phases);

/* Writes the leg of each of the states, rows of bits; returns false if there is
   one that no leg admits. */
bool phases_find(const Phases *phases, const uint64_t *rows, uint32_t count,
                 uint32_t *legs);

#endif
