/* The map gives each gate of the old net its signal in the new one. A reduction
   fills it for the live ANDs in order, so that inputs are mapped before their
   users. Dead loops are left out and blocks renumbered. */
#include "reduce/rebuild.h"

#include "reduce/reads.h"

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

/* Room for as many ANDs as are live. */
static void make_room(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  uint32_t ands = 0;
  for (Gate gate = 0; gate < from->gates.count; gate++)
    ands += rebuild_is_and(rebuild, gate);
  map_reset(&rebuild->to->map, ands);
}

void rebuild_begin(Rebuild *rebuild, const Net *from, Net *to) {
  *rebuild = (Rebuild){
      .from = from,
      .to = to,
      .live = memory_new(from->gates.count * sizeof(bool)),
      .map = memory_new(from->gates.count * sizeof(Signal)),
  };
  net_init(to, from->role_count);
  reads_mark_live(from, rebuild->live);
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
