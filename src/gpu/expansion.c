/* The roster is that of the Gpu, which is on the card already. A batch has a
   stream and memory on both sides for all that a task may want. */
#include "gpu/expansion.h"

#include <assert.h>

#include "base/bits.h"
#include "gpu/gpu_parts.h"
#include "gpu/team_expand.h"

typedef enum {
  STATES,
  JOINTS,
  SUCCESSORS,
  LEGAL,
  TERMINAL,
  GOALS,
  ARRAYS
} Array;

typedef struct Part {
  CUstream stream;
  Mirror arrays[ARRAYS];
  ExpandTask task;
  bool busy;
} Part;

struct Expansion {
  const Gpu *gpu;
  const Card *card;
  ExpansionOptions options;
  CUmodule module;
  CUfunction expand;
  uint32_t shared, fitting; /* bytes of a block; blocks at once */
  size_t sizes[ARRAYS];     /* bytes of a pair */
  TeamExpandLaunch launch;  /* what all launches have in common */
  Part *parts;
  pthread_mutex_t lock; /* of what follows */
  bool failed;
  Text error;
};

/* ---- the card ---- */

static bool succeeds(Expansion *expansion, CUresult result, const char *what) {
  if (!result) return true;
  pthread_mutex_lock(&expansion->lock);
  if (!expansion->failed)
    text_format(&expansion->error, "the card fails (%s): %s", what,
                driver_error(&expansion->card->driver, result));
  expansion->failed = true;
  pthread_mutex_unlock(&expansion->lock);
  return false;
}

const char *expansion_error(Expansion *expansion) {
  pthread_mutex_lock(&expansion->lock);
  bool failed = expansion->failed;
  pthread_mutex_unlock(&expansion->lock);
  return failed ? text_string(&expansion->error) : NULL;
}

/* Makes the card the calling thread's, if it is still good for something. */
static bool enter(Expansion *expansion) {
  const Card *card = expansion->card;
  return !expansion_error(expansion) &&
         succeeds(expansion, card->driver.cuCtxSetCurrent(card->context),
                  "context");
}

static CUdeviceptr allocate(Expansion *expansion, size_t size) {
  CUdeviceptr memory = 0;
  bool fine = succeeds(
      expansion, expansion->card->driver.cuMemAlloc(&memory, size ? size : 8),
      "memory");
  return fine ? memory : 0;
}

static CUdeviceptr upload(Expansion *expansion, const void *bytes,
                          size_t size) {
  CUdeviceptr memory = allocate(expansion, size);
  if (memory && size)
    succeeds(
        expansion,
        expansion->card->driver.cuMemcpyHtoDAsync(memory, bytes, size, NULL),
        "memory");
  return memory;
}

/* ---- set up ---- */

static void upload_places(Expansion *expansion) {
  const GpuGame *game = &expansion->gpu->game;
  const Roster *roster = &expansion->gpu->roster;
  uint32_t count = 64 * (uint32_t)bits_words(game->moves);
  uint32_t *places = memory_new(count * sizeof *places);
  for (uint32_t i = 0; i < count; i++)
    places[i] = i < game->moves
                    ? roster_place(&roster->shape,
                                   roster->first_move + roster->number[i])
                    : TEAM_EXPAND_NOWHERE;
  expansion->launch.places = upload(expansion, places, count * sizeof *places);
  memory_delete(places);
}

/* The goals of each role, in their order. */
static void upload_goals(Expansion *expansion) {
  const GpuGame *game = &expansion->gpu->game;
  TeamGoal *goals = memory_new(game->goal_count * sizeof *goals);
  uint32_t *bounds = memory_new((game->roles + 1) * sizeof *bounds);
  uint32_t count = 0;
  for (uint32_t role = 0; role < game->roles; role++) {
    bounds[role] = count;
    for (uint32_t i = 0; i < game->goal_count; i++)
      if (game->goals[i].role == role) goals[count++] = game->goals[i];
  }
  bounds[game->roles] = count;
  expansion->launch.goals = upload(expansion, goals, count * sizeof *goals);
  expansion->launch.bounds =
      upload(expansion, bounds, (game->roles + 1) * sizeof *bounds);
  memory_delete(goals);
  memory_delete(bounds);
}

static void prepare(Expansion *expansion) {
  const Gpu *gpu = expansion->gpu;
  const GpuGame *game = &gpu->game;
  const Roster *roster = &gpu->roster;
  size_t row = bits_words(game->fluents) * sizeof(uint64_t);
  expansion->launch =
      (TeamExpandLaunch){.kinds = gpu->kinds,
                         .operands = gpu->operands,
                         .streams = gpu->streams,
                         .copies = gpu->copies,
                         .fluents = game->fluents,
                         .row_words = (uint32_t)bits_words(game->fluents),
                         .legal_words = (uint32_t)bits_words(game->moves),
                         .copy_count = roster->copies.count,
                         .first_move = roster->first_move,
                         .moves = roster->moves,
                         .roles = game->roles,
                         .terminal_place = roster->terminal};
  expansion->sizes[STATES] = expansion->sizes[SUCCESSORS] = row;
  expansion->sizes[JOINTS] = game->roles * sizeof(uint32_t);
  expansion->sizes[LEGAL] = bits_words(game->moves) * sizeof(uint64_t);
  expansion->sizes[TERMINAL] = sizeof(bool);
  expansion->sizes[GOALS] = game->roles * sizeof(int);
  upload_places(expansion);
  upload_goals(expansion);
  succeeds(expansion, expansion->card->driver.cuStreamSynchronize(NULL),
           "memory");
}

static void compile(Expansion *expansion) {
  const Driver *driver = &expansion->card->driver;
  const Roster *roster = &expansion->gpu->roster;
  Text ptx = {0};
  int fitting = 0;
  team_expand_write(roster, &ptx);
  expansion->module =
      card_compile(expansion->card, text_string(&ptx), 4, &expansion->error);
  text_free(&ptx);
  expansion->failed = !expansion->module;
  expansion->shared = team_expand_shared(roster);
  if (expansion->failed ||
      !succeeds(expansion,
                driver->cuModuleGetFunction(&expansion->expand,
                                            expansion->module, "expand"),
                "kernel") ||
      !succeeds(expansion,
                driver->cuFuncSetAttribute(expansion->expand,
                                           DRIVER_FUNCTION_SHARED,
                                           (int)expansion->shared),
                "shared memory") ||
      !succeeds(expansion,
                driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(
                    &fitting, expansion->expand,
                    (int)(32 * roster->shape.warps), expansion->shared),
                "occupancy"))
    return;
  expansion->fitting = (uint32_t)fitting * expansion->card->processors;
  if (fitting) return;
  text_add(&expansion->error, "the card has no room for the kernel");
  expansion->failed = true;
}

static void new_part(Expansion *expansion, Part *part) {
  const Driver *driver = &expansion->card->driver;
  succeeds(expansion, driver->cuStreamCreate(&part->stream, 1), "stream");
  for (uint32_t i = 0; i < ARRAYS; i++) {
    Mirror *mirror = &part->arrays[i];
    mirror->size = expansion->options.pairs * expansion->sizes[i];
    mirror->there = allocate(expansion, mirror->size);
    succeeds(expansion,
             driver->cuMemHostAlloc(&mirror->here,
                                    mirror->size ? mirror->size : 8, 0),
             "memory of this machine");
  }
}

Expansion *expansion_new(const Gpu *gpu, const ExpansionOptions *options,
                         Text *why) {
  Expansion *expansion = memory_new(sizeof *expansion);
  expansion->gpu = gpu;
  expansion->card = gpu->card;
  expansion->options = *options;
  if (options->batches)
    expansion->parts = memory_new(options->batches * sizeof *expansion->parts);
  pthread_mutex_init(&expansion->lock, NULL);
  if (enter(expansion)) compile(expansion);
  if (!expansion->failed) prepare(expansion);
  for (uint32_t i = 0; !expansion->failed && i < options->batches; i++)
    new_part(expansion, &expansion->parts[i]);
  if (!expansion->failed) return expansion;
  text_add(why, text_string(&expansion->error));
  expansion_delete(expansion);
  return NULL;
}

static void free_part(const Driver *driver, Part *part) {
  if (part->stream) {
    driver->cuStreamSynchronize(part->stream);
    driver->cuStreamDestroy(part->stream);
  }
  for (uint32_t i = 0; i < ARRAYS; i++) {
    if (part->arrays[i].there) driver->cuMemFree(part->arrays[i].there);
    if (part->arrays[i].here) driver->cuMemFreeHost(part->arrays[i].here);
  }
}

void expansion_delete(Expansion *expansion) {
  const Driver *driver = &expansion->card->driver;
  CUdeviceptr tables[] = {expansion->launch.places, expansion->launch.goals,
                          expansion->launch.bounds};
  card_enter(expansion->card);
  for (uint32_t i = 0; i < expansion->options.batches; i++)
    free_part(driver, &expansion->parts[i]);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    if (tables[i]) driver->cuMemFree(tables[i]);
  if (expansion->module) driver->cuModuleUnload(expansion->module);
  pthread_mutex_destroy(&expansion->lock);
  text_free(&expansion->error);
  memory_delete(expansion->parts);
  memory_delete(expansion);
}

uint32_t expansion_width(const Expansion *expansion) {
  return 32 * expansion->fitting * expansion->gpu->roster.shape.words;
}

/* ---- tasks ---- */

/* Returns where a result goes; NULL: it is not wanted. */
static void *result_of(const ExpandTask *task, Array array) {
  switch (array) {
  case SUCCESSORS: return task->successors;
  case LEGAL: return task->legal;
  case TERMINAL: return task->terminal;
  case GOALS: return task->goals;
  default: return NULL;
  }
}

static bool send(Expansion *expansion, Part *part, Array array,
                 const void *from) {
  Mirror *mirror = &part->arrays[array];
  size_t size = part->task.count * expansion->sizes[array];
  if (!from || !size) return true;
  memcpy(mirror->here, from, size);
  return succeeds(expansion,
                  expansion->card->driver.cuMemcpyHtoDAsync(
                      mirror->there, mirror->here, size, part->stream),
                  "copy");
}

static bool launch(Expansion *expansion, const ExpansionPlaces *places,
                   uint32_t count, CUstream stream) {
  const Roster *roster = &expansion->gpu->roster;
  const uint32_t *streams = roster->streams;
  uint32_t warps = roster->shape.warps, lanes = 32 * roster->shape.words;
  uint32_t blocks = (count - 1) / lanes + 1;
  TeamExpandLaunch values = expansion->launch;
  /* `look` computes the goals too where they have no program. */
  bool apart = streams[ROSTER_GOALS * warps] != streams[ROSTER_LOOK * warps];
  values.picked = places->picked;
  values.limit = places->limit;
  values.states = places->states;
  values.joints = places->joints;
  values.successors = places->successors;
  values.legal = places->legal;
  values.terminal = places->terminal;
  values.values = places->goals;
  values.count = count;
  values.looks = places->legal || places->terminal || (places->goals && !apart);
  values.judges = apart;
  void *parameters[] = {
#define PARAMETER(name) &values.name,
      TEAM_EXPAND_PARAMETERS(PARAMETER, PARAMETER)
#undef PARAMETER
  };
  return succeeds(expansion,
                  expansion->card->driver.cuLaunchKernel(
                      expansion->expand,
                      blocks < expansion->fitting ? blocks : expansion->fitting,
                      1, 1, 32 * warps, 1, 1, expansion->shared, stream,
                      parameters, NULL),
                  "launch");
}

/* Where a task has what it wants. */
static ExpansionPlaces places_of(const Part *part) {
  const ExpandTask *task = &part->task;
  const Mirror *arrays = part->arrays;
  return (ExpansionPlaces){
      .states = arrays[STATES].there,
      .joints = task->joints ? arrays[JOINTS].there : 0,
      .successors = task->successors ? arrays[SUCCESSORS].there : 0,
      .legal = task->legal ? arrays[LEGAL].there : 0,
      .terminal = task->terminal ? arrays[TERMINAL].there : 0,
      .goals = task->goals ? arrays[GOALS].there : 0};
}

static bool fetch(Expansion *expansion, Part *part) {
  for (Array i = SUCCESSORS; i < ARRAYS; i++) {
    Mirror *mirror = &part->arrays[i];
    size_t size = part->task.count * expansion->sizes[i];
    if (result_of(&part->task, i) && size &&
        !succeeds(expansion,
                  expansion->card->driver.cuMemcpyDtoHAsync(
                      mirror->here, mirror->there, size, part->stream),
                  "copy"))
      return false;
  }
  return true;
}

bool expansion_begin(Expansion *expansion, uint32_t batch,
                     const ExpandTask *task) {
  Part *part = &expansion->parts[batch];
  if (!enter(expansion)) return false;
  assert(!part->busy && !task->owners &&
         task->count <= expansion->options.pairs);
  part->task = *task;
  if (!task->count) return true;
  part->busy = true;
  ExpansionPlaces places = places_of(part);
  return send(expansion, part, STATES, task->states) &&
         send(expansion, part, JOINTS, task->joints) &&
         launch(expansion, &places, task->count, part->stream) &&
         fetch(expansion, part);
}

bool expansion_done(Expansion *expansion, uint32_t batch) {
  Part *part = &expansion->parts[batch];
  if (!part->busy || !enter(expansion)) return true;
  CUresult result = expansion->card->driver.cuStreamQuery(part->stream);
  if (result == DRIVER_NOT_READY) return false;
  part->busy = false;
  succeeds(expansion, result, "run");
  return true;
}

bool expansion_wait(Expansion *expansion, uint32_t batch) {
  Part *part = &expansion->parts[batch];
  if (!enter(expansion)) return false;
  part->busy = false;
  return succeeds(expansion,
                  expansion->card->driver.cuStreamSynchronize(part->stream),
                  "run");
}

bool expansion_take(Expansion *expansion, uint32_t batch) {
  Part *part = &expansion->parts[batch];
  if (expansion_error(expansion)) return false;
  assert(!part->busy);
  for (Array i = SUCCESSORS; i < ARRAYS; i++) {
    void *to = result_of(&part->task, i);
    size_t size = part->task.count * expansion->sizes[i];
    if (to && size) memcpy(to, part->arrays[i].here, size);
  }
  return true;
}

/* ---- what stays on the card ---- */

ExpansionPlaces expansion_places(const Expansion *expansion, uint32_t batch) {
  const Mirror *arrays = expansion->parts[batch].arrays;
  return (ExpansionPlaces){.states = arrays[STATES].there,
                           .joints = arrays[JOINTS].there,
                           .successors = arrays[SUCCESSORS].there,
                           .legal = arrays[LEGAL].there,
                           .terminal = arrays[TERMINAL].there,
                           .goals = arrays[GOALS].there};
}

bool expansion_run(Expansion *expansion, uint32_t batch, CUstream stream,
                   uint32_t count, bool moves) {
  if (!enter(expansion)) return false;
  assert(!expansion->parts[batch].busy && count <= expansion->options.pairs);
  ExpansionPlaces places = expansion_places(expansion, batch);
  if (!moves) places.joints = 0;
  return launch(expansion, &places, count, stream);
}

bool expansion_run_at(Expansion *expansion, const ExpansionPlaces *places,
                      CUstream stream, uint32_t count) {
  return enter(expansion) && launch(expansion, places, count, stream);
}
