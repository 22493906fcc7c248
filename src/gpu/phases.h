/* The stages of a course (analyse/course.h) that starts belong to, without the
   course. Kernels that play by legs begin a playout at the stage of its start;
   where legs are those of a round, each is a stage. */
#ifndef TAFL_GPU_PHASES_H
#define TAFL_GPU_PHASES_H

#include "analyse/course.h"

typedef struct Phases {
  uint32_t stages, row_words;
  uint64_t *rows; /* by stage: fluents that may be true, may be false */
} Phases;

/* Without a course there is one stage, which admits all states. */
void phases_init(Phases *phases, const Net *net, const Course *course);
void phases_free(Phases *phases);

/* Writes the first stage that each of the states, rows of bits, may be at;
   returns false if there is one that no stage admits. */
bool phases_find(const Phases *phases, const uint64_t *rows, uint32_t count,
                 uint32_t *stages);

#endif
