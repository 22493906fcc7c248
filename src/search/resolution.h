/* The multi-resolution table of states (Świechowski, Mańdziuk and Ong 2016,
   section VI-C), as a key: states with the same key are taken for the same. */
#ifndef TAFL_SEARCH_RESOLUTION_H
#define TAFL_SEARCH_RESOLUTION_H

#include "engine/game.h"
#include "search/facts.h"

typedef struct ResolutionRelation {
  uint64_t count, hash;
} ResolutionRelation;

typedef struct Resolution {
  Facts facts;
  VECTOR(ResolutionRelation) relations; /* of the last state */
  NumberVector numbers;                 /* scratch */
} Resolution;

/* `net` may be NULL. */
void resolution_init(Resolution *resolution, const Terms *terms,
                     const Net *net);
void resolution_free(Resolution *resolution);
/* The key of the game's state. */
uint64_t resolution_key(Resolution *resolution, Game *game);

#endif
