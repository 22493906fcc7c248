/* Steps as a flat list of operands for the kernels: runs of one kind, with four
   slots for each step (result, a, b, c), of 16 bits each if that is enough,
   otherwise 32. */
#ifndef TAFL_PROGRAM_TAPE_H
#define TAFL_PROGRAM_TAPE_H

#include "program/kernels.h"

typedef struct TapeSegment {
  uint32_t first, count; /* runs */
  uint32_t step;         /* the first step */
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
