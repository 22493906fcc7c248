/* The scalar engine plays on a net, one state at a time, driven by events. */
#ifndef TAFL_SCALAR_SCALAR_H
#define TAFL_SCALAR_SCALAR_H

#include "engine/game.h"
#include "net/net.h"

/* The net is borrowed. A move is its index in Net.moves; legal moves are
   returned in that order. */
Game *scalar_engine_new(Description *description, const Net *net);

/* A state is an array of words, bit i is fluent i of the net; bits beyond are
   zero. */

/* For games of this engine only: returns the legal moves as bits, in the order
   of the role's moves. */
const uint64_t *scalar_legal_bits(Game *game, uint32_t role, uint32_t *words);

#endif
