/* Events in a circuit. Invariants: counts[s] of an AND is the number of inputs,
   without the guard, that are false by the value they last told; its bit in
   `ready` says whether that is 0; the bit of a slot that is not an output says
   whether its value differs from the one last told. Readers come after what
   they read, so one pass over the bits in order visits each gate at most once,
   and a gate that changes back and forth is not visited at all. A recursive
   component is a segment of its own: its variables are inputs of its ANDs, set
   from their definitions until nothing changes. */
#include "scalar/circuit.h"

#include "base/bits.h"

/* The slot's count has become 0, or was 0 until now. */
static inline void cross(Circuit *circuit, uint32_t slot) {
  uint32_t guarded = circuit->guarded[slot];
  bits_flip(circuit->ready, guarded);
  if (circuit->open[guarded >> 6]) bits_flip(circuit->bits, slot);
}

/* One input has become true. */
static inline void gain(Circuit *circuit, const uint32_t *at,
                        const uint32_t *end) {
  for (; at < end; at++)
    if (--circuit->counts[*at] == 0) cross(circuit, *at);
}

static inline void lose(Circuit *circuit, const uint32_t *at,
                        const uint32_t *end) {
  for (; at < end; at++)
    if (circuit->counts[*at]++ == 0) cross(circuit, *at);
}

static void swing_guards(Circuit *circuit, const uint32_t *at,
                         const uint32_t *end, bool value) {
  for (; at < end; at++) {
    uint32_t word = *at >> 1;
    circuit->open[word] = value != (*at & 1);
    for (uint64_t bits = circuit->ready[word]; bits; bits &= bits - 1)
      bits_flip(circuit->bits,
                circuit->members[word << 6 | (uint32_t)__builtin_ctzll(bits)]);
  }
}

static void mark_loops(Circuit *circuit, const uint32_t *at,
                       const uint32_t *end, bool value) {
  for (; at < end; at++) {
    CircuitLoop *loop = &circuit->loops.data[*at >> 1];
    loop->touched = true;
    loop->shrinks |= (*at & 1) == value;
  }
}

static inline void tell(Circuit *circuit, uint32_t slot, bool value) {
  const CircuitSlot *s = &circuit->slots[slot];
  const uint32_t *readers = circuit->readers;
  const uint32_t *first = readers + s->first, *negated = readers + s->negated;
  const uint32_t *outputs = readers + s->outputs, *guards = readers + s->guards;
  const uint32_t *marks = readers + s->marks, *end = readers + s[1].first;
  if (value) {
    gain(circuit, first, negated);
    lose(circuit, negated, outputs);
  } else {
    lose(circuit, first, negated);
    gain(circuit, negated, outputs);
  }
  for (; outputs < guards; outputs++) bits_flip(circuit->bits, *outputs);
  swing_guards(circuit, guards, marks, value);
  mark_loops(circuit, marks, end, value);
}

static void flip(Circuit *circuit, uint32_t slot) {
  circuit->counts[slot] ^= 1;
  tell(circuit, slot, circuit->counts[slot] == 0);
}

void circuit_flip_fluent(Circuit *circuit, uint32_t fluent) {
  for (int region = 0; region < REGION_COUNT; region++)
    circuit->settled[region] = false;
  flip(circuit, circuit->first_fluent + fluent);
}

void circuit_flip_move(Circuit *circuit, uint32_t move) {
  circuit->settled[REGION_NEXT] = false;
  flip(circuit, circuit->first_move + move);
}

static void run(Circuit *circuit, const CircuitSegment *segment) {
  for (uint32_t w = segment->first; w < segment->end; w++)
    while (circuit->bits[w]) {
      uint32_t slot = w << 6 | (uint32_t)__builtin_ctzll(circuit->bits[w]);
      circuit->bits[w] &= circuit->bits[w] - 1;
      tell(circuit, slot,
           circuit->counts[slot] == 0 &&
               circuit->open[circuit->guarded[slot] >> 6]);
    }
}

/* Sets every variable whose definition holds; returns false if none does. */
static bool grow(Circuit *circuit, const CircuitLoop *loop) {
  bool changed = false;
  for (uint32_t i = 0; i < loop->count; i++) {
    uint32_t slot = loop->first + i;
    uint32_t bit = circuit->definition_bit + slot - circuit->first_loop;
    if (!circuit->counts[slot] || !circuit_output(circuit, bit)) continue;
    flip(circuit, slot);
    changed = true;
  }
  return changed;
}

/* Iterates to the least fixpoint: from the last one if changes can only have
   added to it, and else from nothing. */
static void iterate(Circuit *circuit, const CircuitSegment *segment) {
  CircuitLoop *loop = &circuit->loops.data[segment->loop - 1];
  if (!loop->touched) return;
  for (uint32_t i = 0; loop->shrinks && i < loop->count; i++)
    if (!circuit->counts[loop->first + i]) flip(circuit, loop->first + i);
  do run(circuit, segment);
  while (grow(circuit, loop));
  loop->touched = loop->shrinks = false;
}

static void settle(Circuit *circuit, Region region) {
  if (circuit->settled[region]) return;
  for (uint32_t i = circuit->region_first[region];
       i < circuit->region_first[region + 1]; i++) {
    const CircuitSegment *segment = &circuit->segments.data[i];
    run(circuit, segment);
    if (segment->loop) iterate(circuit, segment);
  }
  circuit->settled[region] = true;
}

void circuit_settle(Circuit *circuit, Region region) {
  settle(circuit, REGION_BASE);
  if (region == REGION_BASE) return;
  settle(circuit, REGION_SHARED);
  if (region != REGION_SHARED) settle(circuit, region);
}
