/* Slot 0 is the constant false. The inner loop is over the words of one slot,
   which compilers turn into vector operations. */
#include "solve/slate.h"

static void mark(const Net *net, bool *wanted) {
  for (Gate gate = net->gates.count; gate-- > 0;) {
    const NetGate *g = &net->gates.data[gate];
    for (uint32_t i = 0; wanted[gate] && g->kind == GATE_AND && i < g->count;
         i++)
      wanted[signal_gate(net_inputs(net, gate)[i])] = true;
  }
}

void slate_init(Slate *slate, const Net *net, const Signal *wanted,
                uint32_t count) {
  uint32_t gates = net->gates.count;
  bool *read = memory_new(gates * sizeof(bool));
  *slate = (Slate){.slots = 1};
  slate->slot_of = memory_new(gates * sizeof(uint32_t));
  for (uint32_t i = 0; i < count; i++) read[signal_gate(wanted[i])] = true;
  mark(net, read);
  for (Gate gate = 1; gate < gates; gate++)
    if (read[gate] && net->gates.data[gate].kind == GATE_FLUENT)
      slate->slot_of[gate] = slate->slots++;
  slate->first_and = slate->slots;
  for (Gate gate = 1; gate < gates; gate++) {
    const NetGate *g = &net->gates.data[gate];
    if (!read[gate] || g->kind != GATE_AND) continue;
    slate->slot_of[gate] = slate->slots++;
    vector_push(&slate->steps, g->count);
    for (uint32_t i = 0; i < g->count; i++) {
      Signal input = net_inputs(net, gate)[i];
      vector_push(&slate->steps,
                  slate->slot_of[signal_gate(input)] << 1 | (input & 1));
    }
  }
  memory_delete(read);
  slate->values =
      memory_new_aligned((size_t)slate->slots * SLATE_WORDS * sizeof(uint64_t));
}

void slate_free(Slate *slate) {
  memory_delete(slate->values);
  memory_delete(slate->slot_of);
  vector_free(&slate->steps);
}

uint64_t *slate_input(Slate *slate, Gate gate) {
  uint32_t slot = slate->slot_of[gate];
  return slot ? slate->values + (size_t)slot * SLATE_WORDS : NULL;
}

void slate_run(Slate *slate) {
  const uint32_t *step = slate->steps.data;
  for (uint32_t slot = slate->first_and; slot < slate->slots; slot++) {
    uint32_t count = *step++;
    uint64_t value[SLATE_WORDS];
    for (uint32_t w = 0; w < SLATE_WORDS; w++) value[w] = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++, step++) {
      const uint64_t *input =
          slate->values + (size_t)(*step >> 1) * SLATE_WORDS;
      uint64_t flip = *step & 1 ? UINT64_MAX : 0;
      for (uint32_t w = 0; w < SLATE_WORDS; w++) value[w] &= input[w] ^ flip;
    }
    for (uint32_t w = 0; w < SLATE_WORDS; w++)
      slate->values[(size_t)slot * SLATE_WORDS + w] = value[w];
  }
}

/* Warren, Hacker's Delight, section 7-3, for 64 bits with the lowest first. */
void slate_transpose(uint64_t block[64]) {
  uint64_t mask = 0x00000000ffffffffu;
  for (uint32_t width = 32; width; width >>= 1, mask ^= mask << width)
    for (uint32_t i = 0; i < 64; i = (i + width + 1) & ~width) {
      uint64_t swap = (block[i] >> width ^ block[i + width]) & mask;
      block[i] ^= swap << width;
      block[i + width] ^= swap;
    }
}
