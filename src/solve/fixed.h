/* What never changes from a state on, and what changes by itself. Both are
   proved from the net by induction over the steps. */
#ifndef TAFL_SOLVE_FIXED_H
#define TAFL_SOLVE_FIXED_H

#include "net/net.h"

/* The values of all signals that are the same in every state that can be
   reached from `state` by legal moves, and of fluents that are. */
typedef struct Fixed {
  int8_t *gates;     /* by gate: 0, 1, or -1: it may change, or is unknown */
  uint64_t *fluents; /* set of the fluents that keep their value */
} Fixed;

void fixed_init(Fixed *fixed, const Net *net, const uint64_t *state);
void fixed_free(Fixed *fixed);

/* Returns the value of a signal: 0, 1 or -1. */
static inline int fixed_value(const Fixed *fixed, Signal signal) {
  int value = fixed->gates[signal_gate(signal)];
  return value < 0 ? value : value ^ (int)signal_negated(signal);
}

/* Adds the autonomous fluents to the set: their next values read no move and
   only such fluents, so they depend on the number of steps alone. */
void fixed_autonomous(const Net *net, uint64_t *set);

#endif
