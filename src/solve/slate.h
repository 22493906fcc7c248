/* Signals of a net that read no moves, for 256 states at once: one bit of four
   words for each state. The gates that the wanted signals read are kept in the
   order of evaluation; there must be no loops among them. */
#ifndef TAFL_SOLVE_SLATE_H
#define TAFL_SOLVE_SLATE_H

#include "net/net.h"

enum { SLATE_WORDS = 4, SLATE_LANES = 64 * SLATE_WORDS };

typedef struct Slate {
  uint64_t *values;   /* SLATE_WORDS for each slot */
  uint32_t *slot_of;  /* by gate: its slot; 0: not read, or constant */
  NumberVector steps; /* for each AND: number of inputs, then inputs as slots
                         << 1 | negated; its slot follows from its place */
  uint32_t first_and; /* slot; before it come the constant and fluents */
  uint32_t slots;
} Slate;

void slate_init(Slate *slate, const Net *net, const Signal *wanted,
                uint32_t count);
void slate_free(Slate *slate);

/* Where to write the values of a fluent's gate before slate_run; NULL: nothing
   reads it. */
uint64_t *slate_input(Slate *slate, Gate gate);
void slate_run(Slate *slate);
/* After slate_run: the values of a signal that was wanted. */
static inline uint64_t slate_word(const Slate *slate, Signal signal,
                                  uint32_t word) {
  uint32_t slot = slate->slot_of[signal_gate(signal)];
  return slate->values[slot * SLATE_WORDS + word] ^
         (signal & 1 ? UINT64_MAX : 0);
}

/* Bit j of word i becomes bit i of word j. */
void slate_transpose(uint64_t block[64]);

#endif
