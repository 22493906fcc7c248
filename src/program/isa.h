/* The instruction sets that programs are built for. */
#ifndef TAFL_PROGRAM_ISA_H
#define TAFL_PROGRAM_ISA_H

#include <stdbool.h>

typedef enum { ISA_PLAIN, ISA_AVX2, ISA_AVX512, ISA_COUNT } Isa;

bool isa_available(Isa isa);
const char *isa_name(Isa isa);

#endif
