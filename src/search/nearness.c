/* The goal's cone in the net as an AND/OR proof tree. A fact is worth 1 if it
   holds and 0 if not, an AND the mean of its inputs, an OR the maximum of its
   alternatives. The net has ANDs alone: a negated AND is an OR of negated
   inputs, so each gate has two values, one for either sign. Recursive
   definitions have no finite tree; their variables are worth 1 or 0, by their
   least fixpoint.

   Where degrees are equal, the alternative with more true conditions is
   better: one of two conditions is half, but so are three of six. The numbers
   of true conditions go up with the degrees, and the goal's is added as a tiny
   fraction. */
#include "search/nearness.h"

#include "base/bits.h"
#include "base/memory.h"

typedef struct Degree {
  double degree, held; /* held: true conditions of the chosen alternatives */
} Degree;

typedef struct CloseGate {
  Gate gate;
  Degree signs[2]; /* plain, negated */
  bool truth;
} CloseGate;

struct Nearness {
  const Net *net;
  Signal goal;
  VECTOR(CloseGate) cone; /* in order of evaluation */
  uint32_t *place;        /* by gate: its place in the cone, from 1; 0: not */
};

/* ---- the cone ---- */

static Signal highest_goal(const Net *net, uint32_t role) {
  int most = -1;
  Signal signal = SIGNAL_FALSE;
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    if (goal->role != role || goal->signal == SIGNAL_FALSE ||
        goal->value <= most)
      continue;
    most = goal->value;
    signal = goal->signal;
  }
  return signal;
}

/* Marks a gate and all that it depends on: gates read earlier ones, but
   variables of loops may read later ones. */
static void mark(Gate gate, NumberVector *open, bool *marked) {
  if (marked[gate]) return;
  marked[gate] = true;
  vector_push(open, gate);
}

static void mark_cone(const Net *net, Gate goal, bool *marked) {
  NumberVector open = {0};
  mark(goal, &open, marked);
  while (open.count) {
    Gate gate = open.data[--open.count];
    const NetGate *g = &net->gates.data[gate];
    if (g->kind == GATE_LOOP)
      mark(signal_gate(net->loops.data[g->first].definition), &open, marked);
    if (g->kind != GATE_AND) continue;
    for (uint32_t i = 0; i < g->count; i++)
      mark(signal_gate(net_inputs(net, gate)[i]), &open, marked);
  }
  vector_free(&open);
}

Nearness *nearness_new(const Net *net, uint32_t role) {
  Signal goal = highest_goal(net, role);
  if (signal_gate(goal) == 0) return NULL;
  Nearness *nearness = memory_new(sizeof *nearness);
  bool *marked = memory_new(net->gates.count * sizeof *marked);
  nearness->net = net;
  nearness->goal = goal;
  nearness->place = memory_new(net->gates.count * sizeof *nearness->place);
  mark_cone(net, signal_gate(goal), marked);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!marked[gate]) continue;
    vector_push(&nearness->cone, (CloseGate){.gate = gate});
    nearness->place[gate] = nearness->cone.count;
  }
  memory_delete(marked);
  return nearness;
}

void nearness_delete(Nearness *nearness) {
  if (!nearness) return;
  vector_free(&nearness->cone);
  memory_delete(nearness->place);
  memory_delete(nearness);
}

/* ---- truth, for the variables of loops ---- */

static CloseGate *place_of(const Nearness *nearness, Gate gate) {
  return &nearness->cone.data[nearness->place[gate] - 1];
}

static bool holds(const Nearness *nearness, Signal signal) {
  return place_of(nearness, signal_gate(signal))->truth !=
         signal_negated(signal);
}

static bool truth_of(const Nearness *nearness, const CloseGate *close,
                     const uint64_t *state) {
  const NetGate *g = &nearness->net->gates.data[close->gate];
  if (g->kind == GATE_FLUENT) return bits_has(state, g->first);
  if (g->kind == GATE_LOOP) return close->truth;
  if (g->kind != GATE_AND) return false;
  const Signal *inputs = net_inputs(nearness->net, close->gate);
  for (uint32_t i = 0; i < g->count; i++)
    if (!holds(nearness, inputs[i])) return false;
  return true;
}

/* Sets the variables of a block to their definitions; returns true if one
   became true. */
static bool raise_loops(Nearness *nearness, uint32_t block) {
  bool raised = false;
  for (uint32_t i = 0; i < nearness->cone.count; i++) {
    CloseGate *close = &nearness->cone.data[i];
    const NetGate *g = &nearness->net->gates.data[close->gate];
    if (g->kind != GATE_LOOP || close->truth) continue;
    const NetLoop *loop = &nearness->net->loops.data[g->first];
    if (loop->block != block || !holds(nearness, loop->definition)) continue;
    close->truth = raised = true;
  }
  return raised;
}

static void find_truth(Nearness *nearness, const uint64_t *state) {
  uint32_t loops = nearness->net->loops.count;
  uint32_t blocks = loops ? vector_last(&nearness->net->loops).block + 1 : 0;
  for (uint32_t i = 0; i < nearness->cone.count; i++)
    nearness->cone.data[i].truth = false;
  for (uint32_t block = 0; block < blocks; block++) do {
      for (uint32_t i = 0; i < nearness->cone.count; i++)
        nearness->cone.data[i].truth =
            truth_of(nearness, &nearness->cone.data[i], state);
    } while (raise_loops(nearness, block));
}

/* ---- degrees ---- */

static Degree fact_degree(bool holds) {
  return (Degree){.degree = holds, .held = holds};
}

static const Degree *degree_of(const Nearness *nearness, Signal signal) {
  return &place_of(nearness, signal_gate(signal))
              ->signs[signal_negated(signal)];
}

static void set_and(const Nearness *nearness, CloseGate *close) {
  const NetGate *g = &nearness->net->gates.data[close->gate];
  const Signal *inputs = net_inputs(nearness->net, close->gate);
  Degree all = {0}, any = {0};
  for (uint32_t i = 0; i < g->count; i++) {
    const Degree *input = degree_of(nearness, inputs[i]);
    const Degree *other = degree_of(nearness, signal_not(inputs[i]));
    all.degree += input->degree;
    all.held += input->held;
    if (other->degree > any.degree ||
        (other->degree == any.degree && other->held > any.held))
      any = *other;
  }
  all.degree /= g->count;
  close->signs[0] = all;
  close->signs[1] = any;
}

double nearness_value(Nearness *nearness, const uint64_t *state) {
  static const double tie = 1e-9, held_most = 1e5;
  if (nearness->net->loops.count) find_truth(nearness, state);
  for (uint32_t i = 0; i < nearness->cone.count; i++) {
    CloseGate *close = &nearness->cone.data[i];
    const NetGate *g = &nearness->net->gates.data[close->gate];
    if (g->kind == GATE_AND) {
      set_and(nearness, close);
      continue;
    }
    bool truth =
        g->kind == GATE_FLUENT ? bits_has(state, g->first) : close->truth;
    close->signs[0] = fact_degree(truth);
    close->signs[1] = fact_degree(!truth);
  }
  const Degree *goal = degree_of(nearness, nearness->goal);
  return goal->degree + tie * (goal->held < held_most ? goal->held : held_most);
}
