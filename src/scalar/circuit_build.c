/* From a net to a circuit: slots for the gates that an output needs, then the
   lists of their readers, counted first and filled in a second pass. Outputs,
   fluents, variables, moves and each segment begin at a multiple of 64 slots.
 */
#include "base/bits.h"
#include "scalar/circuit_plan.h"

static const uint32_t no_slot = UINT32_MAX;
enum { PLAIN, NEGATED, OUTPUT, GUARD, MARK, READER_KINDS };

typedef struct Builder {
  Circuit *circuit;
  const Net *net;
  CircuitPlan plan;
  uint32_t *loop;    /* by component: the loop's number, from 1; 0: none */
  uint32_t *slot;    /* by gate */
  uint32_t *output;  /* by gate: its output bit, if it has one */
  uint32_t *outputs; /* by gate: how many it has */
  uint32_t
      *next_member; /* by signal that guards: its next free bit of `ready` */
  uint32_t *cursor; /* by slot and kind: where the next reader goes */
  bool filling;     /* readers; else counting them */
} Builder;

static void align(uint32_t *number) {
  *number = (*number + 63) & ~(uint32_t)63;
}

static bool is_and(const Builder *builder, Gate gate) {
  return builder->net->gates.data[gate].kind == GATE_AND;
}

/* ---- outputs ---- */

static void place_outputs(Circuit *circuit, const Net *net) {
  uint32_t bits = net->fluents.count;
  align(&bits);
  circuit->legal_word = memory_new((net->role_count + 1) * sizeof(uint32_t));
  for (uint32_t role = 0; role < net->role_count; role++) {
    circuit->legal_word[role] = bits >> 6;
    bits += net->role_first.data[role + 1] - net->role_first.data[role];
    align(&bits);
  }
  circuit->legal_word[net->role_count] = bits >> 6;
  circuit->terminal_bit = bits++;
  circuit->goal_bit = bits;
  bits += net->goals.count;
  circuit->definition_bit = bits;
  bits += net->loops.count;
  align(&bits);
  circuit->slot_count = bits;
}

typedef void Visit(Builder *builder, Signal signal, uint32_t bit);

static uint32_t definition_bit(const Builder *builder, const NetLoop *loop) {
  const Circuit *circuit = builder->circuit;
  return circuit->definition_bit + builder->slot[loop->gate] -
         circuit->first_loop;
}

static void visit_outputs(Builder *builder, Visit *visit) {
  Circuit *circuit = builder->circuit;
  const Net *net = builder->net;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    visit(builder, net->fluents.data[i].next, i);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    uint32_t role = net->moves.data[i].role;
    visit(builder, net->moves.data[i].legal,
          circuit->legal_word[role] * 64 + i - net->role_first.data[role]);
  }
  for (uint32_t i = 0; i < net->goals.count; i++)
    visit(builder, net->goals.data[i].signal, circuit->goal_bit + i);
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (builder->plan.cones[net->loops.data[i].gate])
      visit(builder, net->loops.data[i].definition,
            definition_bit(builder, &net->loops.data[i]));
  visit(builder, net->terminal, circuit->terminal_bit);
}

static void count_output(Builder *builder, Signal signal, uint32_t bit) {
  builder->output[signal_gate(signal)] = bit;
  builder->outputs[signal_gate(signal)]++;
}

/* A definition outside its loop marks it. */
static bool marks_loop(const Builder *builder, const NetLoop *loop) {
  const uint32_t *component = builder->plan.component;
  return component[signal_gate(loop->definition)] != component[loop->gate];
}

static void count_outputs(Builder *builder) {
  const Net *net = builder->net;
  visit_outputs(builder, count_output);
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (marks_loop(builder, &net->loops.data[i]))
      builder->outputs[signal_gate(net->loops.data[i].definition)]++;
}

/* True if one output reads it and nothing else. */
static bool is_leaf(const Builder *builder, Gate gate) {
  const CircuitPlan *plan = &builder->plan;
  Signal plain = gate_signal(gate), negated = signal_not(plain);
  return builder->outputs[gate] == 1 && !plan->reads[plain] &&
         !plan->reads[negated] && !plan->guards[plain] &&
         !plan->guards[negated];
}

/* ---- slots ---- */

/* Variables go by component, so that those of a loop are adjacent. */
static void place_loops(Builder *builder) {
  Circuit *circuit = builder->circuit;
  const Net *net = builder->net;
  builder->loop = memory_new(builder->plan.component_count * sizeof(uint32_t));
  for (uint32_t i = 0; net->loops.count && i < net->gates.count; i++) {
    Gate gate = builder->plan.order[i];
    uint32_t *loop = &builder->loop[builder->plan.component[gate]];
    if (net->gates.data[gate].kind != GATE_LOOP) continue;
    if (!*loop) {
      CircuitLoop new = {circuit->slot_count, 0, true, true};
      vector_push(&circuit->loops, new);
      *loop = circuit->loops.count;
    }
    circuit->loops.data[*loop - 1].count++;
    builder->slot[gate] = circuit->slot_count++;
  }
}

static void place_inputs(Builder *builder) {
  Circuit *circuit = builder->circuit;
  const Net *net = builder->net;
  circuit->first_fluent = circuit->slot_count;
  for (uint32_t i = 0; i < net->fluents.count; i++)
    builder->slot[net->fluents.data[i].gate] = circuit->slot_count++;
  align(&circuit->slot_count);
  circuit->first_loop = circuit->slot_count;
  place_loops(builder);
  align(&circuit->slot_count);
  circuit->first_move = circuit->slot_count;
  for (uint32_t i = 0; i < net->moves.count; i++)
    builder->slot[net->moves.data[i].gate] = circuit->slot_count++;
}

static void end_segment(Circuit *circuit, uint32_t *start, uint32_t loop) {
  align(&circuit->slot_count);
  CircuitSegment segment = {*start >> 6, circuit->slot_count >> 6, loop};
  if (segment.first < segment.end || loop)
    vector_push(&circuit->segments, segment);
  *start = circuit->slot_count;
}

static void place_region(Builder *builder, Region region) {
  Circuit *circuit = builder->circuit;
  const CircuitPlan *plan = &builder->plan;
  align(&circuit->slot_count);
  uint32_t start = circuit->slot_count;
  for (uint32_t c = 0; c < plan->component_count; c++) {
    const uint32_t *gate = plan->order + plan->order_first[c];
    const uint32_t *end = plan->order + plan->order_first[c + 1];
    if (!plan->cones[*gate] || circuit_plan_region(plan, *gate) != region)
      continue;
    if (builder->loop[c]) end_segment(circuit, &start, 0);
    for (; gate < end; gate++)
      if (is_and(builder, *gate))
        builder->slot[*gate] = is_leaf(builder, *gate) ? builder->output[*gate]
                                                       : circuit->slot_count++;
    if (builder->loop[c]) end_segment(circuit, &start, builder->loop[c]);
  }
  end_segment(circuit, &start, 0);
}

static void place_gates(Builder *builder) {
  Circuit *circuit = builder->circuit;
  uint32_t gates = builder->net->gates.count;
  builder->slot = memory_new(gates * sizeof(uint32_t));
  builder->output = memory_new(gates * sizeof(uint32_t));
  builder->outputs = memory_new(gates * sizeof(uint32_t));
  for (Gate gate = 0; gate < gates; gate++) builder->slot[gate] = no_slot;
  place_inputs(builder);
  count_outputs(builder);
  for (Region region = 0; region < REGION_COUNT; region++) {
    circuit->region_first[region] = circuit->segments.count;
    place_region(builder, region);
  }
  circuit->region_first[REGION_COUNT] = circuit->segments.count;
}

/* ---- readers ---- */

static void add_reader(Builder *builder, Signal signal, uint32_t kind,
                       uint32_t entry) {
  uint32_t slot = builder->slot[signal_gate(signal)];
  uint32_t *cursor = &builder->cursor[slot * READER_KINDS + kind];
  if (builder->filling) builder->circuit->readers[*cursor] = entry;
  ++*cursor;
}

/* A leaf is its output. A constant is set once. */
static void add_output(Builder *builder, Signal signal, uint32_t bit) {
  Gate gate = signal_gate(signal);
  if (signal_negated(signal) && !builder->filling)
    bits_add(builder->circuit->bits, bit);
  if (gate && builder->slot[gate] != bit)
    add_reader(builder, signal, OUTPUT, bit);
}

/* The loop reads the signal, directly or through an AND of the parity. */
static void add_marks(Builder *builder, Signal signal, uint32_t loop,
                      uint8_t parity) {
  uint32_t mark = (loop - 1) << 1;
  if (!signal_gate(signal)) return;
  if (parity & 1)
    add_reader(builder, signal, MARK, mark | signal_negated(signal));
  if (parity & 2)
    add_reader(builder, signal, MARK, mark | !signal_negated(signal));
}

static void add_and(Builder *builder, Gate gate) {
  const CircuitPlan *plan = &builder->plan;
  uint32_t component = plan->component[gate];
  for (uint32_t i = 0; i < plan->count[gate]; i++) {
    Signal input = circuit_plan_inputs(plan, gate)[i];
    if (input != plan->guard[gate])
      add_reader(builder, input, signal_negated(input) ? NEGATED : PLAIN,
                 builder->slot[gate]);
    if (builder->loop[component] &&
        plan->component[signal_gate(input)] != component)
      add_marks(builder, input, builder->loop[component], plan->parity[gate]);
  }
}

static void add_readers(Builder *builder) {
  const Net *net = builder->net;
  const CircuitPlan *plan = &builder->plan;
  for (uint32_t i = 0; i < net->gates.count; i++)
    if (is_and(builder, plan->order[i]) && plan->cones[plan->order[i]])
      add_and(builder, plan->order[i]);
  for (Signal signal = 2; signal < net->gates.count * 2; signal++)
    for (uint32_t i = 0; i < plan->guards[signal]; i += 64)
      add_reader(builder, signal, GUARD,
                 ((builder->next_member[signal] + i) >> 6) << 1 |
                     signal_negated(signal));
  for (uint32_t i = 0; i < net->loops.count; i++)
    if (plan->cones[net->loops.data[i].gate] &&
        marks_loop(builder, &net->loops.data[i]))
      add_marks(builder, net->loops.data[i].definition,
                builder->loop[plan->component[net->loops.data[i].gate]], 1);
  visit_outputs(builder, add_output);
}

/* From counts by slot and kind to where each list begins. */
static void sum_cursors(Builder *builder) {
  Circuit *circuit = builder->circuit;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < circuit->slot_count * READER_KINDS; i++) {
    uint32_t count = builder->cursor[i];
    builder->cursor[i] = sum;
    sum += count;
  }
  for (uint32_t s = 0; s < circuit->slot_count; s++) {
    const uint32_t *first = builder->cursor + s * READER_KINDS;
    circuit->slots[s] = (CircuitSlot){first[PLAIN], first[NEGATED],
                                      first[OUTPUT], first[GUARD], first[MARK]};
  }
  circuit->slots[circuit->slot_count].first = sum;
  circuit->readers = memory_new((sum + 1) * sizeof *circuit->readers);
}

/* ---- guards and counts ---- */

/* Each guarding signal has its own words of `ready`. */
static void place_guards(Builder *builder) {
  Circuit *circuit = builder->circuit;
  uint32_t signals = builder->net->gates.count * 2, bits = 64;
  builder->next_member = memory_new(signals * sizeof(uint32_t));
  for (Signal signal = 0; signal < signals; signal++) {
    builder->next_member[signal] = bits;
    bits += builder->plan.guards[signal];
    align(&bits);
  }
  circuit->ready_words = bits >> 6;
  circuit->ready = memory_new(circuit->ready_words * sizeof(uint64_t));
  circuit->open = memory_new(circuit->ready_words * sizeof(bool));
  circuit->members = memory_new(bits * sizeof(uint32_t));
  circuit->open[0] = true;
  for (Signal signal = 1; signal < signals; signal += 2)
    for (uint32_t i = 0; i < builder->plan.guards[signal]; i += 64)
      circuit->open[(builder->next_member[signal] + i) >> 6] = true;
}

static void join_guard(Builder *builder, Gate gate) {
  Circuit *circuit = builder->circuit;
  Signal guard = builder->plan.guard[gate];
  if (!guard) return;
  uint32_t bit = builder->next_member[guard]++;
  circuit->guarded[builder->slot[gate]] = bit;
  circuit->members[bit] = builder->slot[gate];
}

/* All values were last told as false; those that are true are pending. */
static void set_count(Builder *builder, Gate gate) {
  Circuit *circuit = builder->circuit;
  uint32_t slot = builder->slot[gate], guarded = circuit->guarded[slot];
  uint32_t *count = &circuit->counts[slot];
  *count = 0;
  for (uint32_t i = 0; i < builder->plan.count[gate]; i++) {
    Signal input = circuit_plan_inputs(&builder->plan, gate)[i];
    *count += !signal_negated(input) && input != builder->plan.guard[gate];
  }
  if (*count) return;
  bits_add(circuit->ready, guarded);
  if (circuit->open[guarded >> 6]) bits_flip(circuit->bits, slot);
}

static void set_counts(Builder *builder) {
  Circuit *circuit = builder->circuit;
  for (uint32_t slot = 0; slot < circuit->slot_count; slot++)
    circuit->counts[slot] = 1;
  for (uint32_t i = 0; i < builder->net->gates.count; i++) {
    Gate gate = builder->plan.order[i];
    if (!is_and(builder, gate) || !builder->plan.cones[gate]) continue;
    join_guard(builder, gate);
    set_count(builder, gate);
  }
}

/* ---- the whole ---- */

static void free_builder(Builder *builder) {
  circuit_plan_free(&builder->plan);
  memory_delete(builder->loop);
  memory_delete(builder->slot);
  memory_delete(builder->output);
  memory_delete(builder->outputs);
  memory_delete(builder->next_member);
  memory_delete(builder->cursor);
}

static void make_room(Builder *builder) {
  Circuit *circuit = builder->circuit;
  uint32_t slots = circuit->slot_count;
  circuit->slots = memory_new((slots + 1) * sizeof(CircuitSlot));
  circuit->counts = memory_new(slots * sizeof(uint32_t));
  circuit->guarded = memory_new(slots * sizeof(uint32_t));
  circuit->bits = memory_new(bits_words(slots) * sizeof(uint64_t));
  builder->cursor = memory_new(slots * READER_KINDS * sizeof(uint32_t));
}

void circuit_init(Circuit *circuit, const Net *net) {
  *circuit = (Circuit){0};
  Builder builder = {.circuit = circuit, .net = net};
  circuit_plan_init(&builder.plan, net);
  place_outputs(circuit, net);
  place_gates(&builder);
  make_room(&builder);
  place_guards(&builder);
  add_readers(&builder);
  sum_cursors(&builder);
  builder.filling = true;
  add_readers(&builder);
  set_counts(&builder);
  free_builder(&builder);
  for (Region region = 0; region < REGION_COUNT; region++)
    circuit_settle(circuit, region);
}

void circuit_free(Circuit *circuit) {
  memory_delete(circuit->slots);
  memory_delete(circuit->readers);
  memory_delete(circuit->counts);
  memory_delete(circuit->bits);
  memory_delete(circuit->guarded);
  memory_delete(circuit->ready);
  memory_delete(circuit->open);
  memory_delete(circuit->members);
  memory_delete(circuit->legal_word);
  vector_free(&circuit->segments);
  vector_free(&circuit->loops);
}
