/* A net evaluated in three values, 64 cases at once: each gate has the lanes in
   which it may be false and those in which it may be true; in a lane that has
   both it is unknown. What is not unknown holds whatever the unknown fluents
   are. Variables of recursive definitions are always unknown. */
#ifndef TAFL_SOLVE_LOOK_H
#define TAFL_SOLVE_LOOK_H

#include "net/net.h"

typedef struct Look {
  const Net *net;     /* borrowed */
  uint64_t *maybe[2]; /* by value, then gate: lanes */
  uint64_t work;      /* gates evaluated so far */
} Look;

void look_init(Look *look, const Net *net);
void look_free(Look *look);

/* Makes all fluents and moves unknown. */
void look_clear(Look *look);
/* Sets a gate that is a fluent or a move in some lanes. */
static inline void look_set(Look *look, Gate gate, bool value, uint64_t lanes) {
  look->maybe[value][gate] |= lanes;
  look->maybe[!value][gate] &= ~lanes;
}
/* Makes this move the one that is made, in all lanes. */
void look_move(Look *look, uint32_t move);
void look_evaluate(Look *look);

/* The lanes in which the signal may have the value. */
static inline uint64_t look_may(const Look *look, Signal signal, bool value) {
  return look->maybe[value ^ signal_negated(signal)][signal_gate(signal)];
}

#endif
