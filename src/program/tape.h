/* Steps as a flat list of operands for the kernels: runs of one kind, four
   slots a step (result, a, b, c), 16 bits each where the slots allow it,
   else 32. */
#ifndef TAFL_PROGRAM_TAPE_H
#define TAFL_PROGRAM_TAPE_H

#include "program/kernels.h"

typedef struct TapeSegment {
  uint32_t first, count; /* runs */
  uint32_t step;         /* its first */
  bool loop;
} TapeSegment;

typedef struct Tape {
  VECTOR(KernelRun) runs;
  VECTOR(TapeSegment) segments;
  bool large; /* operands have 32 bits */
  VECTOR(uint16_t) small_operands;
  VECTOR(uint32_t) large_operands;
} Tape;

void tape_make(const Order *order, const uint32_t *slots, uint32_t slot_count,
               Tape *tape);
void tape_free(Tape *tape);
void tape_run(const Tape *tape, Isa isa, uint32_t words, uint64_t *memory);

#endif
