/* The scalar engine plays on a net, one state at a time, driven by events. */
#ifndef TAFL_SCALAR_SCALAR_H
#define TAFL_SCALAR_SCALAR_H

#include "engine/game.h"
#include "net/net.h"

/* The net is borrowed. A move is its index in Net.moves; legal moves are
   returned in that order. In the words of a state, bit i is fluent i of the
   net; bits beyond are zero. */
Game *scalar_engine_new(Description *description, const Net *net);

#endif
