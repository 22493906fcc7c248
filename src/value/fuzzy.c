/* The table has (1 − x^(1/q))^q for x from 2^−64 to 1, at 128 places between
   powers of two: the high bits of a float are the place, the low ones say how
   far it is to the next. Between two entries it is a straight line, so it falls
   everywhere, and ½ to the power q, which is between true and false, is its own
   negation exactly. */
#include "value/fuzzy.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

enum {
  SHIFT = 23 - 7, /* of a float's bits, to have 128 steps */
  FIRST = (127 - FUZZY_EXPONENTS) * FUZZY_STEPS,
  ENTRIES = FUZZY_EXPONENTS * FUZZY_STEPS + 1,
  MOST_WORK = 64 /* times that the gates of a stage are evaluated, on average */
};

static const float between = 0x1p-25f; /* the power of ½ */
/* Within a stage with recursion, gates are evaluated again if a power that they
   read has changed by more than this share. */
static const float settled = 0.001f;

float fuzzy_power(double degree) {
  return (float)pow(1 - degree, FUZZY_Q);
}

double fuzzy_degree(float power) {
  return 1 - pow((double)power, 1.0 / FUZZY_Q);
}

float fuzzy_negation(const Fuzzy *fuzzy, float power) {
  uint32_t bits;
  if (power <= 0) return 1;
  if (power >= 1) return 0;
  memcpy(&bits, &power, sizeof bits);
  uint32_t place = bits >> SHIFT;
  if (place < FIRST) return fuzzy->table[0];
  const float *entry = fuzzy->table + (place - FIRST);
  float part = (float)(bits & ((1u << SHIFT) - 1)) / (float)(1u << SHIFT);
  return entry[0] + (entry[1] - entry[0]) * part;
}

static void make_table(Fuzzy *fuzzy) {
  fuzzy->table = memory_new(ENTRIES * sizeof *fuzzy->table);
  for (uint32_t i = 0; i < ENTRIES; i++) {
    uint32_t bits = (FIRST + i) << SHIFT;
    float power;
    memcpy(&power, &bits, sizeof power);
    fuzzy->table[i] = fuzzy_power(1 - fuzzy_degree(power));
  }
  fuzzy->table[(FUZZY_EXPONENTS - FUZZY_Q) * FUZZY_STEPS] = between;
}

/* A conjunction that falls when loop variables of its stage rise is a
   disjunction that is read negated. */
static void find_maxima(Fuzzy *fuzzy) {
  const Cone *cone = fuzzy->cone;
  int8_t *rises = memory_new(cone->gates.count * sizeof *rises);
  for (uint32_t s = 0; s + 1 < cone->stages.count; s++)
    for (uint32_t g = cone->stages.data[s]; g < cone->stages.data[s + 1]; g++) {
      const ConeGate *gate = &cone->gates.data[g];
      if (gate->kind == GATE_LOOP) rises[g] = 1;
      for (uint32_t i = 0; gate->kind == GATE_AND && i < gate->count; i++) {
        Reading input = cone->inputs.data[gate->first + i];
        if (reading_gate(input) >= cone->stages.data[s] &&
            rises[reading_gate(input)])
          rises[g] = input & 1 ? (int8_t)-rises[reading_gate(input)]
                               : rises[reading_gate(input)];
      }
      fuzzy->maximum[g] = rises[g] < 0;
    }
  memory_delete(rises);
}

/* Advances place[g] for every reader of a gate g in its stage, and notes the
   reader there if `readers` is set. */
static void list_readers(Fuzzy *fuzzy, uint32_t from, uint32_t to,
                         uint32_t *place, uint32_t *readers) {
  const Cone *cone = fuzzy->cone;
  for (uint32_t g = from; g < to; g++) {
    const ConeGate *gate = &cone->gates.data[g];
    uint32_t count = gate->kind == GATE_LOOP ? 1 : gate->count;
    if (gate->kind != GATE_LOOP && gate->kind != GATE_AND) continue;
    for (uint32_t i = 0; i < count; i++) {
      Reading input = gate->kind == GATE_LOOP
                          ? gate->first
                          : cone->inputs.data[gate->first + i];
      uint32_t read = reading_gate(input);
      if (read < from) continue;
      if (readers) readers[place[read]] = g;
      place[read]++;
    }
  }
}

static bool has_loops(const Cone *cone, uint32_t from, uint32_t to) {
  for (uint32_t g = from; g < to; g++)
    if (cone->gates.data[g].kind == GATE_LOOP) return true;
  return false;
}

static void find_readers(Fuzzy *fuzzy) {
  const Cone *cone = fuzzy->cone;
  uint32_t *place = memory_new((cone->gates.count + 1) * sizeof *place);
  fuzzy->first = memory_new((cone->gates.count + 1) * sizeof *fuzzy->first);
  for (int noting = 0; noting < 2; noting++) {
    for (uint32_t s = 0; s + 1 < cone->stages.count; s++) {
      uint32_t from = cone->stages.data[s], to = cone->stages.data[s + 1];
      if (has_loops(cone, from, to))
        list_readers(fuzzy, from, to, place, fuzzy->readers);
    }
    if (noting) break;
    for (uint32_t g = 0; g < cone->gates.count; g++)
      fuzzy->first[g + 1] = fuzzy->first[g] + place[g];
    memcpy(place, fuzzy->first, cone->gates.count * sizeof *place);
    fuzzy->readers = memory_new((fuzzy->first[cone->gates.count] + 1) *
                                sizeof *fuzzy->readers);
  }
  memory_delete(place);
}

void fuzzy_init(Fuzzy *fuzzy, const Cone *cone) {
  *fuzzy = (Fuzzy){.cone = cone, .threshold = fuzzy_power(fuzzy_t)};
  fuzzy->maximum = memory_new((cone->gates.count + 1) * sizeof(bool));
  make_table(fuzzy);
  find_maxima(fuzzy);
  find_readers(fuzzy);
}

void fuzzy_free(Fuzzy *fuzzy) {
  memory_delete(fuzzy->maximum);
  memory_delete(fuzzy->first);
  memory_delete(fuzzy->readers);
  memory_delete(fuzzy->table);
}

static void conjoin(const Fuzzy *fuzzy, uint32_t g, float *power) {
  const ConeGate *gate = &fuzzy->cone->gates.data[g];
  const Reading *inputs = fuzzy->cone->inputs.data + gate->first;
  float sum = 0, largest = 0;
  for (uint32_t i = 0; i < gate->count; i++) {
    float own = power[inputs[i]];
    sum += own;
    largest = own > largest ? own : largest;
  }
  if (fuzzy->maximum[g]) sum = largest;
  if (largest < between && sum > fuzzy->threshold) sum = fuzzy->threshold;
  if (sum > 1) sum = 1;
  power[2 * g] = sum;
  power[2 * g + 1] = fuzzy_negation(fuzzy, sum);
}

static void evaluate(const Fuzzy *fuzzy, uint32_t g, float *power) {
  const ConeGate *gate = &fuzzy->cone->gates.data[g];
  if (gate->kind == GATE_AND) conjoin(fuzzy, g, power);
  if (gate->kind != GATE_LOOP) return;
  power[2 * g] = power[gate->first];
  power[2 * g + 1] = power[gate->first ^ 1];
}

/* Variables start false and rise: what reads a gate that changed is due again.
   Gates are looked at in order, round by round, so that a round does most of
   the work. Where it takes too long, variables stay lower than they should
   be. */
static void settle(const Fuzzy *fuzzy, uint32_t from, uint32_t to,
                   float *power) {
  bool due[CONE_LARGEST];
  bool changed = true;
  uint64_t work = (uint64_t)MOST_WORK * (to - from);
  for (uint32_t g = from; g < to; g++) {
    const ConeGate *gate = &fuzzy->cone->gates.data[g];
    bool sum = gate->kind == GATE_AND;
    due[g] = sum || reading_gate(gate->first) < from;
    if (sum) power[2 * g] = power[2 * g + 1] = -1; /* unlike any */
  }
  while (changed) {
    changed = false;
    for (uint32_t g = from; g < to && work; g++) {
      if (!due[g]) continue;
      work--;
      float before[2] = {power[2 * g], power[2 * g + 1]};
      due[g] = false;
      evaluate(fuzzy, g, power);
      if (fabsf(power[2 * g] - before[0]) <= settled * power[2 * g] &&
          fabsf(power[2 * g + 1] - before[1]) <= settled * power[2 * g + 1])
        continue;
      changed = true;
      for (uint32_t i = fuzzy->first[g]; i < fuzzy->first[g + 1]; i++)
        due[fuzzy->readers[i]] = true;
    }
  }
}

void fuzzy_run(const Fuzzy *fuzzy, float *power) {
  const Cone *cone = fuzzy->cone;
  for (uint32_t g = 0; g < cone->gates.count; g++) {
    GateKind kind = cone->gates.data[g].kind;
    if (kind != GATE_CONSTANT && kind != GATE_LOOP) continue;
    power[2 * g] = 1;
    power[2 * g + 1] = 0;
  }
  for (uint32_t s = 0; s + 1 < cone->stages.count; s++) {
    uint32_t from = cone->stages.data[s], to = cone->stages.data[s + 1];
    if (fuzzy->first[to] > fuzzy->first[from])
      settle(fuzzy, from, to, power);
    else
      for (uint32_t g = from; g < to; g++) evaluate(fuzzy, g, power);
  }
}
