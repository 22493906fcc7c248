/* What a circuit needs to know about gates before it assigns slots to them. */
#ifndef TAFL_SCALAR_CIRCUIT_PLAN_H
#define TAFL_SCALAR_CIRCUIT_PLAN_H

#include "base/graph.h"
#include "scalar/circuit.h"

typedef struct CircuitPlan {
  float *rates;            /* by gate: changes per step of random games */
  uint32_t *first, *count; /* by gate: inputs of an AND, in `inputs` */
  VECTOR(Signal) inputs;
  Graph graph; /* a gate leads to what it reads, a variable to its definition */
  uint32_t component_count;
  uint32_t *component;           /* by gate; an order of evaluation */
  uint32_t *order, *order_first; /* gates by component */
  uint8_t *cones;                /* by gate; 0: no output needs it */
  uint8_t *parity;  /* by gate in a component with variables: bit 0, it grows
                       with them; bit 1, it shrinks */
  Signal *guard;    /* by gate; SIGNAL_FALSE: none */
  uint32_t *reads;  /* by signal: how many ANDs read it, but for its own as
                       guard */
  uint32_t *guards; /* by signal: how many ANDs have it as guard */
} CircuitPlan;

void circuit_plan_init(CircuitPlan *plan, const Net *net);
void circuit_plan_free(CircuitPlan *plan);
static inline const Signal *circuit_plan_inputs(const CircuitPlan *plan,
                                                Gate gate) {
  return plan->inputs.data + plan->first[gate];
}
Region circuit_plan_region(const CircuitPlan *plan, Gate gate);

#endif
