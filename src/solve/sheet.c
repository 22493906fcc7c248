/* Gates that read no moves are mapped once for what holds always (end, goals)
   and once for what holds while the game goes on; the others once for each
   move. */
#include "solve/sheet.h"

enum { MOST_WORK = 1 << 24 }; /* moves times gates that read them */

typedef struct Maker {
  Sheet *sheet;
  const Net *net;
  const Signal *fixed;
  bool *reads_moves; /* by gate of the net */
  Signal *map;       /* by gate of the net: in the sheet */
  NumberVector list;
} Maker;

static Signal mapped(const Maker *maker, Signal signal) {
  return maker->map[signal_gate(signal)] ^ (signal & 1);
}

static void map_and(Maker *maker, Gate gate) {
  const NetGate *g = &maker->net->gates.data[gate];
  vector_clear(&maker->list);
  for (uint32_t i = 0; i < g->count; i++)
    vector_push(&maker->list, mapped(maker, net_inputs(maker->net, gate)[i]));
  maker->map[gate] =
      maker->fixed[gate] != sheet_unknown
          ? maker->fixed[gate]
          : net_and(&maker->sheet->net, maker->list.data, maker->list.count);
}

static void map_states(Maker *maker, bool during) {
  const Net *net = maker->net;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    Gate gate = net->fluents.data[i].gate;
    Signal value = maker->fixed[gate];
    if (value == sheet_unknown && during) value = maker->sheet->known[i];
    maker->map[gate] =
        value != sheet_unknown
            ? value
            : gate_signal(maker->sheet->net.fluents.data[i].gate);
  }
  for (Gate gate = 1; gate < net->gates.count; gate++)
    if (net->gates.data[gate].kind == GATE_AND && !maker->reads_moves[gate])
      map_and(maker, gate);
}

static void map_move(Maker *maker, uint32_t move) {
  const Net *net = maker->net;
  uint32_t fluents = net->fluents.count;
  for (uint32_t m = 0; m < net->moves.count; m++)
    maker->map[net->moves.data[m].gate] = m == move;
  for (Gate gate = 1; gate < net->gates.count; gate++)
    if (maker->reads_moves[gate] && net->gates.data[gate].kind == GATE_AND)
      map_and(maker, gate);
  for (uint32_t i = 0; i < fluents; i++)
    maker->sheet->next[(size_t)move * fluents + i] =
        mapped(maker, net->fluents.data[i].next);
}

/* Returns the number of gates that read moves. */
static uint32_t find_readers(Maker *maker) {
  const Net *net = maker->net;
  uint32_t readers = 0;
  for (Gate gate = 1; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    maker->reads_moves[gate] = g->kind == GATE_MOVE;
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      if (maker->reads_moves[signal_gate(net_inputs(net, gate)[i])])
        maker->reads_moves[gate] = true;
    readers += maker->reads_moves[gate];
  }
  return readers;
}

static void know(Sheet *sheet, Signal signal) {
  const NetGate *g = &sheet->from->gates.data[signal_gate(signal)];
  if (g->kind == GATE_FLUENT)
    sheet->known[g->first] =
        signal_negated(signal) ? SIGNAL_FALSE : SIGNAL_TRUE;
}

/* Fluents that decide the end alone have one value before it; nets make use of
   this. */
static void find_known(Sheet *sheet) {
  const Net *net = sheet->from;
  Signal on = signal_not(net->terminal);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    sheet->known[i] = sheet_unknown;
  know(sheet, on);
  if (!net_is_and(net, on) || signal_negated(on)) return;
  for (uint32_t i = 0; i < net->gates.data[signal_gate(on)].count; i++)
    know(sheet, net_inputs(net, signal_gate(on))[i]);
}

static void make(Maker *maker) {
  Sheet *sheet = maker->sheet;
  const Net *net = maker->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    net_add_fluent(&sheet->net, net->fluents.data[i].term,
                   net->fluents.data[i].initial);
  map_states(maker, false);
  sheet->terminal = mapped(maker, net->terminal);
  for (uint32_t i = 0; i < net->goals.count; i++)
    vector_push(&sheet->goals, mapped(maker, net->goals.data[i].signal));
  find_known(sheet);
  map_states(maker, true);
  for (uint32_t m = 0; m < net->moves.count; m++) {
    sheet->legal[m] = mapped(maker, net->moves.data[m].legal);
    map_move(maker, m);
  }
}

bool sheet_init(Sheet *sheet, const Net *net, const Signal *fixed) {
  uint32_t gates = net->gates.count, moves = net->moves.count;
  uint32_t fluents = net->fluents.count;
  if (net->role_count != 1 || net->loops.count || !moves || !fluents)
    return false;
  Maker maker = {.sheet = sheet,
                 .net = net,
                 .fixed = fixed,
                 .reads_moves = memory_new(gates * sizeof(bool))};
  bool small = (uint64_t)(find_readers(&maker) + fluents) * moves <= MOST_WORK;
  if (small) {
    *sheet =
        (Sheet){.from = net,
                .next = memory_new((size_t)moves * fluents * sizeof(Signal)),
                .legal = memory_new(moves * sizeof(Signal)),
                .known = memory_new(fluents * sizeof(Signal))};
    net_init(&sheet->net, 1);
    maker.map = memory_new(gates * sizeof(Signal));
    make(&maker);
  }
  memory_delete(maker.reads_moves);
  memory_delete(maker.map);
  vector_free(&maker.list);
  return small;
}

void sheet_free(Sheet *sheet) {
  net_free(&sheet->net);
  memory_delete(sheet->next);
  memory_delete(sheet->legal);
  memory_delete(sheet->known);
  vector_free(&sheet->goals);
}

/* ---- cuts ---- */

uint64_t *sheet_below(const Sheet *sheet, const uint64_t *of_fluent) {
  const Net *net = &sheet->net;
  uint64_t *below = memory_new(net->gates.count * sizeof(uint64_t));
  for (Gate gate = 1; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind == GATE_FLUENT) below[gate] = of_fluent[g->first];
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      below[gate] |= below[signal_gate(net_inputs(net, gate)[i])];
  }
  return below;
}

static void add_once(NumberVector *list, Signal signal) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->data[i] == signal) return;
  vector_push(list, signal);
}

/* Inputs of a mixed AND that read the set alone are one cut together. */
static void cut_mixed(Sheet *sheet, const uint64_t *below, Gate gate,
                      uint64_t own, NumberVector *cuts) {
  NumberVector list = {0};
  uint32_t count = sheet->net.gates.data[gate].count;
  for (uint32_t i = 0; i < count; i++) {
    Signal input = net_inputs(&sheet->net, gate)[i];
    if (below[signal_gate(input)] == own) vector_push(&list, input);
  }
  if (list.count) add_once(cuts, net_and(&sheet->net, list.data, list.count));
  vector_free(&list);
}

void sheet_cuts(Sheet *sheet, const uint64_t *below, Signal output,
                uint64_t own, NumberVector *cuts) {
  Gate top = signal_gate(output);
  if (!(below[top] & own)) return;
  if (below[top] == own) {
    add_once(cuts, gate_signal(top));
    return;
  }
  bool *wanted = memory_new((top + 1) * sizeof(bool));
  wanted[top] = true;
  for (Gate gate = top + 1; gate-- > 1;) {
    if (!wanted[gate] || !(below[gate] & own) || below[gate] == own) continue;
    cut_mixed(sheet, below, gate, own, cuts);
    for (uint32_t i = 0; i < sheet->net.gates.data[gate].count; i++)
      wanted[signal_gate(net_inputs(&sheet->net, gate)[i])] = true;
  }
  memory_delete(wanted);
}
