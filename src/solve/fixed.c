/* Both sets are greatest fixpoints: at first everything is in the set, then
   what reads something outside leaves it. Each gate leaves at most once, and is
   looked at again only when one of its inputs left, so that all takes time
   proportional to the edges of the net.

   Fixed values: in the beginning fluents have the values of the state, and no
   move is made. A move of which the legality is not fixed to be false leaves, a
   fluent whose next value is not fixed to its own, an AND that has no input
   fixed to be false and one that left. Values of recursive definitions are
   taken to be unknown from the start. */
#include "solve/fixed.h"

#include "base/bits.h"

typedef struct Work {
  const Net *net;
  uint32_t *first; /* of each gate's readers in `readers`; one more */
  Gate *readers;
  NumberVector left; /* gates that left, whose readers are to be told */
} Work;

/* The gates that `gate` is told about: inputs of an AND, the next value of a
   fluent, the legality of a move, the definition of a loop. */
static const Signal *sources(const Net *net, Gate gate, uint32_t *count) {
  const NetGate *g = &net->gates.data[gate];
  *count = 1;
  switch (g->kind) {
  case GATE_AND: *count = g->count; return net_inputs(net, gate);
  case GATE_FLUENT: return &net->fluents.data[g->first].next;
  case GATE_MOVE: return &net->moves.data[g->first].legal;
  case GATE_LOOP: return &net->loops.data[g->first].definition;
  case GATE_CONSTANT: break;
  }
  *count = 0;
  return NULL;
}

static void find_readers(Work *work, const Net *net) {
  uint32_t gates = net->gates.count, count;
  work->net = net;
  work->first = memory_new((gates + 2) * sizeof *work->first);
  for (Gate gate = 0; gate < gates; gate++) {
    const Signal *list = sources(net, gate, &count);
    for (uint32_t i = 0; i < count; i++)
      work->first[signal_gate(list[i]) + 2]++;
  }
  for (Gate gate = 0; gate < gates; gate++)
    work->first[gate + 2] += work->first[gate + 1];
  work->readers = memory_new((work->first[gates + 1] + 1) * sizeof(Gate));
  for (Gate gate = 0; gate < gates; gate++) {
    const Signal *list = sources(net, gate, &count);
    for (uint32_t i = 0; i < count; i++)
      work->readers[work->first[signal_gate(list[i]) + 1]++] = gate;
  }
}

static void free_work(Work *work) {
  memory_delete(work->first);
  memory_delete(work->readers);
  vector_free(&work->left);
}

/* ---- fixed values ---- */

/* The value of an AND by its inputs' values. */
static int8_t conjunction(const Fixed *fixed, const Net *net, Gate gate) {
  const Signal *inputs = net_inputs(net, gate);
  int8_t result = 1;
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++) {
    int value = fixed_value(fixed, inputs[i]);
    if (!value) return 0;
    if (value < 0) result = -1;
  }
  return result;
}

static void begin(Fixed *fixed, const Net *net, const uint64_t *state) {
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind == GATE_FLUENT)
      fixed->gates[gate] = bits_has(state, g->first);
    else if (g->kind == GATE_AND)
      fixed->gates[gate] = conjunction(fixed, net, gate);
    else
      fixed->gates[gate] = g->kind == GATE_LOOP ? -1 : 0;
  }
}

/* Returns whether a gate that is in the set has to leave it. */
static bool has_to_leave(const Fixed *fixed, const Net *net, Gate gate) {
  const NetGate *g = &net->gates.data[gate];
  int own = fixed->gates[gate];
  if (own < 0) return false;
  if (g->kind == GATE_FLUENT)
    return fixed_value(fixed, net->fluents.data[g->first].next) != own;
  if (g->kind == GATE_MOVE)
    return fixed_value(fixed, net->moves.data[g->first].legal) != 0;
  return g->kind == GATE_AND && conjunction(fixed, net, gate) != own;
}

static void leave(Fixed *fixed, Work *work, Gate gate) {
  fixed->gates[gate] = -1;
  vector_push(&work->left, gate);
}

void fixed_init(Fixed *fixed, const Net *net, const uint64_t *state) {
  Work work = {0};
  find_readers(&work, net);
  fixed->gates = memory_new(net->gates.count + 1);
  fixed->fluents =
      memory_new((bits_words(net->fluents.count) + 1) * sizeof(uint64_t));
  begin(fixed, net, state);
  for (Gate gate = 0; gate < net->gates.count; gate++)
    if (has_to_leave(fixed, net, gate)) leave(fixed, &work, gate);
  while (work.left.count) {
    Gate gate = work.left.data[--work.left.count];
    for (uint32_t i = work.first[gate]; i < work.first[gate + 1]; i++)
      if (has_to_leave(fixed, net, work.readers[i]))
        leave(fixed, &work, work.readers[i]);
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (fixed->gates[net->fluents.data[i].gate] >= 0)
      bits_add(fixed->fluents, i);
  free_work(&work);
}

void fixed_free(Fixed *fixed) {
  memory_delete(fixed->gates);
  memory_delete(fixed->fluents);
}

/* ---- autonomous fluents ---- */

void fixed_autonomous(const Net *net, uint64_t *set) {
  Work work = {0};
  bool *gone = memory_new(net->gates.count + 1);
  find_readers(&work, net);
  for (uint32_t m = 0; m < net->moves.count; m++) {
    gone[net->moves.data[m].gate] = true;
    vector_push(&work.left, net->moves.data[m].gate);
  }
  while (work.left.count) {
    Gate gate = work.left.data[--work.left.count];
    for (uint32_t i = work.first[gate]; i < work.first[gate + 1]; i++) {
      Gate reader = work.readers[i];
      if (gone[reader]) continue;
      gone[reader] = true;
      vector_push(&work.left, reader);
    }
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (!gone[net->fluents.data[i].gate]) bits_add(set, i);
  memory_delete(gone);
  free_work(&work);
}
