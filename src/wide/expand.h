/* Many states at once: the successors of (state, joint move) pairs, with legal
   moves, terminality and goals of each. Rows of bits as in wide/lanes.h. */
#ifndef TAFL_WIDE_EXPAND_H
#define TAFL_WIDE_EXPAND_H

#include "wide/cones.h"

typedef struct Expand {
  const Cones *cones; /* borrowed */
  const Program *ends;
  uint64_t *memory;
} Expand;

/* Item i has row i of each array; results whose array is NULL are not
   computed. */
typedef struct ExpandTask {
  uint32_t count;
  const uint64_t *states; /* rows of fluents */
  const uint32_t *owners; /* item i is about row owners[i] of these; NULL: i */
  const uint32_t *joints; /* each role's move, as its number in the net; NULL:
                             no move is made, results are those of the states */
  uint64_t *successors;   /* rows of fluents */
  uint64_t *legal;        /* rows of moves of all roles */
  bool *terminal;
  int *goals; /* by role; -1: no goal */
} ExpandTask;

void expand_init(Expand *expand, const Cones *cones);
/* Lets a program tell which states are ends where nothing else is wanted of
   what can be seen in them. It computes `terminal` alone, is prepared for the
   mode of the cones, and is borrowed. */
void expand_know_ends(Expand *expand, const Program *ends);
void expand_free(Expand *expand);
void expand_run(Expand *expand, const ExpandTask *task);

#endif
