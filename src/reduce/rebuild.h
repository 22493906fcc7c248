/* Making a net from a net. Inputs and outputs keep their order; the new net has
   its fluents, moves and live loops in front. */
#ifndef TAFL_REDUCE_REBUILD_H
#define TAFL_REDUCE_REBUILD_H

#include "net/net.h"

typedef struct Rebuild {
  const Net *from;
  Net *to;
  bool follows;      /* what `to` is as yet, `from` begins with */
  bool *live;        /* gates of `from` that an output depends on */
  Signal *map;       /* by gate of `from`: its signal in `to` */
  NumberVector list; /* inputs of the gate being made */
} Rebuild;

/* Initialises `to`. */
void rebuild_begin(Rebuild *rebuild, const Net *from, Net *to);
/* Connects loops and outputs, and frees the map. */
void rebuild_end(Rebuild *rebuild);
/* Maps `gate` to the AND of `list`. */
void rebuild_make(Rebuild *rebuild, Gate gate);
/* The same with its mapped inputs. */
void rebuild_copy(Rebuild *rebuild, Gate gate);
/* The same for all live ANDs in order, where nothing else is mapped yet but
   inputs. */
void rebuild_copy_all(Rebuild *rebuild);
/* Writes its mapped inputs to `list`. */
void rebuild_inputs(Rebuild *rebuild, Gate gate);

static inline Signal rebuild_signal(const Rebuild *rebuild, Signal signal) {
  return rebuild->map[signal_gate(signal)] ^ (signal & 1);
}
static inline bool rebuild_is_and(const Rebuild *rebuild, Gate gate) {
  return rebuild->live[gate] &&
         rebuild->from->gates.data[gate].kind == GATE_AND;
}

#endif
