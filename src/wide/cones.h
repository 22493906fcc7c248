/* A net as three programs on one memory: what there is to see in a state (legal
   moves, whether it is terminal), its goals, and its successor. Nothing in it
   changes once its mode is set, so threads share it, each with memory of its
   own. */
#ifndef TAFL_WIDE_CONES_H
#define TAFL_WIDE_CONES_H

#include "wide/sliced.h"

typedef struct Cones {
  const Net *net; /* borrowed */
  ProgramMode mode;
  const Sliced *sliced;
  Program *look, *next;
  Program *goals;  /* NULL: look has them too */
  uint32_t *legal; /* vector of each move's legality, after look */
  uint32_t terminal;
  uint32_t *goal;   /* vector of each goal, after cones_run_goals */
  uint32_t vectors; /* of memory, all in all */
  uint32_t filler;  /* a vector that programs leave zero */
  /* Parallel assignment of next values, in an order that reads before it
     writes: first `saves`, into vectors past the programs', then `copies`. */
  SlicedCopy *saves, *copies;
  uint32_t save_count, copy_count;
} Cones;

/* NULL if the mode cannot be had on this machine. */
Cones *cones_new(const Net *net, const ProgramMode *mode);
/* Another mode for the same programs, before anything has memory; false, and no
   change, if it cannot be had. */
bool cones_set_mode(Cones *cones, const ProgramMode *mode);
void cones_delete(Cones *cones);

uint32_t cones_gates(const Cones *cones); /* of all programs */

/* Memory, zeroed; a moment's fluents, moves and scratch. */
uint64_t *cones_memory_new(const Cones *cones);

/* After look, choices may be written into the moves; the legal vectors are good
   until another program runs. */
void cones_run_look(const Cones *cones, uint64_t *memory);
void cones_run_goals(const Cones *cones, uint64_t *memory);
void cones_run_next(const Cones *cones, uint64_t *memory);

/* `count` lane vectors, zeroed and aligned; release with memory_delete. */
uint64_t *cones_vectors_new(const Cones *cones, size_t count);

static inline uint64_t *cones_vector(const Cones *cones, uint64_t *memory,
                                     uint32_t vector) {
  return memory + (size_t)vector * cones->mode.words;
}

#endif
