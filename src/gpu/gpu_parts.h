/* The inside of a Gpu. */
#ifndef TAFL_GPU_GPU_PARTS_H
#define TAFL_GPU_GPU_PARTS_H

#include <pthread.h>

#include "gpu/compiling.h"
#include "gpu/gpu.h"
#include "gpu/solo.h"
#include "gpu/team.h"

/* Memory of the card with the same size here. */
typedef struct Mirror {
  CUdeviceptr there;
  void *here;
  size_t size;
} Mirror;

typedef struct Batch {
  CUstream stream;
  Mirror starts, results, weights, credit;
  CUdeviceptr counter, occurred;
  bool weighs; /* choose by the weights */
  uint32_t count, seed;
  bool busy;
} Batch;

/* What is known of the net once the cones may be gone. */
typedef struct GpuGame {
  uint32_t fluents, moves, roles, goal_count;
  uint32_t *owners;  /* by move: the role */
  uint64_t *initial; /* the initial state, a row of bits */
  TeamGoal *goals;
} GpuGame;

/* The second kernel. */
typedef struct Second {
  SoloPlan plan;
  SoloSize size;
  Text ptx;             /* until it is compiled; empty: there will be none */
  Compiling *compiling; /* NULL: there is none, or it was taken */
  CUmodule module;
  CUfunction play;
  uint32_t fitting;
  bool ready;
  double seconds;
  Text why; /* there is none */
} Second;

struct Gpu {
  const Card *card;
  const Cones *cones; /* while it is sketched; then NULL, here and in roster */
  GpuOptions options;
  GpuGame game;
  Roster roster;
  Text ptx; /* of the first kernel, until it is compiled */
  CUmodule module;
  CUfunction play;
  uint32_t shared, fitting; /* bytes of a block; blocks at once */
  uint32_t credited;        /* words */
  CUdeviceptr kinds, operands, streams, copies, goals, blocks;
  Batch *batches;
  size_t result_size;   /* bytes of a start's */
  double seconds;       /* to the first kernel */
  pthread_mutex_t lock; /* of what follows */
  bool failed;
  Text error;
  Second second;
};

/* Returns whether the driver's result is good; if not, the card has failed. */
bool gpu_succeeds(Gpu *gpu, CUresult result, const char *what);

/* ---- the second kernel ---- */

void gpu_second_write(Gpu *gpu); /* if there can be one; needs the cones */
void gpu_second_begin(Gpu *gpu); /* to compile it */
void gpu_second_free(Gpu *gpu);
/* Returns whether it is there and can play the batch. */
bool gpu_second_suits(Gpu *gpu, const Batch *batch, bool flow);
/* The launch of the first kernel, by the second; `initial`: the starts are the
   initial state. */
bool gpu_second_launch(Gpu *gpu, Batch *batch, const TeamLaunch *other,
                       bool initial);

#endif
