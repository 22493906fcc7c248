/* Blocks in order, each until it is stable; every round evaluates all gates. */
#include "support/net_evaluate.h"

static void evaluate_gate(const Net *net, const bool *fluents,
                          const bool *moves, const bool *loops, Gate gate,
                          bool *values) {
  const NetGate *g = &net->gates.data[gate];
  bool value = false;
  switch (g->kind) {
  case GATE_CONSTANT: break;
  case GATE_FLUENT: value = fluents[g->first]; break;
  case GATE_MOVE: value = moves[g->first]; break;
  case GATE_LOOP: value = loops[g->first]; break;
  case GATE_AND:
    value = true;
    for (uint32_t i = 0; i < g->count && value; i++) {
      Signal input = net->inputs.data[g->first + i];
      value = values[signal_gate(input)] != signal_negated(input);
    }
    break;
  }
  values[gate] = value;
}

void net_evaluate(const Net *net, const bool *fluents, const bool *moves,
                  bool *values) {
  bool *loops = memory_new(net->loops.count * sizeof *loops);
  uint32_t blocks =
      net->loops.count ? net->loops.data[net->loops.count - 1].block + 1 : 0;
  for (uint32_t block = 0; block <= blocks; block++) {
    for (bool changed = true; changed;) {
      changed = false;
      for (Gate gate = 0; gate < net->gates.count; gate++)
        evaluate_gate(net, fluents, moves, loops, gate, values);
      for (uint32_t i = 0; i < net->loops.count; i++) {
        const NetLoop *loop = &net->loops.data[i];
        Signal signal = loop->definition;
        if (loop->block != block || loops[i] ||
            values[signal_gate(signal)] == signal_negated(signal))
          continue;
        loops[i] = changed = true;
      }
    }
  }
  memory_delete(loops);
}
