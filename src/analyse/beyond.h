/* Whether a narrowed net, which has only the facts of `base` and the moves of
   `input`, is the whole game. */
#ifndef TAFL_ANALYSE_BEYOND_H
#define TAFL_ANALYSE_BEYOND_H

#include "gdl/term.h"
#include "net/net.h"

/* Returns true if it is proved that no fact outside `base` ever becomes true
   and no move outside `input` is ever legal. */
bool beyond_never(const Net *net, const Terms *terms);
/* Returns true if random games come to such a fact or move. */
bool beyond_happens(const Net *net);

#endif
