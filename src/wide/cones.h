/* A net as three programs on one memory: what can be seen in a state (legal
   moves, whether it is terminal), its goals, and its successor. Nothing changes
   once the mode is set, so threads can share the cones, each with its own
   memory. */
#ifndef TAFL_WIDE_CONES_H
#define TAFL_WIDE_CONES_H

#include "wide/sliced.h"

typedef struct Cones {
  const Net *net; /* borrowed */
  ProgramMode mode;
  const Sliced *sliced;
  Program *look, *next;
  Program *goals;  /* NULL: `look` computes them too */
  uint32_t *legal; /* vector of each move's legality, after `look` */
  uint32_t terminal;
  uint32_t *goal;   /* vector of each goal, after cones_run_goals */
  uint32_t vectors; /* size of the memory */
  uint32_t filler;  /* a vector that is always zero */
  /* Parallel assignment of next values, in an order that reads before it
     writes: first `saves`, into vectors past the programs', then `copies`. */
  SlicedCopy *saves, *copies;
  uint32_t save_count, copy_count;
} Cones;

/* Returns NULL if the mode is not available on this machine. */
Cones *cones_new(const Net *net, const ProgramMode *mode);
/* Changes the mode; to be called before any memory is allocated. Returns false
   and changes nothing if the mode is not available. */
bool cones_set_mode(Cones *cones, const ProgramMode *mode);
void cones_delete(Cones *cones);

uint32_t cones_gates(const Cones *cones); /* of all programs */

/* Returns zeroed memory for fluents, moves and scratch; release it with
   memory_delete. */
uint64_t *cones_memory_new(const Cones *cones);

/* After `look`, choices may be written into the moves; the legal vectors are
   valid until another program runs. */
void cones_run_look(const Cones *cones, uint64_t *memory);
void cones_run_goals(const Cones *cones, uint64_t *memory);
void cones_run_next(const Cones *cones, uint64_t *memory);

/* Returns `count` lane vectors, zeroed and aligned; release them with
   memory_delete. */
uint64_t *cones_vectors_new(const Cones *cones, size_t count);

static inline uint64_t *cones_vector(const Cones *cones, uint64_t *memory,
                                     uint32_t vector) {
  return memory + (size_t)vector * cones->mode.words;
}

#endif
