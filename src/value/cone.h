/* Formulas of a net, such as goals, taken out of it: the gates that they depend
   on, in an order in which they can be evaluated with degrees of truth instead
   of bits.

   A reading is a gate of the cone, shifted left, with 1 for its negation. Gates
   are sorted by stage, so that a gate reads gates before it and loop variables
   of its own stage or of earlier ones. Stage 0 has no loop variables; each
   later one belongs to one block of recursive definitions, which is evaluated
   again and again until its variables do not change, before the next stage
   begins.

   Fluents may be left out (step counters): they are dropped from the
   conjunctions and disjunctions that read them, and formulas that consist of
   nothing else are left out, too. */
#ifndef TAFL_VALUE_CONE_H
#define TAFL_VALUE_CONE_H

#include "net/net.h"

typedef uint32_t Reading;

static const Reading reading_none = UINT32_MAX; /* left out */

/* Larger cones are not made: whoever evaluates keeps two numbers for each gate
   on the stack. */
enum { CONE_LARGEST = 1 << 15 };

typedef struct ConeGate {
  GateKind kind; /* no GATE_MOVE */
  /* of a fluent: its number; of a loop variable: its definition, a reading; of
     an AND: inputs[first … first + count) */
  uint32_t first, count;
} ConeGate;

typedef struct Cone {
  VECTOR(ConeGate) gates;
  VECTOR(Reading) inputs;
  NumberVector stages; /* the gate at which each begins; one more at the end */
  VECTOR(Reading) outputs; /* of the formulas, as they were given */
} Cone;

/* Makes the cone of the formulas; `out` says which fluents are left out, or is
   NULL. Returns false, with nothing to free, if it would be too large. */
bool cone_init(Cone *cone, const Net *net, const Signal *formulas,
               uint32_t count, const bool *out);
void cone_free(Cone *cone);

/* Sets seen[r] of every reading on which one of the first `count` outputs
   depends, with its sign: raising it raises the output. `seen` has room for two
   for each gate, and is false. */
void cone_depend(const Cone *cone, uint32_t count, bool *seen);

static inline uint32_t reading_gate(Reading reading) {
  return reading >> 1;
}

#endif
