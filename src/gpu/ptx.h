/* Writes PTX, the assembly language that the driver compiles: the body of one
   kernel, in virtual registers of 32 bits. A register is a word of 32 lanes
   wherever nothing else is said. */
#ifndef TAFL_GPU_PTX_H
#define TAFL_GPU_PTX_H

#include "base/text.h"

typedef uint32_t Reg; /* %r number; 0 is always zero */

typedef struct Ptx {
  Text body;
  uint32_t registers, predicates, labels;
  uint32_t instructions;
} Ptx;

void ptx_begin(Ptx *ptx);
void ptx_free(Ptx *ptx);

static inline Reg ptx_new(Ptx *ptx) {
  return ptx->registers++;
}

/* Writes a line of assembly. */
void ptx_line(Ptx *ptx, const char *format, ...) PRINTF_LIKE(2, 3);

/* Functions of lanes, by truth tables (program/truth.h); into a register, or
   into a new one. */
void ptx_gate_to(Ptx *ptx, Reg to, uint8_t table, Reg a, Reg b, Reg c);
Reg ptx_gate(Ptx *ptx, uint8_t table, Reg a, Reg b, Reg c);
Reg ptx_and(Ptx *ptx, Reg a, Reg b);
Reg ptx_and_not(Ptx *ptx, Reg a, Reg b); /* a & ~b */
Reg ptx_or(Ptx *ptx, Reg a, Reg b);
Reg ptx_xor(Ptx *ptx, Reg a, Reg b);
Reg ptx_parity(Ptx *ptx, Reg a, Reg b, Reg c);
Reg ptx_majority(Ptx *ptx, Reg a, Reg b, Reg c);
void ptx_move(Ptx *ptx, Reg to, Reg from);

/* Adds the number of set lanes. */
void ptx_count(Ptx *ptx, Reg sum, Reg lanes);

#endif
