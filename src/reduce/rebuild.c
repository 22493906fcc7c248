/* A net goes in, a net comes out whose inputs and outputs correspond one to
   one. The map gives each gate of the old net its signal in the new; a
   reduction fills it for the live ANDs in order, so that inputs are always
   mapped before their users. Dead loops are left out and blocks numbered anew.
 */
#include "reduce/rebuild.h"

/* ---- questions about a net ---- */

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

void net_mark_live(const Net *net, bool *live) {
  NumberVector stack = {0};
  memset(live, 0, net->gates.count * sizeof *live);
  visit_outputs(net, live, &stack);
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
  const Signal *inputs = net_inputs(net, gate);
  for (uint32_t i = 0; i < net->gates.data[gate].count; i++)
    if (late[signal_gate(inputs[i])]) return true;
  return false;
}

void net_mark_late(const Net *net, bool *late) {
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

bool net_moves_leak(const Net *net, const bool *late) {
  for (uint32_t i = 0; i < net->moves.count; i++)
    if (late[signal_gate(net->moves.data[i].legal)]) return true;
  for (uint32_t i = 0; i < net->goals.count; i++)
    if (late[signal_gate(net->goals.data[i].signal)]) return true;
  return late[signal_gate(net->terminal)];
}

bool net_has_late_loops(const Net *net, const bool *late) {
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (late[net->loops.data[i].gate]) return true;
  return false;
}

void net_count_uses(const Net *net, const bool *live, uint32_t *uses) {
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

void net_list_users(const Net *net, const bool *live, uint32_t **first,
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

/* ---- making ---- */

static void add_inputs(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  Net *to = rebuild->to;
  for (uint32_t i = 0; i < from->fluents.count; i++) {
    const NetFluent *fluent = &from->fluents.data[i];
    rebuild->map[fluent->gate] =
        net_add_fluent(to, fluent->term, fluent->initial);
  }
  for (uint32_t i = 0; i < from->moves.count; i++) {
    const NetMove *move = &from->moves.data[i];
    rebuild->map[move->gate] = net_add_move(to, move->role, move->term);
  }
}

static void add_loops(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  Net *to = rebuild->to;
  uint32_t block = 0, last = UINT32_MAX;
  for (uint32_t i = 0; i < from->loops.count; i++) {
    const NetLoop *loop = &from->loops.data[i];
    if (!rebuild->live[loop->gate]) continue;
    if (last != UINT32_MAX && last != loop->block) block++;
    last = loop->block;
    rebuild->map[loop->gate] = net_add_loop(to, block);
  }
}

/* Room for as many gates as are live, so that nothing grows step by step. */
static void make_room(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  Net *to = rebuild->to;
  uint32_t ands = 0;
  for (Gate gate = 0; gate < from->gates.count; gate++)
    ands += rebuild_is_and(rebuild, gate);
  while (to->slot_count / 2 < ands) to->slot_count *= 2;
  memory_delete(to->slots);
  to->slots = memory_new(to->slot_count * sizeof *to->slots);
}

void rebuild_begin(Rebuild *rebuild, const Net *from, Net *to) {
  *rebuild = (Rebuild){
      .from = from,
      .to = to,
      .live = memory_new(from->gates.count * sizeof(bool)),
      .map = memory_new(from->gates.count * sizeof(Signal)),
  };
  net_init(to, from->role_count);
  net_mark_live(from, rebuild->live);
  make_room(rebuild);
  add_inputs(rebuild);
  add_loops(rebuild);
}

void rebuild_copy(Rebuild *rebuild, Gate gate) {
  const NetGate *g = &rebuild->from->gates.data[gate];
  vector_clear(&rebuild->list);
  for (uint32_t i = 0; i < g->count; i++)
    vector_push(
        &rebuild->list,
        rebuild_signal(rebuild, rebuild->from->inputs.data[g->first + i]));
  rebuild->map[gate] =
      net_and(rebuild->to, rebuild->list.data, rebuild->list.count);
}

static void connect_outputs(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  Net *to = rebuild->to;
  for (uint32_t i = 0; i < from->fluents.count; i++)
    to->fluents.data[i].next =
        rebuild_signal(rebuild, from->fluents.data[i].next);
  for (uint32_t i = 0; i < from->moves.count; i++)
    to->moves.data[i].legal =
        rebuild_signal(rebuild, from->moves.data[i].legal);
  for (uint32_t i = 0; i < from->goals.count; i++) {
    NetGoal goal = from->goals.data[i];
    goal.signal = rebuild_signal(rebuild, goal.signal);
    vector_push(&to->goals, goal);
  }
  to->terminal = rebuild_signal(rebuild, from->terminal);
  to->beyond_base = rebuild_signal(rebuild, from->beyond_base);
  to->beyond_input = rebuild_signal(rebuild, from->beyond_input);
}

void rebuild_end(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  uint32_t made = 0;
  for (uint32_t i = 0; i < from->loops.count; i++)
    if (rebuild->live[from->loops.data[i].gate])
      rebuild->to->loops.data[made++].definition =
          rebuild_signal(rebuild, from->loops.data[i].definition);
  connect_outputs(rebuild);
  memory_delete(rebuild->live);
  memory_delete(rebuild->map);
  vector_free(&rebuild->list);
}

/* ---- marks ---- */

void marks_clear(Marks *marks) {
  marks->era++;
}

void marks_add(Marks *marks, uint32_t number) {
  if (number >= marks->eras.count) {
    uint32_t old = marks->eras.count;
    if (number >= marks->eras.capacity) vector_grow(&marks->eras, number + 1);
    marks->eras.count = marks->eras.capacity;
    memset(marks->eras.data + old, 0,
           (marks->eras.count - old) * sizeof(uint32_t));
  }
  marks->eras.data[number] = marks->era;
}

void marks_remove(Marks *marks, uint32_t number) {
  if (marks_has(marks, number)) marks->eras.data[number] = 0;
}

void marks_free(Marks *marks) {
  vector_free(&marks->eras);
}
