/* The squad of a Gpu: its tables on the card, and its launches. Each batch has
   far memory of its own, since batches run at the same time. */
#include "base/bits.h"
#include "base/clock.h"
#include "gpu/gpu_parts.h"

/* Code beyond this takes the driver longer than a match lasts: ptxas takes 4 s
   for the 24,000 instructions of checkers and 27 s for the 103,000 of skirmish,
   on one core of an EPYC. */
enum { CODE_MOST = 300000 };

/* ---- before the card is asked ---- */

/* With all kernels, if the second one, which plays uniformly, leaves something
   to do. */
static bool wanted(const Gpu *gpu) {
  const GpuOptions *options = &gpu->options;
  if (options->kernels == GPU_ALL)
    return options->scores || options->credit || !gpu->second.kernel.ptx.length;
  return options->kernels == GPU_SQUAD || options->kernels == GPU_SCORED;
}

void gpu_squad_write(Gpu *gpu) {
  GpuSquad *own = &gpu->squad;
  if (!wanted(gpu)) return;
  if (!squad_init(&own->plan, gpu->cones, gpu->card->shared, gpu->options.near,
                  &own->kernel.why))
    return;
  squad_write(&own->plan, &own->kernel.ptx);
  own->plan.cones = NULL;
  if (own->plan.instructions <= CODE_MOST) return;
  text_add(&own->kernel.why, "the net is too large for code");
  text_free(&own->kernel.ptx);
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

/* Homes as the card is told of them, with some more at the end that nothing
   depends on. */
static CUdeviceptr upload_homes(Gpu *gpu, const uint32_t *homes,
                                uint32_t count) {
  uint32_t *places = memory_new((count + SQUAD_AHEAD) * sizeof *places);
  for (uint32_t i = 0; i < count; i++)
    places[i] = squad_home(&gpu->squad.plan, homes[i]);
  CUdeviceptr memory =
      upload(gpu, places, (count + SQUAD_AHEAD) * sizeof *places);
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
  own->homes = upload_homes(gpu, plan->legal, plan->moves);
  own->fluents = upload_homes(gpu, plan->fluents, gpu->game.fluents);
  own->marks = upload_marks(gpu);
  own->goals = upload_goals(gpu);
  return own->homes && own->fluents && own->marks && own->goals &&
         !gpu->card->driver.cuStreamSynchronize(NULL);
}

static bool new_far(Gpu *gpu) {
  const Driver *driver = &gpu->card->driver;
  size_t size = gpu->squad.kernel.fitting * squad_far(&gpu->squad.plan);
  for (uint32_t i = 0; i < gpu->options.batches; i++)
    if (size && driver->cuMemAlloc(&gpu->batches[i].far, size)) return false;
  return true;
}

static void free_far(Gpu *gpu) {
  for (uint32_t i = 0; i < gpu->options.batches; i++) {
    if (gpu->batches[i].far) gpu->card->driver.cuMemFree(gpu->batches[i].far);
    gpu->batches[i].far = 0;
  }
}

/* ---- the kernel ---- */

void gpu_squad_free(Gpu *gpu) {
  GpuSquad *own = &gpu->squad;
  const Driver *driver = &gpu->card->driver;
  CUdeviceptr memory[] = {own->homes, own->fluents, own->marks, own->goals};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    if (memory[i]) driver->cuMemFree(memory[i]);
  free_far(gpu);
}

/* If there is no memory for it, the team goes on. */
void gpu_squad_look(Gpu *gpu, bool wait) {
  GpuSquad *own = &gpu->squad;
  if (!kernel_take(&own->kernel, gpu->card, wait, 32 * SQUAD_WARPS,
                   squad_shared(&own->plan)))
    return;
  own->kernel.ready = upload_tables(gpu) && new_far(gpu);
  if (own->kernel.ready) {
    atomic_store(&gpu->width, own->kernel.fitting * SQUAD_WARPS);
    return;
  }
  text_add(&own->kernel.why, "there is not enough memory on the card");
  free_far(gpu);
}

/* ---- the race ---- */

static bool has_race(const Gpu *gpu) {
  return gpu->squad.kernel.ready && gpu->options.kernels != GPU_SQUAD;
}

/* Returns who plays a batch. At the lock. */
static uint32_t find_runner(Gpu *gpu, Batch *batch, bool flow) {
  bool open = has_race(gpu) && !gpu->race.over;
  batch->races = open && !flow;
  if (!gpu->squad.kernel.ready) return RUNNER_TEAM;
  if (!has_race(gpu) || (open && flow)) return RUNNER_SQUAD;
  return race_next(&gpu->race);
}

bool gpu_squad_suits(Gpu *gpu, Batch *batch, const uint64_t *rows,
                     uint32_t count, bool flow) {
  pthread_mutex_lock(&gpu->lock);
  gpu_squad_look(gpu, false);
  batch->runner = find_runner(gpu, batch, flow);
  pthread_mutex_unlock(&gpu->lock);
  if (batch->runner == RUNNER_SQUAD && !batch->there &&
      !gpu_find_phases(&gpu->phases, batch, rows, count))
    batch->runner = RUNNER_TEAM;
  batch->begun = clock_now();
  return batch->runner == RUNNER_SQUAD;
}

void gpu_squad_time(Gpu *gpu, Batch *batch) {
  double seconds = clock_now() - batch->begun;
  uint32_t number = (uint32_t)(batch - gpu->batches);
  uint64_t states = 0;
  if (!batch->races) return;
  batch->races = false;
  if (batch->there) states = batch->count; /* as good as states to compare */
  for (uint32_t i = 0; !batch->there && i < batch->count; i++)
    states += gpu_sums(gpu, number, i)->states;
  pthread_mutex_lock(&gpu->lock);
  race_count(&gpu->race, batch->runner, seconds, states);
  if (gpu->race.over && gpu->race.winner == RUNNER_TEAM)
    atomic_store(&gpu->width, gpu->fitting * gpu->roster.shape.words);
  pthread_mutex_unlock(&gpu->lock);
}

bool gpu_undecided(Gpu *gpu, uint32_t number) {
  const Batch *batch = &gpu->batches[number];
  pthread_mutex_lock(&gpu->lock);
  bool second = gpu->second.kernel.ready && !batch->weighs && !gpu->credited;
  bool undecided = has_race(gpu) && !gpu->race.over && !second;
  pthread_mutex_unlock(&gpu->lock);
  return undecided;
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
  SquadLaunch more = {.homes = own->homes,
                      .fluents = own->fluents,
                      .marks = own->marks,
                      .phases = batch->phases.there,
                      .far = batch->far};
  uint32_t blocks = (values.jobs + SQUAD_WARPS - 1) / SQUAD_WARPS;
  if (values.flow || blocks > own->kernel.fitting) blocks = own->kernel.fitting;
  values.goals = own->goals;
  values.weights = batch->weighs ? batch->squad_weights.there : 0;
  values.slots = plan->near_slots;
  values.terminal = roster_place(&plan->shape, plan->terminal);
  if ((!batch->there && !gpu_send_phases(gpu, batch)) ||
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
                          own->kernel.play, blocks, 1, 1, 32 * SQUAD_WARPS, 1,
                          1, squad_shared(plan), batch->stream, parameters,
                          NULL),
                      "launch");
}

void gpu_squad_weigh(Gpu *gpu, Batch *batch, uint32_t move, float weight) {
  const Squad *plan = &gpu->squad.plan;
  float *weights = batch->squad_weights.here;
  for (uint32_t leg = 0; leg < plan->legs; leg++)
    if (plan->leg[leg].number[move] != SQUAD_NEVER)
      weights[plan->leg[leg].number[move]] = weight;
}
