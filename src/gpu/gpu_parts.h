/* The inside of a Gpu. */
#ifndef TAFL_GPU_GPU_PARTS_H
#define TAFL_GPU_GPU_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "gpu/gpu.h"
#include "gpu/kernel.h"
#include "gpu/phases.h"
#include "gpu/race.h"
#include "gpu/solo.h"
#include "gpu/squad.h"
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
  Mirror phases;        /* for kernels that play by legs */
  Mirror squad_weights; /* for a squad */
  CUdeviceptr counter, occurred, far;
  bool weighs; /* choose by the weights */
  bool there;  /* its starts and their legs are on the card already */
  uint32_t count, seed;
  bool busy;
  bool races;      /* it counts for the race of team and squad, */
  uint32_t runner; /* one of which plays it */
  double begun;
} Batch;

enum { RUNNER_TEAM, RUNNER_SQUAD };

/* What is known of the net once the cones may be gone. */
typedef struct GpuGame {
  uint32_t fluents, moves, roles, goal_count;
  uint32_t *owners;  /* by move: the role */
  uint64_t *initial; /* the initial state, a row of bits */
  TeamGoal *goals;
  uint32_t *goal_numbers; /* of these goals, in the net */
} GpuGame;

/* The second kernel. */
typedef struct Second {
  SoloPlan plan;
  SoloSize size;
  Phases phases; /* of the course that it plays by */
  Kernel kernel;
} Second;

/* More makes ptxas take 33 s for skirmish instead of 27, keep to 32 registers
   and spill. */
enum { SQUAD_OPTIMISATION = 1 };

/* The squad, which has scores and credit, too. */
typedef struct GpuSquad {
  Squad plan;
  Kernel kernel;
  CUdeviceptr homes, fluents, marks, goals;
} GpuSquad;

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
  atomic_uint width;        /* words that are played at once */
  uint32_t credited;        /* words */
  CUdeviceptr kinds, operands, streams, copies, goals, blocks;
  Batch *batches;
  size_t result_size;   /* bytes of a start's */
  double seconds;       /* to the first kernel */
  pthread_mutex_t lock; /* of what follows */
  bool failed;
  Text error;
  Phases phases; /* of rounds, for a squad */
  Second second;
  GpuSquad squad;
  Race race; /* of team and squad, where both can play; once there is a squad */
};

/* Returns a row of each role's moves; the caller deletes them. */
uint64_t *gpu_masks(const GpuGame *game);

/* Returns whether the driver's result is good; if not, the card has failed. */
bool gpu_succeeds(Gpu *gpu, CUresult result, const char *what);

/* Finds the stages of the starts of a batch, rows of bits or NULL for the
   initial state; returns false if one has none. */
bool gpu_find_phases(const Phases *phases, Batch *batch, const uint64_t *rows,
                     uint32_t count);
bool gpu_send_phases(Gpu *gpu, const Batch *batch);

/* Plays each of `count` states `repeat` times, at most 32, which are on the
   card, with their legs in the batch's memory for these; after what the batch's
   stream has to do. The sums stay on the card. */
bool gpu_play_there(Gpu *gpu, uint32_t batch, CUdeviceptr rows, uint32_t count,
                    uint32_t repeat);
/* What the stream had to do is done. */
void gpu_played_there(Gpu *gpu, uint32_t batch);

/* ---- the second kernel ---- */

void gpu_second_write(Gpu *gpu); /* if there can be one; needs the cones */
void gpu_second_begin(Gpu *gpu); /* has the driver compile it */
/* Returns whether it is there and can play these starts, whose phases it finds;
   NULL: the initial state. */
bool gpu_second_suits(Gpu *gpu, Batch *batch, const uint64_t *rows,
                      uint32_t count, bool flow);
/* The launch of the first kernel, by the second; `initial`: the starts are the
   initial state. */
bool gpu_second_launch(Gpu *gpu, Batch *batch, const TeamLaunch *other,
                       bool initial);

/* ---- the squad ---- */

void gpu_squad_write(Gpu *gpu); /* if there can be one; needs the cones */
void gpu_squad_free(Gpu *gpu);  /* its memory of the card */
/* Takes the kernel once it is there; `wait`: waits for that. At the lock. */
void gpu_squad_look(Gpu *gpu, bool wait);
/* Returns whether it is there and plays these starts, whose phases it finds;
   NULL: the initial state. */
bool gpu_squad_suits(Gpu *gpu, Batch *batch, const uint64_t *rows,
                     uint32_t count, bool flow);
/* The batch is done. */
void gpu_squad_time(Gpu *gpu, Batch *batch);
/* The launch of the first kernel, by the squad. */
bool gpu_squad_launch(Gpu *gpu, Batch *batch, const TeamLaunch *other);
void gpu_squad_weigh(Gpu *gpu, Batch *batch, uint32_t move, float weight);

#endif
