/* What a few random games show to be wrong with rules. */
#ifndef TAFL_ABOUT_INSPECT_H
#define TAFL_ABOUT_INSPECT_H

#include "engine/game.h"

typedef struct InspectOptions {
  int64_t games;
  double seconds; /* for all of them */
  uint32_t steps; /* of one */
  uint64_t seed;
  bool names; /* messages name the options of the command line */
} InspectOptions;

typedef struct Inspection {
  int64_t wanted, finished; /* games */
} Inspection;

/* Plays games, and adds what they show to the report of the game's
   description. */
Inspection inspect_play(Game *game, const InspectOptions *options);

#endif
