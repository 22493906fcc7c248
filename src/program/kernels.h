/* The kernels: a tape's runs over lane vectors, for each instruction set and
   width. */
#ifndef TAFL_PROGRAM_KERNELS_H
#define TAFL_PROGRAM_KERNELS_H

#include "program/tape.h"

typedef bool Kernel(const TapeRun *runs, uint32_t run_count,
                    const void *operands, uint64_t *memory);

/* For 1, 2, 4, 8 or 16 words; `large` operands have 32 bits. */
Kernel *kernel_find(Isa isa, uint32_t words, bool large);

#endif
