/* The cone of some signals of a net as two-input gates. */
#ifndef TAFL_PROGRAM_SPLIT_H
#define TAFL_PROGRAM_SPLIT_H

#include "program/pairs.h"

typedef struct SplitLoop {
  uint32_t loop, block;
  Signal definition;
} SplitLoop;

/* Inputs of the pairs are the net's fluents, its moves, then the loops in the
   cone, in the net's order. */
typedef struct Split {
  Pairs pairs;
  VECTOR(Signal) outputs;
  VECTOR(SplitLoop) loops;
} Split;

void split_net(const Net *net, const Signal *outputs, uint32_t count,
               Split *split);
void split_free(Split *split);

#endif
