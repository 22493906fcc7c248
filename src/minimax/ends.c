#include "minimax/ends.h"

#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

/* Larger programs take longer than what they find is worth: 65 gates in
   breakthrough, 600 in checkers, 1,790 in reversi, 24,144 in chess_200, where
   one run takes as long as seven states of the scalar engine. */
enum { GATES_MOST = 6000 };

static void find_support(Ends *ends, const Net *net) {
  bool *seen = memory_new(net->gates.count * sizeof *seen);
  NumberVector stack = {0};
  vector_push(&stack, signal_gate(net->terminal));
  while (stack.count) {
    Gate gate = stack.data[--stack.count];
    const NetGate *g = &net->gates.data[gate];
    if (seen[gate]) continue;
    seen[gate] = true;
    if (g->kind == GATE_FLUENT) bits_add(ends->support, g->first);
    if (g->kind == GATE_LOOP)
      vector_push(&stack, signal_gate(net->loops.data[g->first].definition));
    for (uint32_t i = 0; g->kind == GATE_AND && i < g->count; i++)
      vector_push(&stack, signal_gate(net_inputs(net, gate)[i]));
  }
  vector_free(&stack);
  memory_delete(seen);
}

void ends_init(Ends *ends, const Net *net) {
  *ends = (Ends){.words = (uint32_t)bits_words(net->fluents.count),
                 .mode = {.isa = ISA_PLAIN, .words = 1}};
  ends->support = memory_new(ends->words * sizeof *ends->support);
  ends->program = program_new(net, &net->terminal, 1);
  if (program_gates(ends->program) <= GATES_MOST &&
      program_prepare(ends->program, &ends->mode)) {
    find_support(ends, net);
    return;
  }
  program_delete(ends->program);
  ends->program = NULL;
}

void ends_free(Ends *ends) {
  if (ends->program) program_delete(ends->program);
  memory_delete(ends->support);
}

uint64_t *ends_memory_new(const Ends *ends) {
  size_t vectors = ends->program ? program_vectors(ends->program) : 0;
  size_t blocks = (size_t)ends->words * 64; /* loaded whole */
  if (vectors < blocks) vectors = blocks;
  return memory_new_aligned((vectors * sizeof(uint64_t) + 63) / 64 * 64);
}

/* Transposes a square of 64 × 64 bits (Warren 2013, section 7.3). */
static void transpose(uint64_t *rows) {
  uint64_t mask = 0x00000000ffffffffu;
  for (uint32_t j = 32; j; j >>= 1, mask ^= mask << j)
    for (uint32_t k = 0; k < 64; k = (k + j + 1) & ~j) {
      uint64_t t = (rows[k] >> j ^ rows[k + j]) & mask;
      rows[k] ^= t << j;
      rows[k + j] ^= t;
    }
}

uint64_t ends_find(const Ends *ends, uint64_t *memory,
                   const uint64_t *const *states, uint32_t count) {
  uint64_t rows[64];
  for (uint32_t w = 0; w < ends->words; w++) {
    if (!ends->support[w]) continue;
    memset(rows + count, 0, (64 - count) * sizeof *rows);
    for (uint32_t i = 0; i < count; i++) rows[i] = states[i][w];
    transpose(rows);
    for (uint64_t left = ends->support[w]; left;) {
      uint32_t bit = bits_take(&left);
      memory[w * 64 + bit] = rows[bit];
    }
  }
  program_run(ends->program, &ends->mode, memory);
  uint64_t found = memory[program_output(ends->program, 0)];
  return count < 64 ? found & (((uint64_t)1 << count) - 1) : found;
}
