/* Random playouts on a graphics card: what wide/wide.h does in lanes, for
   batches of starts. A batch is begun, runs beside whatever the caller does,
   and is taken when it is done; several can be under way at once. Threads may
   use different batches at the same time.

   The card may fail at any moment: it is then of no more use, functions return
   false, and gpu_error says what happened. */
#ifndef TAFL_GPU_GPU_H
#define TAFL_GPU_GPU_H

#include "gpu/card.h"
#include "gpu/roster.h"
#include "gpu/sums.h"
#include "wide/results.h"

typedef struct Gpu Gpu;

/* Which kernels there shall be besides the team, which compiles at once. With
   all of them, solo plays uniformly where there can be one, and a squad what
   solo does not. Of team and squad the faster one plays, unless there shall be
   a squad alone. */
typedef enum {
  GPU_ALL,
  GPU_TEAM,
  GPU_SOLO,
  GPU_SQUAD,
  GPU_SCORED /* team and squad */
} GpuKernels;

typedef struct GpuOptions {
  uint64_t seed;
  uint32_t step_limit;
  uint32_t batches;  /* under way at most */
  uint32_t starts;   /* of a batch, at most */
  bool credit;       /* sum up moves, for gpu_credit */
  double blind;      /* share of steps with uniform choice in spite of scores */
  double gamma;      /* discount of a step, in the sums of returns */
  RosterShape shape; /* words 0: as suits the card */
  uint32_t near;     /* slots of a squad in shared memory, at most; 0: all */
  GpuKernels kernels;
  const char *plan; /* what solo has otherwise (solo_tune); NULL: nothing */
  bool scores;      /* will be set */
  bool later;       /* kernels besides the team's are made by gpu_add; not with
                       credit */
} GpuOptions;

/* How long it took until there was a kernel. The second one compiles while the
   first plays. */
typedef struct GpuSetup {
  double first, second; /* seconds; 0: there is none, or not yet */
  const char *kind;     /* of the kernel for uniform playouts now; */
  bool by_legs;         /* it plays by the legs of rounds, */
  bool by_steps;        /* or by those of steps */
  const char *scored;   /* of the one for playouts with scores or credit */
  const char *why;      /* there is no second one, or "" */
} GpuSetup;

/* The card is borrowed; the cones are not needed any more afterwards. Returns
   NULL and says why if the net cannot be played on the card. */
Gpu *gpu_new(const Card *card, const Cones *cones, const GpuOptions *options,
             Text *why);
void gpu_delete(Gpu *gpu);

/* The same in two steps. gpu_sketch makes everything that needs the cones and
   does not call the driver; trial_run_unless can stop it. gpu_make calls the
   driver, which compiles, may take seconds and may never return. It returns
   false and says why if it fails; the caller then deletes the Gpu, which is
   good for nothing else. */
Gpu *gpu_sketch(const Card *card, const Cones *cones, const GpuOptions *options,
                Text *why);
bool gpu_make(Gpu *gpu, Text *why);
/* Makes what was left for later, for which the cones may have legs by now. No
   batch may be under way, and no other thread use the Gpu. */
void gpu_add(Gpu *gpu, const Cones *cones);

/* Returns what went wrong, or NULL. */
const char *gpu_error(Gpu *gpu);
/* Returns what is known of the kernels; `wait`: waits for the second. */
GpuSetup gpu_setup(Gpu *gpu, bool wait);
/* Returns how many starts are played at once by playouts of 32 each. */
uint32_t gpu_width(const Gpu *gpu);

/* Sets Q(a)/τ of each move of the net for Gibbs choice; NULL: choose uniformly.
   For this batch, from its next beginning on. */
void gpu_set_scores(Gpu *gpu, uint32_t batch, const double *scores);

/* Begins to play each of `count` states, rows of bits, `repeat` times; NULL:
   the initial state. */
bool gpu_begin(Gpu *gpu, uint32_t batch, const uint64_t *rows, uint32_t count,
               uint32_t repeat);
/* Begins to play from the states without pause, for so many steps: a playout
   that is over is followed by the next one. The sums are those of all. */
bool gpu_flow(Gpu *gpu, uint32_t batch, const uint64_t *rows, uint32_t count,
              uint32_t steps);
/* Returns whether the batch is done, or has failed. */
bool gpu_done(Gpu *gpu, uint32_t batch);
/* Waits for it. */
bool gpu_wait(Gpu *gpu, uint32_t batch);
/* Returns whether kernels take turns at the batch's playouts because it is not
   known yet which is faster (gpu/race.h). Those that flow take no part. */
bool gpu_undecided(Gpu *gpu, uint32_t batch);

/* After a batch is done, until the next is begun: */
const GpuSums *gpu_sums(const Gpu *gpu, uint32_t batch, uint32_t start);
const GpuRoleSums *gpu_role_sums(const Gpu *gpu, uint32_t batch, uint32_t start,
                                 uint32_t role);
/* Fills the sums of each move of the net, over the playouts of the batch that
   were credited: those of some of its words. */
void gpu_credit(const Gpu *gpu, uint32_t batch, CreditSum *sums);

#endif
