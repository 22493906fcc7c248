/* The map gives each gate of the old net its signal in the new one. A reduction
   fills it for the live ANDs in order, so that inputs are mapped before their
   users. Dead loops are left out and blocks renumbered.

   As long as every gate stays what it was, the new net follows the old one: it
   has the gates of that in front of it, and takes the next one by counting it.
   Nothing is looked up or written until there is a gate that differs. */
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

/* Room for as many ANDs as are live. The new net can follow if these are all,
   behind the inputs and loops. */
static void make_room(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  uint32_t first =
      1 + from->fluents.count + from->moves.count + from->loops.count;
  uint32_t ands = 0, edges = 0;
  for (Gate gate = 0; gate < from->gates.count; gate++) {
    if (!rebuild_is_and(rebuild, gate)) continue;
    ands++;
    edges += from->gates.data[gate].count;
  }
  net_reserve(rebuild->to, first + ands, ands, edges);
  rebuild->follows =
      first + ands == from->gates.count && edges == from->inputs.count;
}

/* Puts the old gates where the new net's next ones will be. */
static void follow(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  Net *to = rebuild->to;
  uint32_t count = to->gates.count;
  rebuild->follows = rebuild->follows && to->loops.count == from->loops.count &&
                     memcmp(to->gates.data, from->gates.data,
                            count * sizeof *to->gates.data) == 0;
  if (!rebuild->follows || !from->inputs.count) return;
  memcpy(to->gates.data, from->gates.data,
         from->gates.count * sizeof *to->gates.data);
  memcpy(to->inputs.data, from->inputs.data,
         from->inputs.count * sizeof *to->inputs.data);
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
  follow(rebuild);
}

/* Takes the next gate of the old net, if that is this one and has the inputs
   in `list`. Returns false if the new net cannot follow any more. */
static bool take(Rebuild *rebuild, Gate gate) {
  const NumberVector *list = &rebuild->list;
  const NetGate *g = &rebuild->from->gates.data[gate];
  Net *to = rebuild->to;
  if (to->listed || gate != to->gates.count || g->count != list->count ||
      g->first != to->inputs.count)
    return false;
  const Signal *inputs = net_inputs(rebuild->from, gate);
  for (uint32_t i = 0; i < list->count; i++)
    if (list->data[i] != inputs[i]) return false;
  to->gates.count++;
  to->inputs.count += list->count;
  return true;
}

void rebuild_make(Rebuild *rebuild, Gate gate) {
  NumberVector *list = &rebuild->list;
  rebuild->follows = rebuild->follows && take(rebuild, gate);
  rebuild->map[gate] = rebuild->follows
                           ? gate_signal(gate)
                           : net_and(rebuild->to, list->data, list->count);
}

void rebuild_inputs(Rebuild *rebuild, Gate gate) {
  uint32_t count = rebuild->from->gates.data[gate].count;
  const Signal *inputs = net_inputs(rebuild->from, gate);
  vector_resize(&rebuild->list, count);
  for (uint32_t i = 0; i < count; i++)
    rebuild->list.data[i] = rebuild_signal(rebuild, inputs[i]);
}

void rebuild_copy(Rebuild *rebuild, Gate gate) {
  rebuild_inputs(rebuild, gate);
  rebuild_make(rebuild, gate);
}

/* Are the old gates that the new net has as yet mapped to themselves? */
static bool maps_to_same(const Rebuild *rebuild) {
  for (Gate gate = 0; gate < rebuild->to->gates.count; gate++)
    if (rebuild->map[gate] != gate_signal(gate)) return false;
  return true;
}

void rebuild_copy_all(Rebuild *rebuild) {
  const Net *from = rebuild->from;
  if (!rebuild->follows || !maps_to_same(rebuild)) {
    for (Gate gate = 0; gate < from->gates.count; gate++)
      if (rebuild_is_and(rebuild, gate)) rebuild_copy(rebuild, gate);
    return;
  }
  for (Gate gate = rebuild->to->gates.count; gate < from->gates.count; gate++)
    rebuild->map[gate] = gate_signal(gate);
  rebuild->to->gates.count = from->gates.count;
  rebuild->to->inputs.count = from->inputs.count;
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
