#include "value/cone.h"

#include "base/trial.h"

/* What is known of the gates of the net while the cone is made. */
typedef struct Making {
  const Net *net;
  const bool *out;
  bool *wanted;       /* by gate */
  uint32_t *stage;    /* by gate */
  uint32_t *place;    /* by gate: in the cone, + 1; 0: left out */
  NumberVector order; /* wanted gates, by number */
} Making;

static void want(Making *making, Gate gate, NumberVector *open) {
  if (making->wanted[gate]) return;
  making->wanted[gate] = true;
  vector_push(open, gate);
}

/* Marks what the formulas depend on. Returns false if it is too much. */
static bool collect(Making *making, const Signal *formulas, uint32_t count) {
  const Net *net = making->net;
  NumberVector open = {0};
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++)
    want(making, signal_gate(formulas[i]), &open);
  while (open.count && found <= CONE_LARGEST) {
    Gate gate = open.data[--open.count];
    const NetGate *g = &net->gates.data[gate];
    found++;
    if (g->kind == GATE_LOOP)
      want(making, signal_gate(net->loops.data[g->first].definition), &open);
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      want(making, signal_gate(net_inputs(net, gate)[i]), &open);
  }
  vector_free(&open);
  return found <= CONE_LARGEST;
}

static uint32_t stage_of(const Making *making, Gate gate) {
  const NetGate *g = &making->net->gates.data[gate];
  uint32_t stage = 0;
  if (g->kind == GATE_LOOP) return making->net->loops.data[g->first].block + 1;
  for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++) {
    uint32_t own = making->stage[signal_gate(net_inputs(making->net, gate)[i])];
    if (own > stage) stage = own;
  }
  return stage;
}

/* Numbers the wanted gates by stage. Stages without gates take no room. */
static void arrange(Making *making, Cone *cone) {
  const Net *net = making->net;
  uint32_t blocks = 1;
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (net->loops.data[i].block + 2 > blocks)
      blocks = net->loops.data[i].block + 2;
  uint32_t *counts = memory_new((blocks + 1) * sizeof *counts);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    if (!making->wanted[gate]) continue;
    making->stage[gate] = stage_of(making, gate);
    counts[making->stage[gate] + 1]++;
    vector_push(&making->order, gate);
  }
  for (uint32_t s = 0; s < blocks; s++) {
    if (counts[s + 1]) vector_push(&cone->stages, counts[s]);
    counts[s + 1] += counts[s];
  }
  vector_push(&cone->stages, making->order.count);
  vector_resize(&cone->gates, making->order.count);
  for (uint32_t i = 0; i < making->order.count; i++) {
    Gate gate = making->order.data[i];
    making->place[gate] = ++counts[making->stage[gate]];
  }
  memory_delete(counts);
}

static Reading reading_of(const Making *making, Signal signal) {
  uint32_t place = making->place[signal_gate(signal)];
  return place ? (place - 1) << 1 | signal_negated(signal) : reading_none;
}

/* Gates that only read what is left out are left out themselves. They keep
   their places, as constants that nobody reads. */
static void fill(Making *making, Cone *cone, Gate gate) {
  const NetGate *g = &making->net->gates.data[gate];
  ConeGate *own = &cone->gates.data[making->place[gate] - 1];
  *own = (ConeGate){.kind = g->kind, .first = g->first};
  if (g->kind == GATE_MOVE ||
      (g->kind == GATE_FLUENT && making->out && making->out[g->first])) {
    *own = (ConeGate){.kind = GATE_CONSTANT};
    making->place[gate] = 0;
  }
  if (g->kind != GATE_AND) return;
  own->first = cone->inputs.count;
  for (uint32_t i = 0; i < g->count; i++) {
    Reading input = reading_of(making, net_inputs(making->net, gate)[i]);
    if (input != reading_none) vector_push(&cone->inputs, input);
  }
  own->count = cone->inputs.count - own->first;
  if (own->count) return;
  *own = (ConeGate){.kind = GATE_CONSTANT};
  making->place[gate] = 0;
}

static void fill_all(Making *making, Cone *cone) {
  for (uint32_t i = 0; i < making->order.count; i++)
    fill(making, cone, making->order.data[i]);
  /* a loop variable whose definition is left out stays false */
  for (uint32_t i = 0; i < cone->gates.count; i++) {
    ConeGate *own = &cone->gates.data[i];
    if (own->kind == GATE_LOOP)
      own->first =
          reading_of(making, making->net->loops.data[own->first].definition);
    if (own->kind == GATE_LOOP && own->first == reading_none)
      own->kind = GATE_CONSTANT;
  }
}

bool cone_init(Cone *cone, const Net *net, const Signal *formulas,
               uint32_t count, const bool *out) {
  Making making = {.net = net, .out = out};
  *cone = (Cone){0};
  making.wanted = memory_new(net->gates.count * sizeof *making.wanted);
  making.stage = memory_new(net->gates.count * sizeof *making.stage);
  making.place = memory_new(net->gates.count * sizeof *making.place);
  bool fine = collect(&making, formulas, count);
  if (fine) {
    arrange(&making, cone);
    fill_all(&making, cone);
    for (uint32_t i = 0; i < count; i++)
      vector_push(&cone->outputs, reading_of(&making, formulas[i]));
  }
  vector_free(&making.order);
  memory_delete(making.wanted);
  memory_delete(making.stage);
  memory_delete(making.place);
  return fine;
}

static void see(Reading reading, NumberVector *open, bool *seen) {
  if (reading == reading_none || seen[reading]) return;
  seen[reading] = true;
  vector_push(open, reading);
}

void cone_depend(const Cone *cone, uint32_t count, bool *seen) {
  NumberVector open = {0};
  for (uint32_t i = 0; i < count; i++) see(cone->outputs.data[i], &open, seen);
  while (open.count) {
    Reading reading = open.data[--open.count];
    const ConeGate *gate = &cone->gates.data[reading_gate(reading)];
    if (gate->kind == GATE_LOOP) see(gate->first ^ (reading & 1), &open, seen);
    for (uint32_t i = 0; gate->kind == GATE_AND && i < gate->count; i++)
      see(cone->inputs.data[gate->first + i] ^ (reading & 1), &open, seen);
  }
  vector_free(&open);
}

void cone_free(Cone *cone) {
  vector_free(&cone->gates);
  vector_free(&cone->inputs);
  vector_free(&cone->stages);
  vector_free(&cone->outputs);
}
