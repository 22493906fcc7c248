/* Hash-consed gates in flat arrays. Making a gate folds constants, repetitions
   and contradictions, so that equal ANDs are one gate. */
#include "net/net.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/trial.h"

void net_init(Net *net, uint32_t role_count) {
  *net = (Net){.role_count = role_count};
  vector_push(&net->gates, ((NetGate){GATE_CONSTANT, 0, 0}));
  vector_grow(&net->inputs, 1);
  for (uint32_t role = 0; role <= role_count; role++)
    vector_push(&net->role_first, 0);
}

void net_free(Net *net) {
  vector_free(&net->gates);
  vector_free(&net->inputs);
  vector_free(&net->fluents);
  vector_free(&net->moves);
  vector_free(&net->role_first);
  vector_free(&net->goals);
  vector_free(&net->loops);
  map_free(&net->map);
}

void net_reserve(Net *net, uint32_t gates, uint32_t ands, uint32_t inputs) {
  vector_reserve(&net->gates, gates);
  vector_reserve(&net->inputs, inputs);
  net->room = ands;
}

static Gate add_gate(Net *net, GateKind kind, uint32_t first, uint32_t count) {
  vector_push(&net->gates, ((NetGate){kind, first, count}));
  return net->gates.count - 1;
}

Signal net_add_fluent(Net *net, Term term, bool initial) {
  Gate gate = add_gate(net, GATE_FLUENT, net->fluents.count, 0);
  vector_push(&net->fluents, ((NetFluent){term, initial, gate, SIGNAL_FALSE}));
  return gate_signal(gate);
}

Signal net_add_move(Net *net, uint32_t role, Term term) {
  Gate gate = add_gate(net, GATE_MOVE, net->moves.count, 0);
  vector_push(&net->moves, ((NetMove){role, term, gate, SIGNAL_FALSE}));
  for (uint32_t r = role + 1; r <= net->role_count; r++)
    net->role_first.data[r] = net->moves.count;
  return gate_signal(gate);
}

Signal net_add_loop(Net *net, uint32_t block) {
  Gate gate = add_gate(net, GATE_LOOP, net->loops.count, 0);
  vector_push(&net->loops, ((NetLoop){gate, SIGNAL_FALSE, block}));
  return gate_signal(gate);
}

static int by_number(const void *left, const void *right) {
  Signal a = *(const Signal *)left, b = *(const Signal *)right;
  return (a > b) - (a < b);
}

static void sort(Signal *list, uint32_t count) {
  if (count > 16) {
    qsort(list, count, sizeof *list, by_number);
    return;
  }
  for (uint32_t i = 1; i < count; i++) {
    Signal signal = list[i];
    uint32_t j = i;
    for (; j > 0 && list[j - 1] > signal; j--) list[j] = list[j - 1];
    list[j] = signal;
  }
}

/* Sorts and drops repetitions and true; returns the new count, or UINT32_MAX if
   the conjunction is false. */
static uint32_t normalise(Signal *list, uint32_t count) {
  uint32_t kept = 0;
  sort(list, count);
  for (uint32_t i = 0; i < count; i++) {
    if (list[i] == SIGNAL_FALSE) return UINT32_MAX;
    if (list[i] == SIGNAL_TRUE || (kept && list[kept - 1] == list[i])) continue;
    if (kept && list[kept - 1] == signal_not(list[i])) return UINT32_MAX;
    list[kept++] = list[i];
  }
  return kept;
}

/* Is there nothing to normalise? */
static bool is_normal(const Signal *list, uint32_t count) {
  Gate last = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (signal_gate(list[i]) <= last) return false;
    last = signal_gate(list[i]);
  }
  return true;
}

static uint64_t hash_inputs(const Signal *list, uint32_t count) {
  uint64_t hash = count;
  for (uint32_t i = 0; i < count; i++)
    hash = (hash ^ list[i]) * 0x9e3779b97f4a7c15u;
  return hash_mix(hash);
}

static bool has_inputs(const Net *net, Gate gate, const Signal *list,
                       uint32_t count) {
  const NetGate *g = &net->gates.data[gate];
  const Signal *inputs = net->inputs.data + g->first;
  if (g->count != count) return false;
  for (uint32_t i = 0; i < count; i++)
    if (inputs[i] != list[i]) return false;
  return true;
}

/* Takes the other ANDs into the map. */
static void list_others(Net *net) {
  if (!net->map.slot_count && net->room) map_reset(&net->map, net->room);
  for (; net->listed < net->gates.count; net->listed++) {
    const NetGate *g = &net->gates.data[net->listed];
    if (g->kind == GATE_AND)
      map_add(&net->map, hash_inputs(net->inputs.data + g->first, g->count),
              net->listed);
  }
}

static Signal find_or_add(Net *net, const Signal *list, uint32_t count) {
  uint64_t hash = hash_inputs(list, count);
  MapCursor at;
  if (net->listed < net->gates.count) list_others(net);
  Gate gate = map_first(&net->map, hash, &at);
  for (; gate; gate = map_next(&net->map, &at))
    if (has_inputs(net, gate, list, count)) return gate_signal(gate);
  uint32_t first = net->inputs.count;
  vector_resize(&net->inputs, first + count);
  for (uint32_t i = 0; i < count; i++) net->inputs.data[first + i] = list[i];
  gate = add_gate(net, GATE_AND, first, count);
  map_insert(&net->map, &at, gate);
  net->listed = net->gates.count;
  return gate_signal(gate);
}

Signal net_and(Net *net, Signal *list, uint32_t count) {
  trial_check();
  if (!is_normal(list, count)) count = normalise(list, count);
  if (count == UINT32_MAX) return SIGNAL_FALSE;
  if (count == 0) return SIGNAL_TRUE;
  return count == 1 ? list[0] : find_or_add(net, list, count);
}

Signal net_or(Net *net, Signal *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) list[i] = signal_not(list[i]);
  return signal_not(net_and(net, list, count));
}

static bool same_outputs(const Net *a, const Net *b) {
  for (uint32_t i = 0; i < a->fluents.count; i++)
    if (a->fluents.data[i].next != b->fluents.data[i].next) return false;
  for (uint32_t i = 0; i < a->moves.count; i++)
    if (a->moves.data[i].legal != b->moves.data[i].legal) return false;
  for (uint32_t i = 0; i < a->goals.count; i++)
    if (a->goals.data[i].signal != b->goals.data[i].signal) return false;
  for (uint32_t i = 0; i < a->loops.count; i++)
    if (a->loops.data[i].definition != b->loops.data[i].definition ||
        a->loops.data[i].block != b->loops.data[i].block)
      return false;
  return a->terminal == b->terminal && a->beyond_base == b->beyond_base &&
         a->beyond_input == b->beyond_input;
}

bool net_equal(const Net *a, const Net *b) {
  return a->gates.count == b->gates.count &&
         a->inputs.count == b->inputs.count &&
         a->loops.count == b->loops.count &&
         memcmp(a->gates.data, b->gates.data,
                a->gates.count * sizeof *a->gates.data) == 0 &&
         (!a->inputs.count ||
          memcmp(a->inputs.data, b->inputs.data,
                 a->inputs.count * sizeof *a->inputs.data) == 0) &&
         same_outputs(a, b);
}

uint32_t net_count_ands(const Net *net) {
  uint32_t count = 0;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    count += net->gates.data[gate].kind == GATE_AND;
  return count;
}

uint64_t net_count_edges(const Net *net) {
  uint64_t count = 0;
  for (Gate gate = 0; gate < net->gates.count; gate++)
    if (net->gates.data[gate].kind == GATE_AND)
      count += net->gates.data[gate].count;
  return count;
}

/* ---- text ---- */

static void write_signal(const Net *net, const Terms *terms, Signal signal,
                         Text *text) {
  const NetGate *gate = &net->gates.data[signal_gate(signal)];
  if (gate->kind == GATE_CONSTANT) {
    text_add(text, signal == SIGNAL_TRUE ? "true" : "false");
    return;
  }
  if (signal_negated(signal)) text_add_byte(text, '!');
  if (gate->kind == GATE_FLUENT) {
    term_write(terms, net->fluents.data[gate->first].term, text);
  } else if (gate->kind == GATE_MOVE) {
    const NetMove *move = &net->moves.data[gate->first];
    text_format(text, "does:%u:", move->role);
    term_write(terms, move->term, text);
  } else {
    text_format(text, gate->kind == GATE_LOOP ? "loop%u" : "g%u",
                gate->kind == GATE_LOOP ? gate->first : signal_gate(signal));
  }
}

static void write_output(const Net *net, const Terms *terms, const char *what,
                         Term term, Signal signal, Text *text) {
  text_format(text, "%s ", what);
  if (term) term_write(terms, term, text);
  text_add(text, " = ");
  write_signal(net, terms, signal, text);
  text_add_byte(text, '\n');
}

void net_write(const Net *net, const Terms *terms, Text *text) {
  text_format(text, "; %u fluents, %u moves, %u gates, %llu edges, %u loops\n",
              net->fluents.count, net->moves.count, net_count_ands(net),
              (unsigned long long)net_count_edges(net), net->loops.count);
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (g->kind != GATE_AND) continue;
    text_format(text, "g%u =", gate);
    for (uint32_t i = 0; i < g->count; i++) {
      text_add(text, i ? " & " : " ");
      write_signal(net, terms, net->inputs.data[g->first + i], text);
    }
    text_add_byte(text, '\n');
  }
  for (uint32_t i = 0; i < net->loops.count; i++) {
    text_format(text, "loop%u (block %u) = ", i, net->loops.data[i].block);
    write_signal(net, terms, net->loops.data[i].definition, text);
    text_add_byte(text, '\n');
  }
  for (uint32_t i = 0; i < net->fluents.count; i++)
    write_output(net, terms, net->fluents.data[i].initial ? "next*" : "next",
                 net->fluents.data[i].term, net->fluents.data[i].next, text);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    char what[32];
    snprintf(what, sizeof what, "legal:%u", net->moves.data[i].role);
    write_output(net, terms, what, net->moves.data[i].term,
                 net->moves.data[i].legal, text);
  }
  for (uint32_t i = 0; i < net->goals.count; i++) {
    char what[32];
    snprintf(what, sizeof what, "goal:%u", net->goals.data[i].role);
    write_output(net, terms, what, net->goals.data[i].term,
                 net->goals.data[i].signal, text);
  }
  write_output(net, terms, "terminal", 0, net->terminal, text);
}

static void write_node(const Net *net, const Terms *terms, Gate gate,
                       Text *text) {
  static const char *const shapes[] = {"point", "box", "diamond", "ellipse",
                                       "doublecircle"};
  const NetGate *g = &net->gates.data[gate];
  text_format(text, "  n%u [shape=%s, label=\"", gate, shapes[g->kind]);
  if (g->kind == GATE_AND)
    text_add(text, "&amp;");
  else
    write_signal(net, terms, gate_signal(gate), text);
  text_add(text, "\"];\n");
}

static void write_edge(Signal from, const char *to, Text *text) {
  text_format(text, "  n%u -> %s%s;\n", signal_gate(from), to,
              signal_negated(from) ? " [arrowhead=odot]" : "");
}

void net_write_dot(const Net *net, const Terms *terms, Text *text) {
  char name[32];
  text_add(text, "digraph net {\n  rankdir=LR;\n");
  for (Gate gate = 1; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    write_node(net, terms, gate, text);
    snprintf(name, sizeof name, "n%u", gate);
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      write_edge(net->inputs.data[g->first + i], name, text);
    if (g->kind == GATE_LOOP)
      write_edge(net->loops.data[g->first].definition, name, text);
  }
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    text_format(text, "  next%u [shape=box, style=rounded, label=\"next ", i);
    term_write(terms, net->fluents.data[i].term, text);
    text_add(text, "\"];\n");
    snprintf(name, sizeof name, "next%u", i);
    write_edge(net->fluents.data[i].next, name, text);
  }
  for (uint32_t i = 0; i < net->moves.count; i++) {
    text_format(text, "  legal%u [shape=box, style=rounded, label=\"legal ", i);
    term_write(terms, net->moves.data[i].term, text);
    text_add(text, "\"];\n");
    snprintf(name, sizeof name, "legal%u", i);
    write_edge(net->moves.data[i].legal, name, text);
  }
  for (uint32_t i = 0; i < net->goals.count; i++) {
    text_format(text,
                "  goal%u [shape=box, style=rounded, label=\"goal %u %d\"];\n",
                i, net->goals.data[i].role, net->goals.data[i].value);
    snprintf(name, sizeof name, "goal%u", i);
    write_edge(net->goals.data[i].signal, name, text);
  }
  text_add(text, "  terminal [shape=box, style=rounded];\n");
  write_edge(net->terminal, "terminal", text);
  text_add(text, "}\n");
}
