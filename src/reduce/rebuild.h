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

/* Write into flags[gate] whether an output depends on it. */
void net_mark_live(const Net *net, bool *live);
/* Whether it depends on a move. */
void net_mark_late(const Net *net, bool *late);
/* Does a value of the state alone (legal, terminal, goal) depend on a move? It
   never does in a valid game. */
bool net_moves_leak(const Net *net, const bool *late);
bool net_has_late_loops(const Net *net, const bool *late);
/* How often live ANDs, loops and outputs read each gate. */
void net_count_uses(const Net *net, const bool *live, uint32_t *uses);
/* The live ANDs that read each signal: list[first[s] … first[s + 1]). */
void net_list_users(const Net *net, const bool *live, uint32_t **first,
                    Gate **list);

static inline bool signal_is_and(const Net *net, Signal signal) {
  return net->gates.data[signal_gate(signal)].kind == GATE_AND;
}

/* A set of signals (of any numbers) that is emptied by counting. */
typedef struct Marks {
  NumberVector eras; /* of each number */
  uint32_t era;
} Marks;

void marks_clear(Marks *marks);
void marks_add(Marks *marks, uint32_t number);
void marks_remove(Marks *marks, uint32_t number);
void marks_free(Marks *marks);
static inline bool marks_has(const Marks *marks, uint32_t number) {
  return number < marks->eras.count && marks->eras.data[number] == marks->era;
}

#endif
