/* What is made once of a game's rules and shared by all who play it: the net
   (unless it was too large), Zobrist keys, what the analysis found, and the
   wide engine's programs. Each player makes engines of its own from it. */
#ifndef TAFL_SEARCH_RULEBOOK_H
#define TAFL_SEARCH_RULEBOOK_H

#include "engine/load.h"
#include "search/features.h"
#include "wide/cones.h"

typedef struct Rulebook {
  Description *description; /* borrowed */
  LoadLimits limits;
  bool has_net;
  Net net;
  Text why;           /* there is no net */
  uint64_t *zobrist;  /* by fluent */
  uint32_t words;     /* of a state */
  Analysis *analysis; /* NULL: not asked for yet */
  Features *features; /* NULL: not asked for yet */
  Cones *cones;       /* NULL: not asked for yet */
  Net preferring;     /* if its cones were made: captures come first */
  Cones *capturing;   /* NULL: not asked for yet, or there are no captures */
  int *best_goal;     /* by role: the highest that the rules know; 100 without a
                         net */
} Rulebook;

void rulebook_init(Rulebook *book, Description *description,
                   const LoadLimits *limits, bool ground);
void rulebook_free(Rulebook *book);

/* A new engine: scalar on the net, else rules. */
Game *rulebook_game(Rulebook *book);
/* NULL without a net; not to be called from two threads at once. */
const Analysis *rulebook_analysis(Rulebook *book);
const Features *rulebook_features(Rulebook *book);
/* The wide programs, for so many words of lanes (0: 8) in the best mode of this
   machine; made once, so later calls get the first one's. NULL without a net.
 */
const Cones *rulebook_cones(Rulebook *book, uint32_t words);

/* The same on a net that prefers captures; the plain ones where there are none.
 */
const Cones *rulebook_capturing(Rulebook *book, uint32_t words);

#endif
