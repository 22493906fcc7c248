#include "gpu/gpu_parts.h"

void gpu_second_write(Gpu *gpu) {
  Second *second = &gpu->second;
  GpuKernels kernels = gpu->options.kernels;
  if ((kernels != GPU_ALL && kernels != GPU_SOLO) || gpu->options.credit)
    return;
  if (solo_make(gpu->cones, gpu->options.plan, gpu->card->shared, &second->plan,
                &second->kernel.ptx, &second->size, &second->kernel.why))
    phases_init(&second->phases, gpu->cones->net,
                solo_course(gpu->cones, second->plan.course));
}

/* The driver gives local memory to as many threads as the card may have at the
   same time, when the kernel is launched. If it had none left, the card would
   have failed for the search. */
void gpu_second_begin(Gpu *gpu) {
  enum { THREADS = 2048 }; /* of a multiprocessor */
  Second *second = &gpu->second;
  size_t left = 0, all = 0;
  size_t local = (size_t)second->size.local * THREADS * gpu->card->processors;
  if (!second->kernel.ptx.length) return;
  if (gpu->card->driver.cuMemGetInfo(&left, &all) || local > left / 2) {
    text_add(&second->kernel.why, "there is not enough memory on the card");
    text_free(&second->kernel.ptx);
    return;
  }
  kernel_begin(&second->kernel, gpu->card, (int)second->plan.optimisation);
}

/* Takes the kernel once it is there. If it cannot be had, the first one goes
   on. At the lock. */
static void look_for_second(Gpu *gpu, bool wait) {
  Second *second = &gpu->second;
  if (kernel_take(&second->kernel, gpu->card, wait, second->plan.frame.threads,
                  second->size.shared))
    second->kernel.ready = true;
}

static bool has_second(Gpu *gpu) {
  pthread_mutex_lock(&gpu->lock);
  look_for_second(gpu, false);
  bool ready = gpu->second.kernel.ready;
  pthread_mutex_unlock(&gpu->lock);
  return ready;
}

GpuSetup gpu_setup(Gpu *gpu, bool wait) {
  static const char *const kinds[] = {
      "solo in registers", "solo in shared memory", "solo in local memory"};
  const Second *second = &gpu->second;
  const GpuSquad *squad = &gpu->squad;
  card_enter(gpu->card);
  pthread_mutex_lock(&gpu->lock);
  look_for_second(gpu, wait);
  gpu_squad_look(gpu, wait);
  bool squad_plays = squad->kernel.ready &&
                     !(gpu->race.over && gpu->race.winner == RUNNER_TEAM);
  GpuSetup setup = {.first = gpu->seconds,
                    .kind = "team",
                    .scored = squad_plays ? "squad" : "team",
                    .why = text_string(&second->kernel.why)};
  if (second->kernel.ready) {
    setup.second = second->kernel.seconds;
    setup.kind = kinds[second->plan.frame.home];
    setup.by_legs = second->plan.course == SOLO_ROUNDS;
    setup.by_steps = second->plan.course == SOLO_STEPS;
  } else if (squad_plays) {
    setup.second = squad->kernel.seconds;
    setup.kind = "squad";
    setup.by_legs = squad->plan.legs > 1;
  } else if (squad->kernel.why.length) {
    setup.why = text_string(&squad->kernel.why);
  }
  pthread_mutex_unlock(&gpu->lock);
  return setup;
}

/* Settlings after which a playout that flows has surely made as many steps as
   it may; it begins in some leg. */
static uint32_t aged(const Gpu *gpu) {
  const SoloPlan *plan = &gpu->second.plan;
  return (gpu->options.step_limit + plan->legs - 1 + plan->settle - 1) /
         plan->settle;
}

/* Legs of steps are found here: who has starts on the card knows only rounds.
 */
static bool knows_starts(const Gpu *gpu, Batch *batch, const uint64_t *rows,
                         uint32_t count) {
  const Second *second = &gpu->second;
  if (second->plan.course == SOLO_WHOLE) return true;
  if (batch->there) return second->plan.course == SOLO_ROUNDS;
  return gpu_find_phases(&second->phases, batch, rows, count);
}

bool gpu_second_suits(Gpu *gpu, Batch *batch, const uint64_t *rows,
                      uint32_t count, bool flow) {
  return !batch->weighs && !gpu->credited && has_second(gpu) &&
         (!flow || gpu->second.plan.course == SOLO_STEPS ||
          aged(gpu) < SOLO_AGED_MOST) &&
         knows_starts(gpu, batch, rows, count);
}

/* Returns the first stage of a start. */
static uint32_t first_stage(const Batch *batch) {
  const uint32_t *stages = batch->phases.here;
  uint32_t first = stages[0];
  for (uint32_t i = 1; i < batch->count; i++)
    if (stages[i] < first) first = stages[i];
  return first;
}

bool gpu_second_launch(Gpu *gpu, Batch *batch, const TeamLaunch *other,
                       bool initial) {
  const Second *second = &gpu->second;
  uint32_t threads = second->plan.frame.threads;
  bool by_steps = second->plan.course == SOLO_STEPS;
  uint32_t blocks = other->flow ? second->kernel.fitting
                                : (other->jobs + threads - 1) / threads;
  SoloLaunch values = {.starts = initial ? 0 : other->starts,
                       .phases = batch->phases.there,
                       .results = other->results,
                       .row_words = other->row_words,
                       .jobs = other->jobs,
                       .rounds = other->rounds,
                       .lanes = other->lanes,
                       .last_lanes = other->last_lanes,
                       .flow = other->flow,
                       .limit = other->limit,
                       .every = other->flow ? second->plan.settle : 1,
                       .aged = aged(gpu),
                       .first = by_steps ? first_stage(batch) : 0,
                       .seed = other->seed,
                       .gamma = other->gamma};
  if (second->plan.course != SOLO_WHOLE && !initial && !batch->there &&
      !gpu_send_phases(gpu, batch))
    return false;
  void *parameters[] = {
#define PARAMETER(name) &values.name,
      SOLO_PARAMETERS(PARAMETER, PARAMETER, PARAMETER)
#undef PARAMETER
  };
  return gpu_succeeds(gpu,
                      gpu->card->driver.cuLaunchKernel(
                          second->kernel.play, blocks, 1, 1, threads, 1, 1,
                          second->size.shared, batch->stream, parameters, NULL),
                      "launch");
}
