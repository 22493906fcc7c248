/* A card made of software: memory, and launches of the entries of a module
   (machine_module.h), for tests on machines without a card. Threads run in
   warps of 32 in lock step; of a warp the threads with the lowest place in the
   code run first, so that those that parted meet again. Blocks run one after
   another.

   What a card would let pass is an error here: registers and shared memory that
   are read before they were written, addresses outside of what was allocated or
   misaligned, barriers that not all threads reach, exchanges with threads that
   are elsewhere, and accesses of two warps to the same word of shared memory,
   one of them a plain write, with no barrier between them. Atomic and volatile
   accesses are meant to meet others. */
#ifndef TAFL_TEST_GPU_MACHINE_H
#define TAFL_TEST_GPU_MACHINE_H

#include "machine_module.h"

typedef struct Machine Machine;

/* Results, as the driver numbers them. */
enum {
  MACHINE_FINE = 0,
  MACHINE_ILLEGAL_ADDRESS = 700,
  MACHINE_TIMEOUT = 702,
  MACHINE_ILLEGAL_INSTRUCTION = 715,
  MACHINE_MISALIGNED = 716,
  MACHINE_FAILED = 719
};

/* Addresses begin at `start`, GLOBAL_START for instance. */
Machine *machine_new(uint64_t start);
void machine_delete(Machine *machine);

/* Returns the address of new memory, with arbitrary contents. */
uint64_t machine_allocate(Machine *machine, size_t size);
/* Returns false if no memory begins at the address. */
bool machine_release(Machine *machine, uint64_t address);
/* Returns where these bytes are, or NULL if they are not inside of one block.
 */
void *machine_memory(const Machine *machine, uint64_t address, size_t size);
size_t machine_used(const Machine *machine); /* bytes allocated */

/* Reads a module and allocates its variables; NULL and an error as module_new.
 */
Module *machine_load(Machine *machine, const char *text, Text *error);
void machine_unload(Machine *machine, Module *module);

typedef struct Launch {
  const Module *module;
  const Function *entry;
  uint32_t blocks, threads;  /* of a block: up to 1024 */
  uint32_t shared;           /* bytes beside those that the module declares */
  const uint8_t *parameters; /* entry->parameter_bytes of them */
  bool ignore_races;
  uint64_t most_steps; /* of all warps together; 0: any */
} Launch;

/* Runs a launch to its end. Returns MACHINE_FINE, or another result with a
   sentence in `error`. */
int machine_launch(Machine *machine, const Launch *launch, Text *error);
/* Instructions of single threads that the launches of the machine executed. */
uint64_t machine_instructions(const Machine *machine);

#endif
