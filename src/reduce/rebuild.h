/* Making a net from a net: what all reductions share. Inputs and outputs stay
   in order; the new net has its fluents, moves and live loops in front. */
#ifndef TAFL_REDUCE_REBUILD_H
#define TAFL_REDUCE_REBUILD_H

#include "net/net.h"

typedef struct Rebuild {
  const Net *from;
  Net *to;
  bool *live;        /* gates of `from` that an output depends on */
  Signal *map;       /* by gate of `from`: its signal in `to` */
  NumberVector list; /* for the making of one gate */
} Rebuild;

/* `to` is initialised here. */
void rebuild_begin(Rebuild *rebuild, const Net *from, Net *to);
/* Connect loops and outputs, and forget the map. */
void rebuild_end(Rebuild *rebuild);
/* The AND of the mapped inputs of `gate`, into the map. */
void rebuild_copy(Rebuild *rebuild, Gate gate);

static inline Signal rebuild_signal(const Rebuild *rebuild, Signal signal) {
  return rebuild->map[signal_gate(signal)] ^ (signal & 1);
}
static inline bool rebuild_is_and(const Rebuild *rebuild, Gate gate) {
  return rebuild->live[gate] &&
         rebuild->from->gates.data[gate].kind == GATE_AND;
}

#endif
