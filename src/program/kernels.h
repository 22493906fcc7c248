/* Kernels interpret a tape's runs over lane vectors; there is one for each
   instruction set and width. */
#ifndef TAFL_PROGRAM_KERNELS_H
#define TAFL_PROGRAM_KERNELS_H

#include "program/isa.h"
#include "program/order.h"

/* Consecutive steps of one kind. */
typedef struct KernelRun {
  uint32_t kind, count;
} KernelRun;

typedef bool Kernel(const KernelRun *runs, uint32_t run_count,
                    const void *operands, uint64_t *memory);

/* `words` is 1, 2, 4, 8 or 16; `large` operands have 32 bits, others 16. */
Kernel *kernels_find(Isa isa, uint32_t words, bool large);

#endif
