/* The inside of a tree on the card. */
#ifndef TAFL_GPU_GROVE_PARTS_H
#define TAFL_GPU_GROVE_PARTS_H

#include "gpu/expansion.h"
#include "gpu/gpu_parts.h"
#include "gpu/grove.h"
#include "gpu/grove_write.h"

typedef enum {
  GROVE_SPLIT,
  GROVE_GATHER,
  GROVE_ATTACH,
  GROVE_BACKUP,
  GROVE_SEEK,
  GROVE_KERNELS
} GroveKernel;

struct Grove {
  Gpu *playing;
  const Card *card;
  GroveOptions options;
  GroveShape shape;
  Expansion *expansion;
  CUmodule module;
  CUfunction kernels[GROVE_KERNELS];
  CUstream stream; /* of the batch; borrowed */
  GroveLaunch launch;
  CUdeviceptr arena, entries, leaves, ends, masks;
  Mirror counts, state, row, node, first; /* `node`: the root, `first`: its
                                            entry */
  uint32_t root, actions;                 /* its node, 0: none; its actions */
  uint32_t levels;                        /* of the last wave */
  GroveSum *sums;                         /* by action of the root */
  GroveReport report;
  uint32_t seed;
  bool failed;
  Text error;
};

#endif
