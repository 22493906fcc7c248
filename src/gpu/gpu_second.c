#include "gpu/gpu_parts.h"

/* Code beyond this takes the driver longer than a match lasts: 23,000
   instructions took 6 s; 70,000 took 30, and were no faster then. */
enum { CODE_MOST = 25000, GATES_MOST = 12000 };

static void write(Gpu *gpu, bool by_legs) {
  Second *second = &gpu->second;
  second->plan = solo_plan(gpu->cones, by_legs);
  solo_write(gpu->cones, &second->plan, &second->kernel.ptx, &second->size);
}

/* In local memory checkers made 2.6 G states/s on an H200, hardly more than the
   2.2 of the team; where a squad can play, a thread has its state in registers
   or shared memory. */
static bool leaves_it_to_squad(const Gpu *gpu) {
  return gpu->options.kernels == GPU_ALL &&
         gpu->second.plan.frame.home == HOME_LOCAL &&
         !gpu->cones->net->loops.count;
}

/* Of 78 public games with rounds that can be played so, four have too much code
   if it is by legs but not if it is for all states: quarto has 30,052 and
   15,712 instructions. */
void gpu_second_write(Gpu *gpu) {
  Second *second = &gpu->second;
  if (gpu->options.kernels == GPU_TEAM || gpu->options.kernels == GPU_SQUAD)
    return;
  if (cones_gates(gpu->cones) > GATES_MOST) {
    text_add(&second->kernel.why, "the net is too large for straight code");
    return;
  }
  write(gpu, true);
  if (second->size.instructions > CODE_MOST && second->plan.legs > 1) {
    text_clear(&second->kernel.ptx);
    write(gpu, false);
  }
  if (second->size.instructions > CODE_MOST)
    text_add(&second->kernel.why, "the net is too large for straight code");
  else if (leaves_it_to_squad(gpu))
    text_add(&second->kernel.why, "the state is too large for a thread");
  else if (second->size.shared > gpu->card->shared)
    text_add(&second->kernel.why, "the state is too large for shared memory");
  if (second->kernel.why.length) text_free(&second->kernel.ptx);
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
  GpuSetup setup = {.first = gpu->seconds,
                    .kind = "team",
                    .scored = squad->kernel.ready ? "squad" : "team",
                    .why = text_string(&second->kernel.why)};
  if (second->kernel.ready) {
    setup.second = second->kernel.seconds;
    setup.kind = kinds[second->plan.frame.home];
    setup.by_legs = second->plan.legs > 1;
  } else if (squad->kernel.ready) {
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

bool gpu_second_suits(Gpu *gpu, Batch *batch, const uint64_t *rows,
                      uint32_t count, bool flow) {
  return !batch->weighs && !gpu->credited && has_second(gpu) &&
         (!flow || aged(gpu) < SOLO_AGED_MOST) &&
         (gpu->second.plan.legs == 1 ||
          gpu_find_phases(gpu, batch, rows, count));
}

bool gpu_second_launch(Gpu *gpu, Batch *batch, const TeamLaunch *other,
                       bool initial) {
  const Second *second = &gpu->second;
  uint32_t threads = second->plan.frame.threads;
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
                       .seed = other->seed,
                       .gamma = other->gamma};
  if (second->plan.legs > 1 && !initial && !gpu_send_phases(gpu, batch))
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
