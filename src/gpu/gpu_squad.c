/* The squad of a Gpu: its tables on the card, and its launches. Each batch has
   far memory of its own, since batches run at the same time. */
#include "base/bits.h"
#include "gpu/gpu_parts.h"

/* Code beyond this takes the driver longer than a match lasts: ptxas takes 4 s
   for the 24,000 instructions of checkers and 27 s for the 103,000 of skirmish,
   on one core of an EPYC. With more optimisation it takes 33 s for the latter,
   and keeps to 32 registers and spills. */
enum { CODE_MOST = 300000, OPTIMISATION = 1 };

/* ---- before the card is asked ---- */

/* Whether the second kernel, which plays uniformly, leaves something to do. */
static bool wanted(const Gpu *gpu) {
  const GpuOptions *options = &gpu->options;
  if (options->kernels != GPU_ALL) return options->kernels == GPU_SQUAD;
  return options->scores || options->credit || !gpu->second.ptx.length;
}

void gpu_squad_write(Gpu *gpu) {
  GpuSquad *own = &gpu->squad;
  if (!wanted(gpu)) return;
  if (!squad_init(&own->plan, gpu->cones, gpu->card->shared, gpu->options.near,
                  &own->why))
    return;
  squad_write(&own->plan, &own->ptx);
  own->plan.cones = NULL;
  if (own->plan.instructions <= CODE_MOST) return;
  text_add(&own->why, "the net is too large for code");
  text_free(&own->ptx);
}

/* ---- tables ---- */

static CUdeviceptr upload(Gpu *gpu, const void *bytes, size_t size) {
  const Driver *driver = &gpu->card->driver;
  CUdeviceptr memory = 0;
  if (driver->cuMemAlloc(&memory, size ? size : 4)) return 0;
  if (size && driver->cuMemcpyHtoDAsync(memory, bytes, size, NULL)) {
    driver->cuMemFree(memory);
    return 0;
  }
  return memory;
}

/* Homes as the card is told of them. */
static CUdeviceptr upload_homes(Gpu *gpu, const uint32_t *homes,
                                uint32_t count) {
  uint32_t *places = memory_new((count + 1) * sizeof *places);
  for (uint32_t i = 0; i < count; i++)
    places[i] = squad_home(&gpu->squad.plan, homes[i]);
  CUdeviceptr memory = upload(gpu, places, count * sizeof *places);
  gpu->card->driver.cuStreamSynchronize(NULL);
  memory_delete(places);
  return memory;
}

/* Credit is by the numbers of the roster. */
static CUdeviceptr upload_marks(Gpu *gpu) {
  const Squad *plan = &gpu->squad.plan;
  uint32_t *marks = memory_new((plan->moves + 1) * sizeof *marks);
  for (uint32_t leg = 0; leg < plan->legs; leg++)
    for (uint32_t i = 0; i < gpu->game.moves; i++)
      if (plan->leg[leg].number[i] != SQUAD_NEVER)
        marks[plan->leg[leg].number[i]] = gpu->roster.number[i];
  CUdeviceptr memory = upload(gpu, marks, plan->moves * sizeof *marks);
  gpu->card->driver.cuStreamSynchronize(NULL);
  memory_delete(marks);
  return memory;
}

static CUdeviceptr upload_goals(Gpu *gpu) {
  const Squad *plan = &gpu->squad.plan;
  const GpuGame *game = &gpu->game;
  TeamGoal *goals = memory_new((game->goal_count + 1) * sizeof *goals);
  for (uint32_t i = 0; i < game->goal_count; i++) {
    goals[i] = game->goals[i];
    goals[i].place =
        roster_place(&plan->shape, plan->goals[game->goal_numbers[i]]);
  }
  CUdeviceptr memory = upload(gpu, goals, game->goal_count * sizeof *goals);
  gpu->card->driver.cuStreamSynchronize(NULL);
  memory_delete(goals);
  return memory;
}

static bool upload_tables(Gpu *gpu) {
  GpuSquad *own = &gpu->squad;
  const Squad *plan = &own->plan;
  own->groups = upload(gpu, plan->groups,
                       plan->roles * plan->legs * sizeof *plan->groups);
  own->rounds =
      upload(gpu, plan->rounds,
             plan->legs * plan->parts * plan->roles * sizeof *plan->rounds);
  own->homes = upload_homes(gpu, plan->legal, plan->moves);
  own->fluents = upload_homes(gpu, plan->fluents, gpu->game.fluents);
  own->marks = upload_marks(gpu);
  own->goals = upload_goals(gpu);
  return own->groups && own->rounds && own->homes && own->fluents &&
         own->marks && own->goals &&
         !gpu->card->driver.cuStreamSynchronize(NULL);
}

static bool new_far(Gpu *gpu) {
  const Driver *driver = &gpu->card->driver;
  size_t size = gpu->squad.fitting * squad_far(&gpu->squad.plan);
  for (uint32_t i = 0; i < gpu->options.batches; i++)
    if (driver->cuMemAlloc(&gpu->batches[i].far, size)) return false;
  return true;
}

static void free_far(Gpu *gpu) {
  for (uint32_t i = 0; i < gpu->options.batches; i++) {
    if (gpu->batches[i].far) gpu->card->driver.cuMemFree(gpu->batches[i].far);
    gpu->batches[i].far = 0;
  }
}

/* ---- the kernel ---- */

void gpu_squad_begin(Gpu *gpu) {
  GpuSquad *own = &gpu->squad;
  if (own->ptx.length)
    own->compiling = compiling_new(gpu->card, &own->ptx, OPTIMISATION);
}

void gpu_squad_free(Gpu *gpu) {
  GpuSquad *own = &gpu->squad;
  const Driver *driver = &gpu->card->driver;
  CUdeviceptr memory[] = {own->groups,  own->rounds, own->homes,
                          own->fluents, own->marks,  own->goals};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    if (memory[i]) driver->cuMemFree(memory[i]);
  free_far(gpu);
  if (own->compiling) compiling_drop(own->compiling);
  if (own->module) driver->cuModuleUnload(own->module);
}

void gpu_squad_forget(Gpu *gpu) {
  squad_free(&gpu->squad.plan);
  text_free(&gpu->squad.ptx);
  text_free(&gpu->squad.why);
}

static bool load(Gpu *gpu, GpuSquad *own) {
  const Driver *driver = &gpu->card->driver;
  uint32_t shared = squad_shared(&own->plan);
  int fitting = 0;
  if (driver->cuModuleGetFunction(&own->play, own->module, "play") ||
      driver->cuFuncSetAttribute(own->play, DRIVER_FUNCTION_SHARED,
                                 (int)shared) ||
      driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
          &fitting, own->play, 32 * SQUAD_WARPS, shared) ||
      !fitting) {
    text_add(&own->why, "the kernel does not fit into the card");
    return false;
  }
  own->fitting = (uint32_t)fitting * gpu->card->processors;
  if (upload_tables(gpu) && new_far(gpu)) return true;
  text_add(&own->why, "there is not enough memory on the card");
  free_far(gpu);
  return false;
}

void gpu_squad_look(Gpu *gpu, bool wait) {
  GpuSquad *own = &gpu->squad;
  if (!own->compiling || !compiling_over(own->compiling, wait)) return;
  own->module = compiling_take(own->compiling, &own->why);
  own->seconds = compiling_seconds(own->compiling);
  compiling_drop(own->compiling);
  own->compiling = NULL;
  own->ready = own->module && load(gpu, own);
  if (own->ready) atomic_store(&gpu->width, own->fitting * SQUAD_WARPS);
}

bool gpu_squad_suits(Gpu *gpu, Batch *batch, const uint64_t *rows,
                     uint32_t count) {
  pthread_mutex_lock(&gpu->lock);
  gpu_squad_look(gpu, false);
  bool ready = gpu->squad.ready;
  pthread_mutex_unlock(&gpu->lock);
  return ready && gpu_find_phases(gpu, batch, rows, count);
}

/* ---- launches ---- */

static bool send_weights(Gpu *gpu, const Batch *batch) {
  const Mirror *mirror = &batch->squad_weights;
  return gpu_succeeds(
      gpu,
      gpu->card->driver.cuMemcpyHtoDAsync(mirror->there, mirror->here,
                                          mirror->size, batch->stream),
      "copy");
}

bool gpu_squad_launch(Gpu *gpu, Batch *batch, const TeamLaunch *other) {
  const GpuSquad *own = &gpu->squad;
  const Squad *plan = &own->plan;
  TeamLaunch values = *other;
  SquadLaunch more = {.groups = own->groups,
                      .rounds = own->rounds,
                      .homes = own->homes,
                      .fluents = own->fluents,
                      .marks = own->marks,
                      .phases = batch->phases.there,
                      .far = batch->far};
  uint32_t blocks = (values.jobs + SQUAD_WARPS - 1) / SQUAD_WARPS;
  if (values.flow || blocks > own->fitting) blocks = own->fitting;
  values.goals = own->goals;
  values.weights = batch->weighs ? batch->squad_weights.there : 0;
  values.slots = plan->near_slots;
  values.terminal = roster_place(&plan->shape, plan->terminal);
  if (!gpu_send_phases(gpu, batch) ||
      (batch->weighs && !send_weights(gpu, batch)))
    return false;
  void *parameters[] = {
#define PARAMETER(name) &more.name,
      SQUAD_PARAMETERS(PARAMETER)
#undef PARAMETER
#define PARAMETER(name) &values.name,
          TEAM_PARAMETERS(PARAMETER, PARAMETER, PARAMETER)
#undef PARAMETER
  };
  return gpu_succeeds(gpu,
                      gpu->card->driver.cuLaunchKernel(
                          own->play, blocks, 1, 1, 32 * SQUAD_WARPS, 1, 1,
                          squad_shared(plan), batch->stream, parameters, NULL),
                      "launch");
}

void gpu_squad_weigh(Gpu *gpu, Batch *batch, uint32_t move, float weight) {
  const Squad *plan = &gpu->squad.plan;
  float *weights = batch->squad_weights.here;
  for (uint32_t leg = 0; leg < plan->legs; leg++)
    if (plan->leg[leg].number[move] != SQUAD_NEVER)
      weights[plan->leg[leg].number[move]] = weight;
}
