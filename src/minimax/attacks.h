/* Which moves attack, as the card is told (gpu/hatchery.h). */
#ifndef TAFL_MINIMAX_ATTACKS_H
#define TAFL_MINIMAX_ATTACKS_H

#include "game/features.h"
#include "gpu/hatchery.h"

/* Returns, for each move, the pieces of others at the place that it goes to:
   HATCH_TARGETS fluents, HATCH_NOTHING where there are fewer. Returns NULL if
   there are more. */
uint16_t *attacks_new(const Features *features);

#endif
