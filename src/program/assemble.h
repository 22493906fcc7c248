/* Encodes the few AVX-512 instructions that programs consist of. Vectors of 512
   bits are in registers 0 … 31 or in memory slots of 64 bytes. */
#ifndef TAFL_PROGRAM_ASSEMBLE_H
#define TAFL_PROGRAM_ASSEMBLE_H

#include <stdbool.h>

#include "base/vector.h"

typedef VECTOR(uint8_t) Bytes;

/* A register or a slot. */
typedef struct Operand {
  bool in_memory;
  uint32_t number;
} Operand;

/* Begins a function whose arguments are the address of slot 0 and that of a
   vector, which is loaded into register `held` unless that is 0. */
void assemble_begin(Bytes *bytes, uint32_t slot_count, uint32_t held);
void assemble_end(Bytes *bytes);
void assemble_load(Bytes *bytes, uint32_t to, Operand from);
void assemble_store(Bytes *bytes, uint32_t slot, uint32_t from);
/* a = table(a, b, c) */
void assemble_lookup(Bytes *bytes, uint8_t table, uint32_t a, uint32_t b,
                     Operand c);
/* Jumps back to byte `target` if the register is not zero. */
void assemble_repeat(Bytes *bytes, uint32_t test, uint32_t target);

#endif
