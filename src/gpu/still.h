/* Which fluents keep their value where no move is chosen. Lanes that do not
   play choose none: such fluents need not be kept from changing there. */
#ifndef TAFL_GPU_STILL_H
#define TAFL_GPU_STILL_H

#include "net/net.h"
#include "program/program_order.h"

/* `next` computes the next values of the fluents of a list; none[move]: the
   move is not chosen. Returns by fluent whether `next` then leaves it as it is,
   in all states; the caller frees that. */
bool *still_find(const Program *next, const Net *net, const uint32_t *changed,
                 uint32_t count, const bool *none);

#endif
