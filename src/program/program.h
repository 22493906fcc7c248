/* Some outputs of a net compiled into a program for many games at once: one bit
   of a machine word is one game. A lane vector is `words` 64-bit words with one
   bit for each lane; a program computes lane vectors from lane vectors.

   Memory is one array of lane vectors: the net's fluents (fluent i is vector
   i), then its moves (move m is vector fluents + m), then scratch. Programs of
   one net can share the memory: a run preserves the fluents and moves and
   overwrites the rest. */
#ifndef TAFL_PROGRAM_PROGRAM_H
#define TAFL_PROGRAM_PROGRAM_H

#include "net/net.h"
#include "program/isa.h"

#define PROGRAM_ANYWHERE UINT32_MAX

typedef struct Program Program;

/* Compiles the cone of `outputs`. */
Program *program_new(const Net *net, const Signal *outputs, uint32_t count);
/* The same for outputs that become inputs: output i is the next value of fluent
   targets[i]. Where machine code can, it writes the next value straight over
   the old one (program_assigns). */
Program *program_new_step(const Net *net, const Signal *outputs, uint32_t count,
                          const uint32_t *targets);
/* The same as program_new for outputs of which output i goes to vector
   places[i], of an input that is not read by the cone, if it is a gate and the
   first output of that value; PROGRAM_ANYWHERE: to a vector of its own. */
Program *program_new_placed(const Net *net, const Signal *outputs,
                            uint32_t count, const uint32_t *places);
void program_delete(Program *program);
/* Machine code of the program was made in a trial that was given up: it is
 * gone.
 */
void program_forget_code(Program *program);

uint32_t program_vectors(const Program *program); /* size of the memory */
uint32_t program_gates(const Program *program);   /* three-input gates */
/* Returns the vector of output i after a run; it can be that of a fluent or
   move. */
uint32_t program_output(const Program *program, uint32_t i);

/* Does machine code write output i over the fluent, and not into its vector? */
bool program_assigns(const Program *program, uint32_t i);

/* `words` is 1, 2, 4, 8 or 16; memory is aligned to 64 bytes. */
typedef struct ProgramMode {
  Isa isa;
  bool jit; /* machine code; requires ISA_AVX512 and 8 or 16 words */
  uint32_t words;
} ProgramMode;

/* Makes machine code if the mode needs it. Returns false if the mode is not
   available. */
bool program_prepare(Program *program, const ProgramMode *mode);
void program_run(const Program *program, const ProgramMode *mode,
                 uint64_t *memory);
/* The same for a program of program_new_step; fluents that are written keep
   their values in the lanes `held`, where other outputs mean nothing. */
void program_run_step(const Program *program, const ProgramMode *mode,
                      uint64_t *memory, const uint64_t *held);

void program_write(const Program *program, Text *text); /* for tafl dump */

#endif
