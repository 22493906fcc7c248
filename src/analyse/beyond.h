/* Do the rules of a narrowed net stay within `base` and `input`? */
#ifndef TAFL_ANALYSE_BEYOND_H
#define TAFL_ANALYSE_BEYOND_H

#include "gdl/term.h"
#include "net/net.h"

/* Is it proved that no fact outside `base` ever comes to be and no move outside
   `input` is ever legal? */
bool beyond_never(const Net *net, const Terms *terms);

#endif
