/* Live gates are found by a pass from the last gate to the first, since inputs
   come before; in nets with loops by a walk from the outputs. Late ones are
   found by passes over all gates, repeated as long as a loop variable becomes
   late. */
#include "reduce/reads.h"

#include "base/trial.h"

static void visit(Signal signal, bool *live, NumberVector *stack) {
  Gate gate = signal_gate(signal);
  if (live[gate]) return;
  live[gate] = true;
  vector_push(stack, gate);
}

static void visit_outputs(const Net *net, bool *live, NumberVector *stack) {
  for (uint32_t i = 0; i < net->fluents.count; i++)
    visit(net->fluents.data[i].next, live, stack);
  for (uint32_t i = 0; i < net->moves.count; i++)
    visit(net->moves.data[i].legal, live, stack);
  for (uint32_t i = 0; i < net->goals.count; i++)
    visit(net->goals.data[i].signal, live, stack);
  visit(net->terminal, live, stack);
  visit(net->beyond_base, live, stack);
  visit(net->beyond_input, live, stack);
}

void reads_mark_below(const Net *net, bool *marked) {
  for (Gate gate = net->gates.count; gate-- > 0;) {
    const NetGate *g = &net->gates.data[gate];
    if (!marked[gate] || g->kind != GATE_AND) continue;
    for (uint32_t i = 0; i < g->count; i++)
      marked[signal_gate(net->inputs.data[g->first + i])] = true;
  }
}

void reads_mark_live(const Net *net, bool *live) {
  NumberVector stack = {0};
  memset(live, 0, net->gates.count * sizeof *live);
  visit_outputs(net, live, &stack);
  if (!net->loops.count) {
    vector_clear(&stack);
    reads_mark_below(net, live);
  }
  while (stack.count) {
    const NetGate *gate = &net->gates.data[stack.data[--stack.count]];
    if (gate->kind == GATE_LOOP)
      visit(net->loops.data[gate->first].definition, live, &stack);
    for (uint32_t i = 0; gate->kind == GATE_AND && i < gate->count; i++)
      visit(net->inputs.data[gate->first + i], live, &stack);
  }
  vector_free(&stack);
}

static bool and_is_late(const Net *net, Gate gate, const bool *late) {
  trial_check();
  const Signal *inputs = net_inputs(net, gate);
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++)
    if (late[signal_gate(inputs[i])]) return true;
  return false;
}

void reads_mark_late(const Net *net, bool *late) {
  memset(late, 0, net->gates.count * sizeof *late);
  for (bool changed = true; changed;) {
    for (Gate gate = 0; gate < net->gates.count; gate++) {
      GateKind kind = net->gates.data[gate].kind;
      if (kind == GATE_MOVE) late[gate] = true;
      if (kind == GATE_AND) late[gate] = and_is_late(net, gate, late);
    }
    changed = false;
    for (uint32_t i = 0; i < net->loops.count; i++) {
      const NetLoop *loop = &net->loops.data[i];
      if (late[loop->gate] || !late[signal_gate(loop->definition)]) continue;
      late[loop->gate] = changed = true;
    }
  }
}

bool reads_moves_leak(const Net *net, const bool *late) {
  for (uint32_t i = 0; i < net->moves.count; i++)
    if (late[signal_gate(net->moves.data[i].legal)]) return true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (late[signal_gate(net->goals.data[i].signal)]) return true;
  return late[signal_gate(net->terminal)];
}

bool reads_late_loops(const Net *net, const bool *late) {
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (late[net->loops.data[i].gate]) return true;
  return false;
}

void reads_count(const Net *net, const bool *live, uint32_t *uses) {
  memset(uses, 0, net->gates.count * sizeof *uses);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    for (uint32_t i = 0; live[gate] && g->kind == GATE_AND && i < g->count; i++)
      uses[signal_gate(net->inputs.data[g->first + i])]++;
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    uses[signal_gate(net->fluents.data[i].next)]++;
  for (uint32_t i = 0; i < net->moves.count; i++)
    uses[signal_gate(net->moves.data[i].legal)]++;
  for (uint32_t i = 0; i < net->goals.count; i++)
    uses[signal_gate(net->goals.data[i].signal)]++;
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (live[net->loops.data[i].gate])
      uses[signal_gate(net->loops.data[i].definition)]++;
  uses[signal_gate(net->terminal)]++;
  uses[signal_gate(net->beyond_base)]++;
  uses[signal_gate(net->beyond_input)]++;
}

void reads_list(const Net *net, const bool *live, uint32_t **first,
                Gate **list) {
  uint32_t signals = net->gates.count * 2;
  *first = memory_new((signals + 2) * sizeof **first);
  for (uint32_t round = 0; round < 2; round++) {
    for (Gate gate = 0; gate < net->gates.count; gate++) {
      const NetGate *g = &net->gates.data[gate];
      if (!live[gate] || g->kind != GATE_AND) continue;
      for (uint32_t i = 0; i < g->count; i++) {
        uint32_t *at = &(*first)[net->inputs.data[g->first + i] + 1];
        if (round == 0)
          at[1]++;
        else
          (*list)[(*at)++] = gate;
      }
    }
    if (round) break;
    for (uint32_t s = 0; s < signals; s++) (*first)[s + 2] += (*first)[s + 1];
    *list = memory_new((*first)[signals + 1] * sizeof **list);
  }
}
