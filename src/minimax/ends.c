#include "minimax/ends.h"

#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

/* Larger programs take longer than what they find is worth: 65 gates in
   breakthrough, 600 in checkers, 1,790 in reversi, 24,144 in chess_200, where
   one run takes as long as seven states of the scalar engine. */
enum { GATES_MOST = 6000 };

/* Witnesses that a thread remembers. How many times as fast the same search is
   with 8, 16 and 32 of them as with none, in eight positions of a game that is
   played, a run each: skirmish 1.07, 1.12, 1.31; checkers 1.27, 1.54, 1.59;
   breakthrough 1.37, 1.39, 1.37; reversi 0.97, 1.17, 1.25. */
enum { WITNESSES = 32 };

/* To find a witness takes as long as two to four runs of the program. Each run
   that witnesses save pays for a quarter of another one; the first ones are
   free. */
enum { CREDIT_FIRST = 64, CREDIT_MOST = 64, CREDIT_PRICE = 4 };

/* A fluent that is true, as a piece at its place, is likely to change; one that
   is false is not. */
enum { COST_TRUE = 4, COST_FALSE = 1, COST_MOST = 1 << 20 };

struct EndsMemory {
  uint64_t *vectors; /* of the program */
  /* By place and word: the fluents of a witness, and their values. The one that
     was of use last comes first. */
  uint64_t *masks[WITNESSES], *values[WITNESSES];
  uint32_t count, credit;
  uint64_t denied; /* states, by witnesses */
  bool *known;     /* by gate: its value, */
  uint32_t *costs; /* of the cheapest fluents that explain it, and */
  bool *needed;    /* whether the witness does */
  uint32_t *stack; /* gates that are to be explained */
};

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

/* ---- the gates ---- */

/* Marks gates below `terminal`. Returns false if there are others than fluents
   and ANDs. */
static bool mark_gates(const Net *net, bool *marked) {
  marked[signal_gate(net->terminal)] = true;
  for (Gate gate = signal_gate(net->terminal) + 1; gate--;) {
    const NetGate *g = &net->gates.data[gate];
    if (!marked[gate] || g->kind == GATE_FLUENT) continue;
    if (g->kind != GATE_AND) return false;
    for (uint32_t i = 0; i < g->count; i++)
      marked[signal_gate(net_inputs(net, gate)[i])] = true;
  }
  return true;
}

static void add_gate(Ends *ends, const Net *net, Gate gate,
                     const uint32_t *numbers) {
  const NetGate *g = &net->gates.data[gate];
  if (g->kind == GATE_FLUENT) {
    vector_push(&ends->gates, ((EndsGate){g->first, 0}));
    return;
  }
  vector_push(&ends->gates, ((EndsGate){ends->inputs.count, g->count}));
  for (uint32_t i = 0; i < g->count; i++) {
    Signal input = net_inputs(net, gate)[i];
    vector_push(&ends->inputs,
                2 * numbers[signal_gate(input)] + signal_negated(input));
  }
}

static void find_gates(Ends *ends, const Net *net) {
  bool *marked = memory_new(net->gates.count * sizeof *marked);
  uint32_t *numbers = memory_new(net->gates.count * sizeof *numbers);
  bool plain = mark_gates(net, marked);
  for (Gate gate = 0; plain && gate <= signal_gate(net->terminal); gate++) {
    if (!marked[gate]) continue;
    numbers[gate] = ends->gates.count;
    add_gate(ends, net, gate, numbers);
  }
  memory_delete(marked);
  memory_delete(numbers);
}

/* ---- life ---- */

void ends_init(Ends *ends, const Net *net) {
  *ends = (Ends){.words = (uint32_t)bits_words(net->fluents.count),
                 .mode = {.isa = ISA_PLAIN, .words = 1}};
  ends->support = memory_new(ends->words * sizeof *ends->support);
  ends->program = program_new(net, &net->terminal, 1);
  if (program_gates(ends->program) <= GATES_MOST &&
      program_prepare(ends->program, &ends->mode)) {
    find_support(ends, net);
    find_gates(ends, net);
    return;
  }
  program_delete(ends->program);
  ends->program = NULL;
}

void ends_free(Ends *ends) {
  if (ends->program) program_delete(ends->program);
  vector_free(&ends->gates);
  vector_free(&ends->inputs);
  memory_delete(ends->support);
}

EndsMemory *ends_memory_new(const Ends *ends) {
  EndsMemory *memory = memory_new(sizeof *memory);
  size_t vectors = ends->program ? program_vectors(ends->program) : 0;
  size_t blocks = (size_t)ends->words * 64; /* loaded whole */
  if (vectors < blocks) vectors = blocks;
  memory->vectors =
      memory_new_aligned((vectors * sizeof(uint64_t) + 63) / 64 * 64);
  for (uint32_t i = 0; i < WITNESSES; i++) {
    memory->masks[i] = memory_new(ends->words * sizeof(uint64_t));
    memory->values[i] = memory_new(ends->words * sizeof(uint64_t));
  }
  memory->credit = CREDIT_FIRST;
  memory->known = memory_new(ends->gates.count * sizeof *memory->known);
  memory->costs = memory_new(ends->gates.count * sizeof *memory->costs);
  memory->needed = memory_new(ends->gates.count * sizeof *memory->needed);
  memory->stack = memory_new(ends->gates.count * sizeof *memory->stack);
  return memory;
}

void ends_memory_delete(EndsMemory *memory) {
  if (!memory) return;
  for (uint32_t i = 0; i < WITNESSES; i++) {
    memory_delete(memory->masks[i]);
    memory_delete(memory->values[i]);
  }
  memory_delete(memory->vectors);
  memory_delete(memory->known);
  memory_delete(memory->costs);
  memory_delete(memory->needed);
  memory_delete(memory->stack);
  memory_delete(memory);
}

/* ---- witnesses ---- */

/* Moves the witness at a place to the first one. */
static void bring_first(EndsMemory *memory, uint32_t place) {
  uint64_t *mask = memory->masks[place], *value = memory->values[place];
  for (; place; place--) {
    memory->masks[place] = memory->masks[place - 1];
    memory->values[place] = memory->values[place - 1];
  }
  memory->masks[0] = mask;
  memory->values[0] = value;
}

static bool agrees(const Ends *ends, const uint64_t *state,
                   const uint64_t *mask, const uint64_t *value) {
  for (uint32_t w = 0; w < ends->words; w++)
    if ((state[w] & mask[w]) != value[w]) return false;
  return true;
}

static bool is_denied(const Ends *ends, EndsMemory *memory,
                      const uint64_t *state) {
  for (uint32_t i = 0; i < memory->count; i++) {
    if (!agrees(ends, state, memory->masks[i], memory->values[i])) continue;
    if (i) bring_first(memory, i);
    memory->denied++;
    return true;
  }
  return false;
}

static bool input_of(const EndsMemory *memory, uint32_t input) {
  return memory->known[input / 2] != input % 2;
}

/* The value of an AND, and what it costs to explain: all of its inputs if they
   are true, else one that is not. */
static void evaluate(const Ends *ends, EndsMemory *memory, uint32_t number) {
  const EndsGate *gate = &ends->gates.data[number];
  const uint32_t *inputs = ends->inputs.data + gate->first;
  uint32_t all = 0, least = COST_MOST;
  bool value = true;
  for (uint32_t i = 0; i < gate->count; i++) {
    uint32_t cost = memory->costs[inputs[i] / 2];
    all = all + cost < COST_MOST ? all + cost : COST_MOST;
    if (input_of(memory, inputs[i])) continue;
    value = false;
    if (cost < least) least = cost;
  }
  memory->known[number] = value;
  memory->costs[number] = value ? all : least;
}

static void need(EndsMemory *memory, uint32_t gate, uint32_t *waiting) {
  if (memory->needed[gate]) return;
  memory->needed[gate] = true;
  memory->stack[(*waiting)++] = gate;
}

/* Explains a gate by its inputs. */
static void explain(const Ends *ends, EndsMemory *memory, uint32_t number,
                    uint32_t *waiting) {
  const EndsGate *gate = &ends->gates.data[number];
  const uint32_t *inputs = ends->inputs.data + gate->first;
  for (uint32_t i = 0; i < gate->count; i++) {
    if (memory->known[number]) {
      need(memory, inputs[i] / 2, waiting);
    } else if (!input_of(memory, inputs[i]) &&
               memory->costs[inputs[i] / 2] == memory->costs[number]) {
      need(memory, inputs[i] / 2, waiting);
      return;
    }
  }
}

/* Remembers a witness of a state that is no end, in the place of the one that
   was of no use for longest. */
static void remember(const Ends *ends, EndsMemory *memory,
                     const uint64_t *state) {
  uint32_t count = ends->gates.count, waiting = 0;
  for (uint32_t i = 0; i < count; i++) {
    const EndsGate *gate = &ends->gates.data[i];
    memory->needed[i] = false;
    if (gate->count) {
      evaluate(ends, memory, i);
    } else {
      memory->known[i] = bits_has(state, gate->first);
      memory->costs[i] = memory->known[i] ? COST_TRUE : COST_FALSE;
    }
  }
  if (memory->count < WITNESSES) memory->count++;
  bring_first(memory, memory->count - 1);
  memset(memory->masks[0], 0, ends->words * sizeof *memory->masks[0]);
  need(memory, count - 1, &waiting);
  while (waiting) {
    uint32_t number = memory->stack[--waiting];
    const EndsGate *gate = &ends->gates.data[number];
    if (gate->count)
      explain(ends, memory, number, &waiting);
    else
      bits_add(memory->masks[0], gate->first);
  }
  for (uint32_t w = 0; w < ends->words; w++)
    memory->values[0][w] = state[w] & memory->masks[0][w];
}

/* ---- ends ---- */

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

/* Whether anything that `terminal` reads differs. */
static bool is_other(const Ends *ends, const uint64_t *from,
                     const uint64_t *to) {
  for (uint32_t w = 0; w < ends->words; w++)
    if ((from[w] ^ to[w]) & ends->support[w]) return true;
  return false;
}

/* Runs the program for some of the states. */
static uint64_t run(const Ends *ends, EndsMemory *memory,
                    const uint64_t *const *states, uint64_t some) {
  uint64_t *vectors = memory->vectors, rows[64];
  for (uint32_t w = 0; w < ends->words; w++) {
    if (!ends->support[w]) continue;
    memset(rows, 0, sizeof rows);
    for (uint64_t left = some; left;) {
      uint32_t i = bits_take(&left);
      rows[i] = states[i][w];
    }
    transpose(rows);
    for (uint64_t left = ends->support[w]; left;) {
      uint32_t bit = bits_take(&left);
      vectors[w * 64 + bit] = rows[bit];
    }
  }
  program_run(ends->program, &ends->mode, vectors);
  return vectors[program_output(ends->program, 0)] & some;
}

uint64_t ends_find(const Ends *ends, EndsMemory *memory, const uint64_t *from,
                   const uint64_t *const *states, uint32_t count) {
  uint64_t others = 0, open = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!is_other(ends, from, states[i])) continue;
    others |= (uint64_t)1 << i;
    if (!is_denied(ends, memory, states[i])) open |= (uint64_t)1 << i;
  }
  if (!open) {
    if (others && memory->credit < CREDIT_MOST) memory->credit++;
    return 0;
  }
  uint64_t found = run(ends, memory, states, open);
  open &= ~found;
  if (open && ends->gates.count && memory->credit >= CREDIT_PRICE) {
    memory->credit -= CREDIT_PRICE;
    remember(ends, memory, states[bits_take(&open)]);
  }
  return found;
}

uint64_t ends_denied(const EndsMemory *memory) {
  return memory->denied;
}
