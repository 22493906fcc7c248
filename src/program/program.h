/* Some outputs of a net as a program for many games at once: one bit of a
   machine word is one game. A lane vector is `words` 64-bit words, one bit a
   lane; a program computes lane vectors from lane vectors.

   Memory is one array of lane vectors: in front the net's fluents (fluent i is
   vector i), then its moves (move m is vector fluents + m), then what the
   program needs. Programs of one net can share the memory: running one leaves
   the fluents and moves alone and overwrites the rest. */
#ifndef TAFL_PROGRAM_PROGRAM_H
#define TAFL_PROGRAM_PROGRAM_H

#include "net/net.h"
#include "program/isa.h"

typedef struct Program Program;

/* Compile the cone of `outputs`. */
Program *program_new(const Net *net, const Signal *outputs, uint32_t count);
void program_delete(Program *program);

uint32_t program_vectors(const Program *program); /* of memory, all in all */
uint32_t program_gates(const Program *program);   /* three-input gates */
/* Where output i is after a run: any vector, a fluent's or move's own too. */
uint32_t program_output(const Program *program, uint32_t i);

/* `words` is 1, 2, 4, 8 or 16; memory is aligned to 64 bytes. */
typedef struct ProgramMode {
  Isa isa;
  bool jit; /* machine code, where isa is ISA_AVX512 and words 8 or 16 */
  uint32_t words;
} ProgramMode;

/* Make what the mode needs (machine code); false if it cannot be had. */
bool program_prepare(Program *program, const ProgramMode *mode);
void program_run(const Program *program, const ProgramMode *mode,
                 uint64_t *memory);

/* Which of these prepared modes is fastest, by a short measurement (some
   milliseconds); and the fastest of all for that many words, prepared. */
uint32_t program_find_fastest(const Program *program, const ProgramMode *modes,
                              uint32_t count);
void program_choose(Program *program, uint32_t words, ProgramMode *mode);

void program_write(const Program *program, Text *text); /* for tafl dump */

#endif
