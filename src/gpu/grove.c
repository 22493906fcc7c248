/* Everything runs on the stream of the Gpu's batch, in order. A wave is: split,
   once for each level; then the counts of the levels, of new leaves and of ends
   are fetched, which is where this side waits; then gather, the expansion,
   attach, the playouts and backup, for so many leaves. Levels are launched for
   a few more than the last wave had, and more if that was not enough. */
#include "gpu/grove.h"

#include <math.h>

#include "base/bits.h"
#include "gpu/grove_parts.h"

enum {
  BLOCKS = 8, /* of a multiprocessor, in launches for warps */
  SPARE_LEVELS = 3,
  LEAST_LEAVES = 64 /* of a wave */
};

/* Of the memory; a tree that has more when the root changes is cut down. */
static const double crowded = 0.6;

static const char *const kernel_names[] = {"split", "gather", "attach",
                                           "backup", "seek"};

/* ---- the card ---- */

static bool fail(Grove *grove, const char *why) {
  if (!grove->failed) text_add(&grove->error, why);
  grove->failed = true;
  return false;
}

static bool succeeds(Grove *grove, CUresult result, const char *what) {
  if (!result) return true;
  if (!grove->failed)
    text_format(&grove->error, "the card fails (%s): %s", what,
                driver_error(&grove->card->driver, result));
  grove->failed = true;
  return false;
}

const char *grove_error(const Grove *grove) {
  return grove->failed ? text_string(&grove->error) : NULL;
}

static CUdeviceptr allocate(Grove *grove, size_t size) {
  CUdeviceptr memory = 0;
  if (grove->failed) return 0;
  return succeeds(grove, grove->card->driver.cuMemAlloc(&memory, size),
                  "memory")
             ? memory
             : 0;
}

static void new_mirror(Grove *grove, Mirror *mirror, size_t size) {
  mirror->size = size;
  mirror->there = allocate(grove, size);
  if (!grove->failed)
    succeeds(grove, grove->card->driver.cuMemHostAlloc(&mirror->here, size, 0),
             "memory of this machine");
}

static bool send(Grove *grove, CUdeviceptr to, const void *from, size_t size) {
  return succeeds(
      grove,
      grove->card->driver.cuMemcpyHtoDAsync(to, from, size, grove->stream),
      "copy");
}

static bool fetch(Grove *grove, void *to, CUdeviceptr from, size_t size) {
  return succeeds(
      grove,
      grove->card->driver.cuMemcpyDtoHAsync(to, from, size, grove->stream),
      "copy");
}

static bool wait(Grove *grove) {
  return succeeds(grove, grove->card->driver.cuStreamSynchronize(grove->stream),
                  "run");
}

static bool run(Grove *grove, GroveKernel kernel, uint32_t blocks) {
  GroveLaunch *values = &grove->launch;
  void *parameters[] = {
#define PARAMETER(name) &values->name,
      GROVE_PARAMETERS(PARAMETER, PARAMETER, PARAMETER)
#undef PARAMETER
  };
  return succeeds(grove,
                  grove->card->driver.cuLaunchKernel(
                      grove->kernels[kernel], blocks, 1, 1, GROVE_THREADS, 1, 1,
                      0, grove->stream, parameters, NULL),
                  "launch");
}

/* Blocks in which each of `count` things has a warp, or a thread. */
static uint32_t blocks_of_warps(const Grove *grove, uint32_t count) {
  uint32_t warps = GROVE_THREADS / 32, most = BLOCKS * grove->card->processors;
  uint32_t blocks = (count + warps - 1) / warps;
  return blocks < most ? blocks : most;
}

static uint32_t blocks_of_threads(uint32_t count) {
  return (count + GROVE_THREADS - 1) / GROVE_THREADS;
}

/* ---- set up ---- */

static void compile(Grove *grove) {
  Text ptx = {0};
  grove_write(&grove->shape, &ptx);
  grove->module =
      card_compile(grove->card, text_string(&ptx), 4, &grove->error);
  text_free(&ptx);
  if (!grove->module) grove->failed = true;
  for (uint32_t i = 0; !grove->failed && i < GROVE_KERNELS; i++)
    succeeds(grove,
             grove->card->driver.cuModuleGetFunction(
                 &grove->kernels[i], grove->module, kernel_names[i]),
             "kernel");
}

/* A row of each role's moves. */
static void send_masks(Grove *grove) {
  const GpuGame *game = &grove->playing->game;
  uint32_t words = grove->shape.legal_words;
  size_t size = (size_t)game->roles * words * sizeof(uint64_t);
  uint64_t *masks = gpu_masks(game);
  grove->masks = allocate(grove, size);
  if (!grove->failed && send(grove, grove->masks, masks, size)) wait(grove);
  memory_delete(masks);
}

static float shift_of(const GroveOptions *options) {
  double low = fmin(options->constant, options->cut);
  double least = options->constant + fmin(0, 100 * options->own) +
                 fmin(0, 100 * options->other);
  return (float)-fmin(fmin(low, least), 0);
}

/* Several matches may share the card. */
static size_t choose_bytes(Grove *grove) {
  enum { SHARE = 8, SHARE_OF_REST = 4 };
  size_t left = 0, all = 0;
  if (!succeeds(grove, grove->card->driver.cuMemGetInfo(&left, &all), "memory"))
    return 0;
  size_t most = all / SHARE, rest = left / SHARE_OF_REST;
  return most < rest ? most : rest;
}

static void allocate_all(Grove *grove) {
  const GroveOptions *options = &grove->options;
  size_t bytes = options->bytes ? options->bytes : choose_bytes(grove);
  size_t units = bytes / GROVE_UNIT;
  /* numbers of nodes have 32 bits, and a wave may count beyond the end */
  if (units > UINT32_MAX / 2) units = UINT32_MAX / 2;
  size_t leaves = options->leaves;
  grove->arena = allocate(grove, units * GROVE_UNIT);
  grove->entries = allocate(grove, GROVE_LEVELS * leaves * sizeof(GroveEntry));
  grove->leaves = allocate(grove, leaves * sizeof(GroveLeaf));
  grove->ends = allocate(grove, leaves * sizeof(GroveLeaf));
  new_mirror(grove, &grove->counts, sizeof(GroveCounts));
  new_mirror(grove, &grove->state, sizeof(GroveState));
  new_mirror(grove, &grove->row, 8 * (size_t)grove->shape.row_words);
  new_mirror(grove, &grove->first, sizeof(GroveEntry));
  new_mirror(grove, &grove->node,
             grove->shape.actions_at +
                 grove->playing->game.moves * sizeof(GroveAction));
  grove->launch.capacity = (uint32_t)units;
}

static void prepare(Grove *grove) {
  const GroveOptions *options = &grove->options;
  const Batch *batch = &grove->playing->batches[0];
  ExpansionPlaces places = expansion_places(grove->expansion, 0);
  GroveLaunch *launch = &grove->launch;
  memset(grove->state.here, 0, sizeof(GroveState));
  launch->arena = grove->arena;
  launch->entries = grove->entries;
  launch->counts = grove->counts.there;
  launch->leaves = grove->leaves;
  launch->ends = grove->ends;
  launch->state = grove->state.there;
  launch->states = places.states;
  launch->joints = places.joints;
  launch->successors = places.successors;
  launch->legal = places.legal;
  launch->terminal = places.terminal;
  launch->goals = places.goals;
  launch->results = batch->results.there;
  launch->phases = batch->phases.there;
  launch->masks = grove->masks;
  launch->room = options->leaves;
  launch->c = (float)options->c;
  launch->loss = (float)options->loss;
  launch->shift = shift_of(options);
  launch->own = (float)options->own;
  launch->other = (float)options->other;
  launch->constant = (float)options->constant;
  launch->cut = (float)options->cut;
  launch->each = 1.0f / 65536 / (float)options->playouts;
}

static const char *obstacle(const Gpu *playing, const GroveOptions *options) {
  if (playing->game.roles > GROVE_ROLES) return "there are too many roles";
  if (options->leaves > playing->options.starts) return "a wave is too large";
  return NULL;
}

Grove *grove_new(Gpu *playing, const Gpu *growing, const GroveOptions *options,
                 Text *why) {
  const GpuGame *game = &playing->game;
  const char *against = obstacle(playing, options);
  if (against) {
    text_add(why, against);
    return NULL;
  }
  Grove *grove = memory_new(sizeof *grove);
  grove->playing = playing;
  grove->card = playing->card;
  grove->options = *options;
  grove->stream = playing->batches[0].stream;
  grove->shape = grove_shape(game->roles, game->fluents, game->moves,
                             playing->phases.stages);
  grove->sums = memory_new((game->moves + 1) * sizeof *grove->sums);
  if (!card_enter(grove->card))
    fail(grove, "the card is gone");
  else
    grove->expansion = expansion_new(
        growing, &(ExpansionOptions){1, options->leaves}, &grove->error);
  if (!grove->expansion) grove->failed = true;
  if (!grove->failed) compile(grove);
  if (!grove->failed) send_masks(grove);
  if (!grove->failed) allocate_all(grove);
  if (!grove->failed) {
    prepare(grove);
    return grove;
  }
  text_add(why, text_string(&grove->error));
  grove_delete(grove);
  return NULL;
}

static void free_mirror(const Driver *driver, Mirror *mirror) {
  if (mirror->there) driver->cuMemFree(mirror->there);
  if (mirror->here) driver->cuMemFreeHost(mirror->here);
}

void grove_delete(Grove *grove) {
  const Driver *driver = &grove->card->driver;
  CUdeviceptr memory[] = {grove->arena, grove->entries, grove->leaves,
                          grove->ends, grove->masks};
  card_enter(grove->card);
  driver->cuStreamSynchronize(grove->stream);
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    if (memory[i]) driver->cuMemFree(memory[i]);
  free_mirror(driver, &grove->counts);
  free_mirror(driver, &grove->state);
  free_mirror(driver, &grove->row);
  free_mirror(driver, &grove->node);
  free_mirror(driver, &grove->first);
  if (grove->module) driver->cuModuleUnload(grove->module);
  if (grove->expansion) expansion_delete(grove->expansion);
  memory_delete(grove->sums);
  text_free(&grove->error);
  memory_delete(grove);
}

/* ---- the root ---- */

static GroveState *state_of(const Grove *grove) {
  return grove->state.here;
}

static bool send_state(Grove *grove) {
  return send(grove, grove->state.there, grove->state.here, sizeof(GroveState));
}

static bool fetch_state(Grove *grove) {
  return fetch(grove, grove->state.here, grove->state.there,
               sizeof(GroveState)) &&
         wait(grove);
}

/* Fetches the root's node: its head first, as it tells the size, where that is
   not known. */
static bool fetch_root(Grove *grove, size_t actions) {
  CUdeviceptr there = grove->arena + (CUdeviceptr)grove->root * GROVE_UNIT;
  return fetch(grove, grove->node.here, there,
               grove->shape.actions_at + actions * sizeof(GroveAction));
}

static void read_root(Grove *grove) {
  const char *bytes = grove->node.here;
  const GroveAction *actions =
      (const GroveAction *)(bytes + grove->shape.actions_at);
  for (uint32_t i = 0; i < grove->actions; i++) {
    double visits = actions[i].visits;
    grove->sums[i] =
        (GroveSum){.move = actions[i].move,
                   .visits = actions[i].visits,
                   .total = (double)actions[i].total / GROVE_POINT -
                            (double)grove->launch.shift * visits};
  }
}

/* Looks for the state near the last root. */
static bool seek(Grove *grove, uint32_t root) {
  state_of(grove)->found = 0;
  grove->launch.root = root;
  return send_state(grove) && run(grove, GROVE_SEEK, 32) && fetch_state(grove);
}

static bool expand(Grove *grove, uint32_t count, bool moves) {
  return expansion_run(grove->expansion, 0, grove->stream, count, moves) ||
         fail(grove, expansion_error(grove->expansion));
}

/* Makes a root of the state, which is on the card. */
static bool plant(Grove *grove, uint32_t phase) {
  GroveState *state = state_of(grove);
  if (!state->used || (double)state->used > crowded * grove->launch.capacity)
    state->used = 1;
  state->root = 0;
  grove->launch.phase = phase;
  grove->launch.fresh = 1;
  return send_state(grove) && expand(grove, 1, false) &&
         run(grove, GROVE_ATTACH, 1) && fetch_state(grove);
}

/* Finds the root of the state, which is on the card, or makes one. */
static bool move_root(Grove *grove, uint32_t phase) {
  uint32_t before = grove->root;
  bool roomy =
      (double)state_of(grove)->used <= crowded * grove->launch.capacity;
  grove->root = 0;
  grove->report.waves = grove->report.leaves = 0;
  if (before && roomy) {
    if (!seek(grove, before)) return false;
    grove->root = state_of(grove)->found;
  }
  if (!grove->root) {
    if (!plant(grove, phase)) return false;
    grove->root = state_of(grove)->root;
  }
  return grove->root || fail(grove, "the memory for the tree is too small");
}

bool grove_stand(Grove *grove, const uint64_t *state) {
  size_t size = grove->row.size;
  uint32_t phase = 0;
  if (grove->failed) return false;
  if (!card_enter(grove->card)) return fail(grove, "the card is gone");
  if (grove->root && memcmp(grove->row.here, state, size) == 0) return true;
  if (!phases_find(&grove->playing->phases, state, 1, &phase)) {
    grove->root = 0;
    return false;
  }
  memcpy(grove->row.here, state, size);
  if (!send(grove, grove->launch.states, grove->row.here, size) ||
      !move_root(grove, phase) || !fetch_root(grove, 0) || !wait(grove))
    return false;
  grove->actions = ((const GroveHead *)grove->node.here)->count;
  if (!grove->actions) {
    grove->root = 0;
    return false;
  }
  if (!fetch_root(grove, grove->actions) || !wait(grove)) return false;
  read_root(grove);
  return true;
}

/* ---- waves ---- */

static const GroveHead *root_of(const Grove *grove) {
  return grove->node.here;
}

/* In a small tree, descents know too little of each other. */
static uint32_t choose_leaves(const Grove *grove) {
  uint64_t leaves =
      LEAST_LEAVES + root_of(grove)->visits / grove->options.growth;
  return leaves < grove->options.leaves ? (uint32_t)leaves
                                        : grove->options.leaves;
}

static bool send_descents(Grove *grove, uint32_t leaves) {
  GroveCounts *counts = grove->counts.here;
  GroveEntry *entry = grove->first.here;
  *counts = (GroveCounts){.entries = {1}};
  *entry = (GroveEntry){
      .node = grove->root, .descents = leaves, .parent = GROVE_NONE};
  return send(grove, grove->counts.there, counts, sizeof *counts) &&
         send(grove, grove->entries, entry, sizeof *entry);
}

/* Levels that have not been split yet. */
static bool split(Grove *grove, uint32_t from, uint32_t to, uint32_t leaves) {
  for (uint32_t level = from; level < to; level++) {
    grove->launch.level = level;
    uint32_t most = level ? leaves : 1;
    if (!run(grove, GROVE_SPLIT, blocks_of_warps(grove, most))) return false;
  }
  return fetch(grove, grove->counts.here, grove->counts.there,
               sizeof(GroveCounts)) &&
         wait(grove);
}

static bool descend(Grove *grove, uint32_t leaves) {
  const GroveCounts *counts = grove->counts.here;
  uint32_t done = 0, wanted = grove->levels + SPARE_LEVELS;
  if (!send_descents(grove, leaves)) return false;
  do {
    if (wanted > GROVE_LEVELS) wanted = GROVE_LEVELS;
    if (!split(grove, done, wanted, leaves)) return false;
    done = wanted;
    wanted += SPARE_LEVELS;
  } while (done < GROVE_LEVELS && counts->entries[done]);
  grove->levels = 0;
  while (grove->levels < GROVE_LEVELS && counts->entries[grove->levels])
    grove->levels++;
  return true;
}

static bool play(Grove *grove, uint32_t count) {
  GroveLaunch *launch = &grove->launch;
  launch->phase = GROVE_NONE;
  if (!run(grove, GROVE_GATHER, blocks_of_threads(count)) ||
      !expand(grove, count, true) ||
      !run(grove, GROVE_ATTACH, blocks_of_warps(grove, count)))
    return false;
  if (gpu_play_there(grove->playing, 0, launch->successors, count,
                     grove->options.playouts))
    return true;
  return fail(grove, gpu_error(grove->playing));
}

bool grove_grow(Grove *grove) {
  GroveLaunch *launch = &grove->launch;
  const GroveCounts *counts = grove->counts.here;
  if (grove->failed || !grove->root) return false;
  if (!card_enter(grove->card)) return fail(grove, "the card is gone");
  launch->seed = grove->seed = grove->seed * 747796405u + 2891336453u;
  if (!descend(grove, choose_leaves(grove))) return false;
  launch->fresh = counts->fresh;
  launch->over = counts->ends;
  if (launch->fresh && !play(grove, launch->fresh)) return false;
  if (launch->fresh + launch->over &&
      !run(grove, GROVE_BACKUP,
           blocks_of_threads(launch->fresh + launch->over)))
    return false;
  if (!fetch_root(grove, grove->actions) || !fetch_state(grove)) return false;
  gpu_played_there(grove->playing, 0);
  if (state_of(grove)->several)
    return fail(grove, "several roles have a choice at the same time");
  read_root(grove);
  grove->report.waves++;
  grove->report.leaves += launch->fresh;
  return true;
}

uint32_t grove_root(const Grove *grove, const GroveSum **sums) {
  *sums = grove->sums;
  return grove->root ? grove->actions : 0;
}

GroveReport grove_report(const Grove *grove) {
  GroveReport report = grove->report;
  report.used = (size_t)state_of(grove)->used * GROVE_UNIT;
  report.playouts = report.leaves * grove->options.playouts;
  return report;
}
