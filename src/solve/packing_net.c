/* The fluents of the net become conjunctions of key bits, the next value of a
   key bit the disjunction of the next values of the fluents whose numbers have
   it. Fluents that keep their value are constants. */
#include "base/bits.h"
#include "solve/packing.h"

enum { MANY = 256 }; /* numbers of a field */

typedef struct Making {
  const Packing *packing;
  const Net *from;
  Net *to;
  Signal *map;       /* by gate of `from` */
  uint32_t *first;   /* by field: the fluent of `to` that is its first bit */
  NumberVector list; /* of signals */
} Making;

static Signal mapped(const Making *making, Signal signal) {
  return making->map[signal_gate(signal)] ^ (signal & 1);
}

static uint32_t number_of(const PackingField *field, uint32_t i) {
  return i + !field->exactly;
}

/* ---- inputs ---- */

static void find_first_bits(Making *making) {
  const Packing *packing = making->packing;
  making->first = memory_new((packing->fields.count + 1) * sizeof(uint32_t));
  for (uint32_t i = 0; i < packing->fields.count; i++) {
    uint32_t place = packing->fields.data[i].first;
    making->first[i] = place & 63;
    for (uint32_t w = 0; w < place >> 6; w++)
      making->first[i] += packing->used[w];
  }
}

/* The bits of keys, each with the term of another fluent of its field. */
static void add_bits(Making *making) {
  const Packing *packing = making->packing;
  uint64_t *key = memory_new(packing->words * sizeof *key);
  Term *terms = memory_new((packing->bits + 1) * sizeof *terms);
  packing_pack(packing, packing->start, key);
  for (uint32_t i = 0; i < packing->fields.count; i++) {
    const PackingField *field = &packing->fields.data[i];
    for (uint32_t b = 0; b < field->bits; b++)
      terms[making->first[i] + b] =
          making->from->fluents.data[field->fluents[b]].term;
  }
  for (uint32_t w = 0, bit = 0; w < packing->words; w++)
    for (uint32_t b = 0; b < packing->used[w]; b++, bit++)
      net_add_fluent(making->to, terms[bit], key[w] >> b & 1);
  memory_delete(key);
  memory_delete(terms);
}

static void add_timed(Making *making) {
  const Packing *packing = making->packing;
  for (uint32_t i = 0; i < making->from->fluents.count; i++) {
    const NetFluent *fluent = &making->from->fluents.data[i];
    if (bits_has(packing->timed, i))
      making->map[fluent->gate] =
          net_add_fluent(making->to, fluent->term, bits_has(packing->start, i));
    else if (bits_has(packing->constant, i))
      making->map[fluent->gate] = SIGNAL_TRUE;
  }
}

static void add_other_inputs(Making *making) {
  const Net *from = making->from;
  for (uint32_t m = 0; m < from->moves.count; m++) {
    const NetMove *move = &from->moves.data[m];
    making->map[move->gate] = net_add_move(making->to, move->role, move->term);
  }
  for (uint32_t i = 0; i < from->loops.count; i++) {
    const NetLoop *loop = &from->loops.data[i];
    making->map[loop->gate] = net_add_loop(making->to, loop->block);
  }
}

static Signal bit_signal(const Making *making, uint32_t bit) {
  return gate_signal(making->to->fluents.data[bit].gate);
}

/* The bits that tell a number from all others that the field may have; numbers
   beyond those are never met. */
static uint32_t telling_bits(const PackingField *field, uint32_t number) {
  uint32_t numbers = field->count + !field->exactly;
  uint32_t bits = ((uint32_t)1 << field->bits) - 1;
  if (numbers > MANY) return bits;
  for (uint32_t b = field->bits; b-- > 0;) {
    uint32_t fewer = bits & ~((uint32_t)1 << b), other = 0;
    while (other < numbers &&
           (other == number || ((other ^ number) & fewer) != 0))
      other++;
    if (other == numbers) bits = fewer;
  }
  return bits;
}

/* Maps the fluents of a field to conjunctions of its bits. */
static void decode(Making *making, uint32_t f) {
  const PackingField *field = &making->packing->fields.data[f];
  for (uint32_t i = 0; i < field->count; i++) {
    uint32_t number = number_of(field, i), bits = telling_bits(field, number);
    vector_clear(&making->list);
    for (uint32_t b = 0; b < field->bits; b++)
      if (bits >> b & 1)
        vector_push(&making->list, bit_signal(making, making->first[f] + b) ^
                                       !(number >> b & 1));
    Gate gate = making->from->fluents.data[field->fluents[i]].gate;
    making->map[gate] =
        net_and(making->to, making->list.data, making->list.count);
  }
}

/* ---- gates and outputs ---- */

static void copy_gates(Making *making) {
  const Net *from = making->from;
  for (Gate gate = 0; gate < from->gates.count; gate++) {
    const NetGate *g = &from->gates.data[gate];
    if (g->kind != GATE_AND) continue;
    vector_clear(&making->list);
    for (uint32_t i = 0; i < g->count; i++)
      vector_push(&making->list, mapped(making, net_inputs(from, gate)[i]));
    making->map[gate] =
        net_and(making->to, making->list.data, making->list.count);
  }
}

static void encode(Making *making, uint32_t f) {
  const PackingField *field = &making->packing->fields.data[f];
  for (uint32_t b = 0; b < field->bits; b++) {
    vector_clear(&making->list);
    for (uint32_t i = 0; i < field->count; i++)
      if (number_of(field, i) >> b & 1)
        vector_push(
            &making->list,
            mapped(making, making->from->fluents.data[field->fluents[i]].next));
    Signal next = net_or(making->to, making->list.data, making->list.count);
    making->to->fluents.data[making->first[f] + b].next = next;
  }
}

static void connect(Making *making) {
  const Net *from = making->from;
  Net *to = making->to;
  uint32_t timed = making->packing->bits;
  for (uint32_t i = 0; i < from->fluents.count; i++)
    if (bits_has(making->packing->timed, i))
      to->fluents.data[timed++].next =
          mapped(making, from->fluents.data[i].next);
  for (uint32_t i = 0; i < from->loops.count; i++)
    to->loops.data[i].definition =
        mapped(making, from->loops.data[i].definition);
  for (uint32_t m = 0; m < from->moves.count; m++)
    to->moves.data[m].legal = mapped(making, from->moves.data[m].legal);
  for (uint32_t g = 0; g < from->goals.count; g++) {
    NetGoal goal = from->goals.data[g];
    goal.signal = mapped(making, goal.signal);
    vector_push(&to->goals, goal);
  }
  to->terminal = mapped(making, from->terminal);
  to->beyond_base = mapped(making, from->beyond_base);
  to->beyond_input = mapped(making, from->beyond_input);
}

void packing_net(const Packing *packing, Net *net) {
  Making making = {.packing = packing, .from = packing->net, .to = net};
  making.map = memory_new(packing->net->gates.count * sizeof(Signal));
  net_init(net, packing->net->role_count);
  find_first_bits(&making);
  add_bits(&making);
  add_timed(&making);
  add_other_inputs(&making);
  for (uint32_t i = 0; i < packing->fields.count; i++) decode(&making, i);
  copy_gates(&making);
  for (uint32_t i = 0; i < packing->fields.count; i++) encode(&making, i);
  connect(&making);
  memory_delete(making.map);
  memory_delete(making.first);
  vector_free(&making.list);
}
