#include "gpu/gpu.h"

#include <math.h>

#include "base/bits.h"
#include "base/clock.h"
#include "gpu/gpu_parts.h"

enum { LANES = 32, CREDITED_MOST = 1024 };

/* ---- the card ---- */

uint64_t *gpu_masks(const GpuGame *game) {
  size_t words = bits_words(game->moves);
  uint64_t *masks = memory_new(game->roles * words * sizeof *masks);
  for (uint32_t i = 0; i < game->moves; i++)
    bits_add(masks + game->owners[i] * words, i);
  return masks;
}

bool gpu_succeeds(Gpu *gpu, CUresult result, const char *what) {
  if (!result) return true;
  pthread_mutex_lock(&gpu->lock);
  if (!gpu->failed)
    text_format(&gpu->error, "the card fails (%s): %s", what,
                driver_error(&gpu->card->driver, result));
  gpu->failed = true;
  pthread_mutex_unlock(&gpu->lock);
  return false;
}

static void fail(Gpu *gpu, const char *why) {
  text_add(&gpu->error, why);
  gpu->failed = true;
}

static bool has_failed(Gpu *gpu) {
  pthread_mutex_lock(&gpu->lock);
  bool failed = gpu->failed;
  pthread_mutex_unlock(&gpu->lock);
  return failed;
}

/* Makes the card the calling thread's. */
static bool enter(Gpu *gpu) {
  const Card *card = gpu->card;
  return gpu_succeeds(gpu, card->driver.cuCtxSetCurrent(card->context),
                      "context");
}

static CUdeviceptr allocate(Gpu *gpu, size_t size) {
  CUdeviceptr memory = 0;
  if (!gpu_succeeds(gpu, gpu->card->driver.cuMemAlloc(&memory, size ? size : 4),
                    "memory"))
    return 0;
  return memory;
}

static CUdeviceptr upload(Gpu *gpu, const void *bytes, size_t size) {
  CUdeviceptr memory = allocate(gpu, size);
  const Driver *driver = &gpu->card->driver;
  if (memory && size)
    gpu_succeeds(gpu, driver->cuMemcpyHtoDAsync(memory, bytes, size, NULL),
                 "memory");
  return memory;
}

static void release(const Gpu *gpu, CUdeviceptr memory) {
  if (memory) gpu->card->driver.cuMemFree(memory);
}

static void new_mirror(Gpu *gpu, Mirror *mirror, size_t size) {
  mirror->size = size ? size : 8;
  mirror->there = allocate(gpu, mirror->size);
  gpu_succeeds(gpu,
               gpu->card->driver.cuMemHostAlloc(&mirror->here, mirror->size, 0),
               "memory of this machine");
}

static void free_mirror(const Gpu *gpu, Mirror *mirror) {
  release(gpu, mirror->there);
  if (mirror->here) gpu->card->driver.cuMemFreeHost(mirror->here);
}

/* ---- set up ---- */

static void upload_roster(Gpu *gpu) {
  const GpuGame *game = &gpu->game;
  Roster *roster = &gpu->roster;
  for (uint32_t i = 0; i < TEAM_AHEAD; i++) {
    vector_push(&roster->kinds, ROSTER_END);
    for (uint32_t k = 0; k < 4 * roster->gates; k++)
      vector_push(&roster->operands, 0);
  }
  gpu->kinds = upload(gpu, roster->kinds.data, roster->kinds.count);
  gpu->operands = upload(gpu, roster->operands.data,
                         roster->operands.count * sizeof(uint16_t));
  gpu->streams =
      upload(gpu, roster->streams,
             ROSTER_PROGRAMS * roster->shape.warps * sizeof(uint32_t));
  gpu->copies = upload(gpu, roster->copies.data,
                       roster->copies.count * sizeof(RosterCopy));
  gpu->goals = upload(gpu, game->goals, game->goal_count * sizeof *game->goals);
  gpu->blocks =
      upload(gpu, roster->blocks, (game->roles + 1) * sizeof(uint32_t));
  gpu_succeeds(gpu, gpu->card->driver.cuStreamSynchronize(NULL), "memory");
}

static void compile(Gpu *gpu) {
  const Driver *driver = &gpu->card->driver;
  int fitting = 0;
  gpu->module = card_compile(gpu->card, text_string(&gpu->ptx), 4, &gpu->error);
  text_free(&gpu->ptx);
  gpu->failed = !gpu->module;
  if (!gpu->module) return;
  gpu->shared =
      team_shared(&gpu->roster.shape, gpu->roster.slots, gpu->game.roles);
  if (!gpu_succeeds(
          gpu, driver->cuModuleGetFunction(&gpu->play, gpu->module, "play"),
          "kernel") ||
      !gpu_succeeds(gpu,
                    driver->cuFuncSetAttribute(
                        gpu->play, DRIVER_FUNCTION_SHARED, (int)gpu->shared),
                    "shared memory") ||
      !gpu_succeeds(gpu,
                    driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
                        &fitting, gpu->play,
                        (int)(32 * gpu->roster.shape.warps), gpu->shared),
                    "occupancy"))
    return;
  if (!fitting) {
    fail(gpu, "no block of the kernel fits into the card");
    return;
  }
  gpu->fitting = (uint32_t)fitting * gpu->card->processors;
  atomic_store(&gpu->width, gpu->fitting * gpu->roster.shape.words);
}

static void new_squad_weights(Gpu *gpu, Batch *batch) {
  if (gpu->squad.kernel.ptx.length)
    new_mirror(gpu, &batch->squad_weights,
               gpu->squad.plan.moves * sizeof(float));
}

static void new_batch(Gpu *gpu, uint32_t number) {
  Batch *batch = &gpu->batches[number];
  size_t row = bits_words(gpu->game.fluents) * sizeof(uint64_t);
  uint32_t moves = gpu->roster.moves;
  batch->seed = (uint32_t)(gpu->options.seed ^ gpu->options.seed >> 32) +
                0x9e3779b9u * number;
  gpu_succeeds(gpu, gpu->card->driver.cuStreamCreate(&batch->stream, 1),
               "stream");
  new_mirror(gpu, &batch->starts, gpu->options.starts * row);
  new_mirror(gpu, &batch->results, gpu->options.starts * gpu->result_size);
  new_mirror(gpu, &batch->weights, moves * sizeof(float));
  new_mirror(gpu, &batch->phases, gpu->options.starts * sizeof(uint32_t));
  new_squad_weights(gpu, batch);
  batch->counter = allocate(gpu, sizeof(uint32_t));
  if (!gpu->credited) return;
  new_mirror(gpu, &batch->credit, (size_t)moves * TEAM_CREDIT * 8);
  batch->occurred = allocate(gpu, (size_t)gpu->credited * moves * 4);
}

static bool try_shape(Gpu *gpu, const RosterShape *shape, uint32_t blocks) {
  const Net *net = gpu->cones->net;
  uint32_t roles = net->role_count;
  uint32_t least = net->fluents.count + net->moves.count;
  if (team_shared(shape, least, roles) * blocks > gpu->card->shared)
    return false;
  if (roster_init(&gpu->roster, gpu->cones, shape, UINT16_MAX) &&
      team_shared(shape, gpu->roster.slots, roles) * blocks <=
          gpu->card->shared)
    return true;
  roster_free(&gpu->roster);
  gpu->roster = (Roster){0};
  return false;
}

/* Finds the shape that suits the game. On an H200, in G states/s: reversi 3.8
   with 16 words and warps, 3.7 with 8 of both, checkers 2.2 with 8 words and
   16 warps, 1.6 with 8 of both, 1.4 with 32 warps; chess_200 0.25 with 4 words,
   0.13 with 2. */
static bool find_shape(Gpu *gpu) {
  static const struct {
    RosterShape shape;
    uint32_t blocks; /* that must fit into a multiprocessor */
  } shapes[] = {{{8, 8, 4, 3}, 4},  {{8, 16, 4, 3}, 1}, {{8, 16, 4, 1}, 1},
                {{4, 16, 4, 3}, 1}, {{4, 16, 4, 1}, 1}, {{2, 32, 2, 3}, 1},
                {{2, 32, 2, 1}, 1}, {{1, 32, 1, 3}, 1}, {{1, 32, 1, 1}, 1}};
  if (gpu->options.shape.words) return try_shape(gpu, &gpu->options.shape, 1);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
    if (try_shape(gpu, &shapes[i].shape, shapes[i].blocks)) return true;
  return false;
}

/* Copies what is needed of the net; the roster is made. */
static void copy_game(Gpu *gpu) {
  const Net *net = gpu->cones->net;
  GpuGame *game = &gpu->game;
  game->fluents = net->fluents.count;
  game->moves = net->moves.count;
  game->roles = net->role_count;
  game->owners = memory_new(game->moves * sizeof *game->owners);
  game->initial = memory_new(bits_words(game->fluents) * sizeof(uint64_t));
  game->goals = memory_new(net->goals.count * sizeof *game->goals);
  game->goal_numbers =
      memory_new(net->goals.count * sizeof *game->goal_numbers);
  for (uint32_t i = 0; i < game->moves; i++)
    game->owners[i] = net->moves.data[i].role;
  for (uint32_t i = 0; i < game->fluents; i++)
    if (net->fluents.data[i].initial) bits_add(game->initial, i);
  for (uint32_t i = 0; i < net->goals.count; i++) {
    const NetGoal *goal = &net->goals.data[i];
    if (goal->value < 0) continue;
    game->goal_numbers[game->goal_count] = i;
    game->goals[game->goal_count++] =
        (TeamGoal){goal->role, (uint32_t)goal->value, gpu->roster.goals[i]};
  }
}

/* Frees what is not the driver's. */
static void free_sketch(Gpu *gpu) {
  memory_delete(gpu->batches);
  memory_delete(gpu->game.owners);
  memory_delete(gpu->game.initial);
  memory_delete(gpu->game.goals);
  memory_delete(gpu->game.goal_numbers);
  squad_free(&gpu->squad.plan);
  kernel_free(&gpu->second.kernel);
  kernel_free(&gpu->squad.kernel);
  phases_free(&gpu->phases);
  phases_free(&gpu->second.phases);
  pthread_mutex_destroy(&gpu->lock);
  roster_free(&gpu->roster);
  text_free(&gpu->ptx);
  text_free(&gpu->error);
  memory_delete(gpu);
}

static void write_others(Gpu *gpu) {
  phases_init(&gpu->phases, gpu->cones->net,
              gpu->cones->rounds ? &gpu->cones->rounds->course : NULL);
  gpu_second_write(gpu);
  gpu_squad_write(gpu);
}

Gpu *gpu_sketch(const Card *card, const Cones *cones, const GpuOptions *options,
                Text *why) {
  Gpu *gpu = memory_new(sizeof *gpu);
  double start = clock_now();
  gpu->card = card;
  gpu->cones = cones;
  gpu->options = *options;
  gpu->batches = memory_new(options->batches * sizeof *gpu->batches);
  pthread_mutex_init(&gpu->lock, NULL);
  if (!find_shape(gpu)) {
    text_add(why, "the game is too large for the memory of a block");
    free_sketch(gpu);
    return NULL;
  }
  copy_game(gpu);
  team_write(&gpu->roster, &gpu->ptx);
  if (!options->later) write_others(gpu);
  gpu->cones = gpu->roster.cones = NULL;
  gpu->result_size = sizeof(GpuSums) + gpu->game.roles * sizeof(GpuRoleSums);
  gpu->seconds = clock_now() - start;
  return gpu;
}

static void begin_others(Gpu *gpu) {
  gpu_second_begin(gpu);
  kernel_begin(&gpu->squad.kernel, gpu->card, SQUAD_OPTIMISATION);
}

/* Some of the words sum up credit; a squad may have more of them than the team.
 */
static uint32_t credited_words(const Gpu *gpu) {
  uint32_t words = gpu_width(gpu);
  uint32_t squad =
      gpu->squad.kernel.ptx.length ? gpu->card->processors * SQUAD_WARPS : 0;
  if (squad > words) words = squad;
  return words < CREDITED_MOST ? words : CREDITED_MOST;
}

bool gpu_make(Gpu *gpu, Text *why) {
  const GpuOptions *options = &gpu->options;
  double start = clock_now();
  if (!card_enter(gpu->card))
    fail(gpu, "the card is gone");
  else
    compile(gpu);
  if (!gpu->failed) {
    if (options->credit) gpu->credited = credited_words(gpu);
    upload_roster(gpu);
    for (uint32_t i = 0; i < options->batches; i++) new_batch(gpu, i);
  }
  gpu->seconds += clock_now() - start;
  if (gpu->failed)
    text_add(why, text_string(&gpu->error));
  else if (!options->later)
    begin_others(gpu);
  return !gpu->failed;
}

void gpu_add(Gpu *gpu, const Cones *cones) {
  gpu->cones = cones;
  write_others(gpu);
  gpu->cones = NULL;
  if (gpu->failed || !enter(gpu)) return;
  for (uint32_t i = 0; i < gpu->options.batches; i++)
    new_squad_weights(gpu, &gpu->batches[i]);
  begin_others(gpu);
}

Gpu *gpu_new(const Card *card, const Cones *cones, const GpuOptions *options,
             Text *why) {
  Gpu *gpu = gpu_sketch(card, cones, options, why);
  if (!gpu || gpu_make(gpu, why)) return gpu;
  gpu_delete(gpu);
  return NULL;
}

static void free_batch(Gpu *gpu, Batch *batch) {
  if (batch->stream) {
    gpu->card->driver.cuStreamSynchronize(batch->stream);
    gpu->card->driver.cuStreamDestroy(batch->stream);
  }
  free_mirror(gpu, &batch->starts);
  free_mirror(gpu, &batch->results);
  free_mirror(gpu, &batch->weights);
  free_mirror(gpu, &batch->phases);
  free_mirror(gpu, &batch->squad_weights);
  free_mirror(gpu, &batch->credit);
  release(gpu, batch->counter);
  release(gpu, batch->occurred);
}

void gpu_delete(Gpu *gpu) {
  card_enter(gpu->card);
  for (uint32_t i = 0; i < gpu->options.batches; i++)
    free_batch(gpu, &gpu->batches[i]);
  kernel_unload(&gpu->second.kernel, gpu->card);
  kernel_unload(&gpu->squad.kernel, gpu->card);
  gpu_squad_free(gpu);
  CUdeviceptr memory[] = {gpu->kinds,  gpu->operands, gpu->streams,
                          gpu->copies, gpu->goals,    gpu->blocks};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    release(gpu, memory[i]);
  if (gpu->module) gpu->card->driver.cuModuleUnload(gpu->module);
  free_sketch(gpu);
}

const char *gpu_error(Gpu *gpu) {
  return has_failed(gpu) ? text_string(&gpu->error) : NULL;
}

uint32_t gpu_width(const Gpu *gpu) {
  return atomic_load(&gpu->width);
}

/* ---- scores ---- */

/* Weights e^(Q/τ), relative to the greatest of the role's moves; no less than
   e^-80, which a float can still add up. */
void gpu_set_scores(Gpu *gpu, uint32_t number, const double *scores) {
  const GpuGame *game = &gpu->game;
  Batch *batch = &gpu->batches[number];
  float *weights = batch->weights.here;
  batch->weighs = scores;
  for (uint32_t role = 0; scores && role < game->roles; role++) {
    double most = -HUGE_VAL;
    for (uint32_t i = 0; i < game->moves; i++)
      if (game->owners[i] == role && scores[i] > most) most = scores[i];
    for (uint32_t i = 0; i < game->moves; i++)
      if (game->owners[i] == role) {
        float weight = (float)exp(fmax(scores[i] - most, -80));
        weights[gpu->roster.number[i]] = weight;
        if (batch->squad_weights.here) gpu_squad_weigh(gpu, batch, i, weight);
      }
  }
}

/* ---- batches ---- */

static bool launch(Gpu *gpu, Batch *batch, TeamLaunch *values,
                   uint32_t blocks) {
  void *parameters[] = {
#define PARAMETER(name) &values->name,
      TEAM_PARAMETERS(PARAMETER, PARAMETER, PARAMETER)
#undef PARAMETER
  };
  return gpu_succeeds(gpu,
                      gpu->card->driver.cuLaunchKernel(
                          gpu->play, blocks, 1, 1, 32 * gpu->roster.shape.warps,
                          1, 1, gpu->shared, batch->stream, parameters, NULL),
                      "launch");
}

static TeamLaunch prepare(const Gpu *gpu, Batch *batch) {
  const GpuGame *game = &gpu->game;
  const Roster *roster = &gpu->roster;
  return (TeamLaunch){
      .kinds = gpu->kinds,
      .operands = gpu->operands,
      .streams = gpu->streams,
      .copies = gpu->copies,
      .goals = gpu->goals,
      .blocks = gpu->blocks,
      .starts = batch->starts.there,
      .results = batch->results.there,
      .counter = batch->counter,
      .weights = batch->weighs ? batch->weights.there : 0,
      .credit = batch->credit.there,
      .occurred = batch->occurred,
      .slots = roster->slots,
      .first_move = roster->first_move,
      .fluents = game->fluents,
      .row_words = 2 * (uint32_t)bits_words(game->fluents),
      .copy_count = roster->copies.count,
      .goal_count = game->goal_count,
      .roles = game->roles,
      .moves = roster->moves,
      .terminal = roster->terminal,
      .limit = gpu->options.step_limit,
      .count = batch->count,
      .spread = 5,
      .rounds = 1,
      .lanes = UINT32_MAX,
      .last_lanes = UINT32_MAX,
      .credited = gpu->credited,
      .blind = (uint32_t)(gpu->options.blind * UINT32_MAX),
      .seed = batch->seed = batch->seed * 747796405u + 2891336453u,
      .gamma = (float)log2(gpu->options.gamma > 0 ? gpu->options.gamma : 1)};
}

static bool clear(Gpu *gpu, Batch *batch) {
  const Driver *driver = &gpu->card->driver;
  return gpu_succeeds(gpu,
                      driver->cuMemsetD8Async(batch->results.there, 0,
                                              batch->count * gpu->result_size,
                                              batch->stream),
                      "clear") &&
         gpu_succeeds(gpu,
                      driver->cuMemsetD8Async(batch->counter, 0,
                                              sizeof(uint32_t), batch->stream),
                      "clear");
}

static bool send_weights(Gpu *gpu, const Batch *batch) {
  const Mirror *weights = &batch->weights;
  return !batch->weighs || gpu_succeeds(gpu,
                                        gpu->card->driver.cuMemcpyHtoDAsync(
                                            weights->there, weights->here,
                                            weights->size, batch->stream),
                                        "copy");
}

/* Sends the starts and clears the sums. */
static bool send(Gpu *gpu, Batch *batch, const uint64_t *rows, uint32_t count) {
  const Driver *driver = &gpu->card->driver;
  size_t row = bits_words(gpu->game.fluents) * sizeof *rows;
  if (has_failed(gpu) || !enter(gpu)) return false;
  memcpy(batch->starts.here, rows ? rows : gpu->game.initial,
         rows ? count * row : row);
  batch->count = count;
  batch->there = false;
  if (!send_weights(gpu, batch)) return false;
  if (gpu->credited &&
      (!gpu_succeeds(gpu,
                     driver->cuMemsetD8Async(batch->credit.there, 0,
                                             batch->credit.size, batch->stream),
                     "clear") ||
       !gpu_succeeds(gpu,
                     driver->cuMemsetD8Async(batch->occurred, 0,
                                             (size_t)gpu->credited *
                                                 gpu->roster.moves * 4,
                                             batch->stream),
                     "clear")))
    return false;
  return gpu_succeeds(gpu,
                      driver->cuMemcpyHtoDAsync(batch->starts.there,
                                                batch->starts.here, count * row,
                                                batch->stream),
                      "copy") &&
         clear(gpu, batch);
}

static bool fetch(Gpu *gpu, Batch *batch) {
  const Driver *driver = &gpu->card->driver;
  batch->busy = true;
  if (gpu->credited &&
      !gpu_succeeds(
          gpu,
          driver->cuMemcpyDtoHAsync(batch->credit.here, batch->credit.there,
                                    batch->credit.size, batch->stream),
          "copy"))
    return false;
  return gpu_succeeds(
      gpu,
      driver->cuMemcpyDtoHAsync(batch->results.here, batch->results.there,
                                batch->count * gpu->result_size, batch->stream),
      "copy");
}

bool gpu_find_phases(const Phases *phases, Batch *batch, const uint64_t *rows,
                     uint32_t count) {
  uint32_t *stages = batch->phases.here;
  if (rows) return phases_find(phases, rows, count, stages);
  memset(stages, 0, count * sizeof *stages);
  return true;
}

bool gpu_send_phases(Gpu *gpu, const Batch *batch) {
  const Mirror *phases = &batch->phases;
  return gpu_succeeds(gpu,
                      gpu->card->driver.cuMemcpyHtoDAsync(
                          phases->there, phases->here,
                          batch->count * sizeof(uint32_t), batch->stream),
                      "copy");
}

/* Several starts share a word if they are played a few times each. */
static void share_words(TeamLaunch *values, uint32_t count, uint32_t repeat) {
  uint32_t each = 1;
  values->spread = 0;
  for (; each < repeat; each *= 2) values->spread++;
  values->jobs = (count * each + LANES - 1) / LANES;
  values->lanes = 0;
  for (uint32_t lane = 0; lane < LANES; lane++)
    values->lanes |= (uint32_t)(lane % each < repeat) << lane;
  values->last_lanes = values->lanes;
}

bool gpu_begin(Gpu *gpu, uint32_t number, const uint64_t *rows, uint32_t count,
               uint32_t repeat) {
  Batch *batch = &gpu->batches[number];
  uint32_t words = gpu->roster.shape.words;
  if (!send(gpu, batch, rows, count)) return false;
  TeamLaunch values = prepare(gpu, batch);
  values.rounds = (repeat + LANES - 1) / LANES;
  values.jobs = count * values.rounds;
  uint32_t last = repeat - (values.rounds - 1) * LANES;
  values.last_lanes = last == LANES ? UINT32_MAX : (1u << last) - 1;
  batch->races = false;
  if (gpu_second_suits(gpu, batch, rows, count, false))
    return gpu_second_launch(gpu, batch, &values, !rows) && fetch(gpu, batch);
  if (repeat <= LANES / 2) share_words(&values, count, repeat);
  if (gpu_squad_suits(gpu, batch, rows, count, false))
    return gpu_squad_launch(gpu, batch, &values) && fetch(gpu, batch);
  uint32_t blocks = (values.jobs + words - 1) / words;
  return launch(gpu, batch, &values,
                blocks < gpu->fitting ? blocks : gpu->fitting) &&
         fetch(gpu, batch);
}

bool gpu_flow(Gpu *gpu, uint32_t number, const uint64_t *rows, uint32_t count,
              uint32_t steps) {
  Batch *batch = &gpu->batches[number];
  if (!send(gpu, batch, rows, count)) return false;
  TeamLaunch values = prepare(gpu, batch);
  values.jobs = count;
  values.flow = steps;
  batch->races = false;
  if (gpu_second_suits(gpu, batch, rows, count, true))
    return gpu_second_launch(gpu, batch, &values, !rows) && fetch(gpu, batch);
  if (gpu_squad_suits(gpu, batch, rows, count, true))
    return gpu_squad_launch(gpu, batch, &values) && fetch(gpu, batch);
  return launch(gpu, batch, &values, gpu->fitting) && fetch(gpu, batch);
}

bool gpu_play_there(Gpu *gpu, uint32_t number, CUdeviceptr rows, uint32_t count,
                    uint32_t repeat) {
  Batch *batch = &gpu->batches[number];
  uint32_t words = gpu->roster.shape.words;
  if (has_failed(gpu) || !enter(gpu)) return false;
  batch->count = count;
  batch->there = true;
  batch->races = false;
  if (!clear(gpu, batch) || !send_weights(gpu, batch)) return false;
  TeamLaunch values = prepare(gpu, batch);
  values.starts = rows;
  values.jobs = count;
  if (repeat < LANES) values.last_lanes = (1u << repeat) - 1;
  if (gpu_second_suits(gpu, batch, NULL, count, false))
    return gpu_second_launch(gpu, batch, &values, false);
  if (repeat <= LANES / 2) share_words(&values, count, repeat);
  bool squad = gpu_squad_suits(gpu, batch, NULL, count, false);
  /* what does not fill the card says little of how fast it is */
  batch->races &= values.jobs > gpu_width(gpu) / 2;
  if (squad) return gpu_squad_launch(gpu, batch, &values);
  uint32_t blocks = (values.jobs + words - 1) / words;
  return launch(gpu, batch, &values,
                blocks < gpu->fitting ? blocks : gpu->fitting);
}

void gpu_played_there(Gpu *gpu, uint32_t number) {
  gpu_squad_time(gpu, &gpu->batches[number]);
}

bool gpu_done(Gpu *gpu, uint32_t number) {
  Batch *batch = &gpu->batches[number];
  if (!batch->busy || has_failed(gpu)) return true;
  card_enter(gpu->card);
  CUresult result = gpu->card->driver.cuStreamQuery(batch->stream);
  if (result == DRIVER_NOT_READY) return false;
  batch->busy = false;
  if (gpu_succeeds(gpu, result, "run")) gpu_squad_time(gpu, batch);
  return true;
}

bool gpu_wait(Gpu *gpu, uint32_t number) {
  Batch *batch = &gpu->batches[number];
  if (has_failed(gpu)) return false;
  card_enter(gpu->card);
  batch->busy = false;
  if (!gpu_succeeds(gpu, gpu->card->driver.cuStreamSynchronize(batch->stream),
                    "run"))
    return false;
  gpu_squad_time(gpu, batch);
  return true;
}

/* ---- results ---- */

const GpuSums *gpu_sums(const Gpu *gpu, uint32_t batch, uint32_t start) {
  const char *results = gpu->batches[batch].results.here;
  return (const GpuSums *)(results + start * gpu->result_size);
}

const GpuRoleSums *gpu_role_sums(const Gpu *gpu, uint32_t batch, uint32_t start,
                                 uint32_t role) {
  return (const GpuRoleSums *)(gpu_sums(gpu, batch, start) + 1) + role;
}

void gpu_credit(const Gpu *gpu, uint32_t batch, CreditSum *sums) {
  const uint64_t *credit = gpu->batches[batch].credit.here;
  for (uint32_t i = 0; i < gpu->game.moves; i++) {
    const uint64_t *from = credit + (size_t)gpu->roster.number[i] * TEAM_CREDIT;
    sums[i] = (CreditSum){.playouts = from[TEAM_PLAYOUTS],
                          .goals = from[TEAM_CREDIT_GOALS],
                          .rival_goals = from[TEAM_RIVAL_GOALS]};
  }
}
