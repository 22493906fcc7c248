/* Everything runs on one stream, in order. This side waits once for each level:
   until its parts are here, and it is known how many children the next one has,
   whose moves are listed behind it.

   Level 0 are the requests, level 1 what their moves lead to, and so on. The
   states of a level that are listed have a HatchNode; all but those of level 0
   are described by a HatchChild. */
#include "gpu/hatchery.h"

#include <stdatomic.h>
#include <time.h>

#include "base/bits.h"
#include "base/memory.h"
#include "gpu/expansion.h"
#include "gpu/gpu_parts.h"
#include "gpu/hatchery_write.h"

enum {
  BLOCKS = 8, /* of a multiprocessor, in launches for warps */
  LEVELS = 8,
  PICKED = 2 /* the first level of which some are picked */
};

typedef enum { LIST, DESCRIBE, SUM, LINK, CHOOSE, PICK, KERNELS } HatchKernel;
static const char *const kernel_names[] = {"hatch_list",   "hatch_describe",
                                           "hatch_sum",    "hatch_link",
                                           "hatch_choose", "hatch_pick"};

typedef struct Level {
  uint32_t room, count;
  bool full; /* there was no room for more */
  CUdeviceptr rows, legal, over, marks, nodes, links; /* of its states */
  CUdeviceptr picks, tally; /* those that are marked; 0: all are looked at */
  CUdeviceptr states, joints, owners, moves, children; /* but for level 0 */
} Level;

struct Hatchery {
  const Card *card;
  const Hatchery *first; /* whose kernels, keys, masks, attacks and weights it
                            uses, or NULL */
  HatcheryOptions options;
  HatcheryShape shape;
  Expansion *expansion;
  CUmodule module;
  CUfunction kernels[KERNELS];
  CUstream stream;
  Level levels[LEVELS];
  uint32_t depth;        /* levels in use, besides that of the requests */
  uint32_t from, listed; /* levels of the part that have nodes */
  uint32_t pending; /* level of which the card counts the states; 0: none */
  Mirror requests, wanted, counts, weights, nodes;
  CUdeviceptr keys, masks, attacks;
  HatchChild *landing; /* what comes from the card; pinned */
  atomic_bool weighed; /* of the first */
  bool failed;
  Text error;
};

/* ---- the card ---- */

static bool fail(Hatchery *hatchery, const char *why) {
  if (!hatchery->failed) text_add(&hatchery->error, why);
  hatchery->failed = true;
  return false;
}

static bool succeeds(Hatchery *hatchery, CUresult result, const char *what) {
  if (!result) return true;
  if (!hatchery->failed)
    text_format(&hatchery->error, "the card fails (%s): %s", what,
                driver_error(&hatchery->card->driver, result));
  hatchery->failed = true;
  return false;
}

const char *hatchery_error(const Hatchery *hatchery) {
  return hatchery->failed ? text_string(&hatchery->error) : NULL;
}

/* All of it is 0. */
static CUdeviceptr allocate(Hatchery *hatchery, size_t size) {
  const Driver *driver = &hatchery->card->driver;
  CUdeviceptr memory = 0;
  if (hatchery->failed ||
      !succeeds(hatchery, driver->cuMemAlloc(&memory, size), "memory"))
    return 0;
  succeeds(hatchery, driver->cuMemsetD8Async(memory, 0, size, hatchery->stream),
           "memory");
  return memory;
}

static void *allocate_here(Hatchery *hatchery, size_t size) {
  void *memory = NULL;
  if (hatchery->failed) return NULL;
  succeeds(hatchery, hatchery->card->driver.cuMemHostAlloc(&memory, size, 0),
           "memory of this machine");
  return memory;
}

static void new_mirror(Hatchery *hatchery, Mirror *mirror, size_t size) {
  mirror->size = size;
  mirror->there = allocate(hatchery, size);
  mirror->here = allocate_here(hatchery, size);
}

static bool send(Hatchery *hatchery, CUdeviceptr to, const void *from,
                 size_t size) {
  return succeeds(hatchery,
                  hatchery->card->driver.cuMemcpyHtoDAsync(to, from, size,
                                                           hatchery->stream),
                  "copy");
}

static bool fetch(Hatchery *hatchery, void *to, CUdeviceptr from, size_t size) {
  return !size || succeeds(hatchery,
                           hatchery->card->driver.cuMemcpyDtoHAsync(
                               to, from, size, hatchery->stream),
                           "copy");
}

/* Threads of searches need the processor: the driver's own way to wait keeps
   it busy. */
static bool wait(Hatchery *hatchery) {
  const struct timespec moment = {.tv_nsec = 20000};
  CUresult result;
  while ((result = hatchery->card->driver.cuStreamQuery(hatchery->stream)) ==
         DRIVER_NOT_READY)
    nanosleep(&moment, NULL);
  return succeeds(hatchery, result, "run");
}

static bool run(Hatchery *hatchery, HatchKernel kernel, bool warps,
                HatcheryLaunch *values) {
  uint32_t each = warps ? HATCHERY_THREADS / 32 : HATCHERY_THREADS;
  uint32_t blocks = (values->count + each - 1) / each;
  uint32_t most = BLOCKS * hatchery->card->processors;
  if (warps && blocks > most) blocks = most;
  void *parameters[] = {
#define PARAMETER(name) &values->name,
      HATCHERY_PARAMETERS(PARAMETER, PARAMETER)
#undef PARAMETER
  };
  return succeeds(hatchery,
                  hatchery->card->driver.cuLaunchKernel(
                      hatchery->kernels[kernel], blocks, 1, 1, HATCHERY_THREADS,
                      1, 1, 0, hatchery->stream, parameters, NULL),
                  "launch");
}

/* ---- set up ---- */

static void compile(Hatchery *hatchery) {
  Text ptx = {0};
  hatchery_write(&hatchery->shape, &ptx);
  hatchery->module =
      card_compile(hatchery->card, text_string(&ptx), 4, &hatchery->error);
  text_free(&ptx);
  if (!hatchery->module) hatchery->failed = true;
  for (uint32_t i = 0; !hatchery->failed && i < KERNELS; i++)
    succeeds(hatchery,
             hatchery->card->driver.cuModuleGetFunction(
                 &hatchery->kernels[i], hatchery->module, kernel_names[i]),
             "kernel");
}

static void send_attacks(Hatchery *hatchery, uint32_t moves) {
  const uint16_t *attacks = hatchery->options.attacks;
  size_t size = (size_t)moves * HATCH_TARGETS * sizeof *attacks;
  hatchery->options.attacks = NULL; /* the caller's */
  if (!attacks) return;
  hatchery->attacks = allocate(hatchery, size);
  if (!hatchery->failed && send(hatchery, hatchery->attacks, attacks, size))
    wait(hatchery);
}

/* A row of each role's moves. */
static void send_masks(Hatchery *hatchery, const GpuGame *game) {
  uint32_t words = hatchery->shape.legal_words;
  size_t size = (size_t)game->roles * words * sizeof(uint64_t);
  uint64_t *masks = gpu_masks(game);
  hatchery->masks = allocate(hatchery, size);
  if (!hatchery->failed && send(hatchery, hatchery->masks, masks, size))
    wait(hatchery);
  memory_delete(masks);
}

/* Returns true if nodes of the level have attacks alone. */
static bool linked(const Hatchery *hatchery, uint32_t number) {
  return number >= PICKED && hatchery->attacks;
}

static void new_level(Hatchery *hatchery, uint32_t number) {
  const HatcheryShape *shape = &hatchery->shape;
  Level *level = &hatchery->levels[number];
  size_t room = number ? hatchery->options.room : hatchery->options.requests;
  size_t row = 8 * (size_t)shape->row_words;
  bool listed = number < hatchery->depth;
  level->room = (uint32_t)room;
  level->rows = allocate(hatchery, room * row);
  if (listed) {
    level->legal = allocate(hatchery, room * 8 * shape->legal_words);
    level->nodes = allocate(hatchery, room * sizeof(HatchNode));
  }
  if (listed && linked(hatchery, number))
    level->links = allocate(hatchery, room * sizeof(HatchLink));
  if (!number) return;
  level->over = allocate(hatchery, room);
  level->marks = allocate(hatchery, room * 4);
  if (listed && hatchery->options.blind) {
    level->picks = allocate(hatchery, room * 4);
    level->tally = allocate(hatchery, 4);
  }
  level->states = allocate(hatchery, room * row);
  level->joints = allocate(hatchery, room * 4 * shape->roles);
  level->owners = allocate(hatchery, room * 4);
  level->moves = allocate(hatchery, room * 4);
  level->children = allocate(hatchery, room * sizeof(HatchChild));
}

/* Several matches may share the card. */
static void choose_room(Hatchery *hatchery) {
  enum { SHARE = 32, LEAST = 1 << 12, MOST = 1 << 16 };
  const HatcheryShape *shape = &hatchery->shape;
  size_t left = 0, all = 0;
  size_t each = 8 * (2 * (size_t)shape->row_words + shape->legal_words) +
                sizeof(HatchChild) + sizeof(HatchNode) + sizeof(HatchLink) +
                4 * shape->roles + 20;
  if (!succeeds(hatchery, hatchery->card->driver.cuMemGetInfo(&left, &all),
                "memory"))
    return;
  size_t room = left / SHARE / each / hatchery->depth;
  hatchery->options.room = room < LEAST  ? LEAST
                           : room > MOST ? MOST
                                         : (uint32_t)room;
}

/* What a batch needs. */
static void allocate_all(Hatchery *hatchery) {
  const HatcheryShape *shape = &hatchery->shape;
  const HatcheryOptions *options = &hatchery->options;
  size_t listed =
      options->requests + (size_t)(hatchery->depth - 1) * options->room;
  new_mirror(hatchery, &hatchery->requests,
             (size_t)options->requests * 8 * shape->row_words);
  new_mirror(hatchery, &hatchery->wanted, (size_t)options->requests * 4);
  new_mirror(hatchery, &hatchery->counts, sizeof(HatcheryCounts));
  new_mirror(hatchery, &hatchery->nodes, listed * sizeof(HatchNode));
  for (uint32_t i = 0; i <= hatchery->depth; i++) new_level(hatchery, i);
  hatchery->landing =
      allocate_here(hatchery, hatchery_most(hatchery) * sizeof(HatchChild));
}

/* What twins share. */
static void send_keys(Hatchery *hatchery, const uint64_t *keys) {
  const HatcheryShape *shape = &hatchery->shape;
  size_t size = shape->fluents * sizeof *keys;
  new_mirror(hatchery, &hatchery->weights,
             (size_t)shape->roles * shape->fluents * sizeof(float));
  hatchery->keys = allocate(hatchery, size);
  if (!hatchery->failed && send(hatchery, hatchery->keys, keys, size))
    wait(hatchery);
}

static const char *obstacle(const GpuGame *game) {
  if (game->roles > HATCHERY_ROLES) return "there are too many roles";
  if (game->moves >= HATCH_NUMBERS || game->fluents >= HATCH_NUMBERS)
    return "the game is too large";
  return NULL;
}

static void open_stream(Hatchery *hatchery) {
  if (!hatchery->failed)
    succeeds(hatchery,
             hatchery->card->driver.cuStreamCreate(&hatchery->stream, 1),
             "stream");
}

static void begin(Hatchery *hatchery, const Gpu *gpu, const uint64_t *keys) {
  const char *against = obstacle(&gpu->game);
  if (against) {
    fail(hatchery, against);
    return;
  }
  if (!card_enter(hatchery->card)) {
    fail(hatchery, "the card is gone");
    return;
  }
  hatchery->expansion =
      expansion_new(gpu, &(ExpansionOptions){0, 0}, &hatchery->error);
  if (!hatchery->expansion) hatchery->failed = true;
  if (!hatchery->failed) compile(hatchery);
  open_stream(hatchery);
  if (!hatchery->failed) send_masks(hatchery, &gpu->game);
  if (!hatchery->failed) send_attacks(hatchery, gpu->game.moves);
  if (!hatchery->failed && !hatchery->options.room) choose_room(hatchery);
  if (!hatchery->failed) send_keys(hatchery, keys);
  if (!hatchery->failed) allocate_all(hatchery);
}

static Hatchery *finished(Hatchery *hatchery, Text *why) {
  if (!hatchery->failed) return hatchery;
  text_add(why, text_string(&hatchery->error));
  hatchery_delete(hatchery);
  return NULL;
}

Hatchery *hatchery_new(const Gpu *gpu, const uint64_t *keys,
                       const HatcheryOptions *options, Text *why) {
  const GpuGame *game = &gpu->game;
  Hatchery *hatchery = memory_new(sizeof *hatchery);
  hatchery->card = gpu->card;
  hatchery->options = *options;
  hatchery->depth = options->picked ? 3 : 2;
  if (options->picked) hatchery->depth += options->chain;
  if (hatchery->depth >= LEVELS) hatchery->depth = LEVELS - 1;
  hatchery->shape =
      (HatcheryShape){.roles = game->roles,
                      .fluents = game->fluents,
                      .row_words = (uint32_t)bits_words(game->fluents),
                      .legal_words = (uint32_t)bits_words(game->moves)};
  begin(hatchery, gpu, keys);
  return finished(hatchery, why);
}

Hatchery *hatchery_twin(const Hatchery *first, Text *why) {
  Hatchery *hatchery = memory_new(sizeof *hatchery);
  hatchery->card = first->card;
  hatchery->first = first;
  hatchery->options = first->options;
  hatchery->shape = first->shape;
  hatchery->depth = first->depth;
  hatchery->expansion = first->expansion;
  memcpy(hatchery->kernels, first->kernels, sizeof first->kernels);
  hatchery->weights.there = first->weights.there;
  hatchery->keys = first->keys;
  hatchery->masks = first->masks;
  hatchery->attacks = first->attacks;
  if (!card_enter(hatchery->card)) fail(hatchery, "the card is gone");
  open_stream(hatchery);
  if (!hatchery->failed) allocate_all(hatchery);
  return finished(hatchery, why);
}

static void release(const Driver *driver, CUdeviceptr memory) {
  if (memory) driver->cuMemFree(memory);
}

static void free_mirror(const Driver *driver, const Mirror *mirror) {
  release(driver, mirror->there);
  if (mirror->here) driver->cuMemFreeHost(mirror->here);
}

static void free_level(const Driver *driver, const Level *level) {
  release(driver, level->rows);
  release(driver, level->legal);
  release(driver, level->over);
  release(driver, level->marks);
  release(driver, level->picks);
  release(driver, level->tally);
  release(driver, level->nodes);
  release(driver, level->links);
  release(driver, level->states);
  release(driver, level->joints);
  release(driver, level->owners);
  release(driver, level->moves);
  release(driver, level->children);
}

static void free_shared(const Hatchery *hatchery) {
  const Driver *driver = &hatchery->card->driver;
  free_mirror(driver, &hatchery->weights);
  release(driver, hatchery->keys);
  release(driver, hatchery->masks);
  release(driver, hatchery->attacks);
  if (hatchery->module) driver->cuModuleUnload(hatchery->module);
  if (hatchery->expansion) expansion_delete(hatchery->expansion);
}

void hatchery_delete(Hatchery *hatchery) {
  const Driver *driver = &hatchery->card->driver;
  card_enter(hatchery->card);
  if (hatchery->stream) driver->cuStreamSynchronize(hatchery->stream);
  for (uint32_t i = 0; i < LEVELS; i++)
    free_level(driver, &hatchery->levels[i]);
  free_mirror(driver, &hatchery->requests);
  free_mirror(driver, &hatchery->wanted);
  free_mirror(driver, &hatchery->counts);
  free_mirror(driver, &hatchery->nodes);
  if (hatchery->landing) driver->cuMemFreeHost(hatchery->landing);
  if (!hatchery->first) free_shared(hatchery);
  if (hatchery->stream) driver->cuStreamDestroy(hatchery->stream);
  text_free(&hatchery->error);
  memory_delete(hatchery);
}

uint32_t hatchery_most(const Hatchery *hatchery) {
  return hatchery->depth * hatchery->options.room;
}

bool hatchery_weigh(Hatchery *hatchery, const float *weights) {
  Mirror *mirror = &hatchery->weights;
  if (hatchery->failed) return false;
  if (!card_enter(hatchery->card)) return fail(hatchery, "the card is gone");
  memcpy(mirror->here, weights, mirror->size);
  atomic_store(&hatchery->weighed, true);
  return send(hatchery, mirror->there, mirror->here, mirror->size) &&
         wait(hatchery);
}

/* ---- batches ---- */

/* The children of the first two levels, which are one part, are numbered
   together. */
static HatcheryLaunch launch_of(const Hatchery *hatchery, uint32_t number) {
  const Level *level = &hatchery->levels[number], *next = level + 1;
  bool all = number > PICKED && hatchery->options.followed == HATCHERY_ALL;
  return (HatcheryLaunch){.rows = level->rows,
                          .legal = level->legal,
                          .over = level->over,
                          .marks = all ? 0 : level->marks,
                          .nodes = level->nodes,
                          .links = level->links,
                          .counts = hatchery->counts.there,
                          .states = next->states,
                          .joints = next->joints,
                          .owners = next->owners,
                          .moves = next->moves,
                          .successors = next->rows,
                          .ends = hatchery->options.blind ? 0 : next->over,
                          .children = next->children,
                          .wanted = hatchery->wanted.there,
                          .keys = hatchery->keys,
                          .weights = hatchery->weights.there,
                          .masks = hatchery->masks,
                          .attacks = number < PICKED ? 0 : hatchery->attacks,
                          .count = level->count,
                          .room = next->room,
                          .first = number == 1 ? level->count : 0};
}

static bool expand(Hatchery *hatchery, const ExpansionPlaces *places,
                   uint32_t count) {
  return expansion_run_at(hatchery->expansion, places, hatchery->stream,
                          count) ||
         fail(hatchery, expansion_error(hatchery->expansion));
}

static bool send_requests(Hatchery *hatchery, const uint64_t *rows,
                          const uint32_t *moves, uint32_t count) {
  Level *level = &hatchery->levels[0];
  size_t size = (size_t)count * 8 * hatchery->shape.row_words;
  ExpansionPlaces places = {.states = level->rows, .legal = level->legal};
  memcpy(hatchery->requests.here, rows, size);
  memcpy(hatchery->wanted.here, moves, count * sizeof *moves);
  level->count = count;
  return send(hatchery, level->rows, hatchery->requests.here, size) &&
         send(hatchery, hatchery->wanted.there, hatchery->wanted.here,
              count * sizeof *moves) &&
         expand(hatchery, &places, count);
}

/* Has the moves of a level's states listed; how many there are, settle_list
   finds out. */
static bool begin_list(Hatchery *hatchery, uint32_t number) {
  HatcheryCounts *counts = hatchery->counts.here;
  Level *level = &hatchery->levels[number], *next = level + 1;
  HatcheryLaunch launch = launch_of(hatchery, number);
  hatchery->pending = number + 1;
  *counts = (HatcheryCounts){.beyond = next->room};
  return send(hatchery, hatchery->counts.there, counts, sizeof *counts) &&
         run(hatchery, LIST, true, &launch) &&
         fetch(hatchery, counts, hatchery->counts.there, sizeof *counts);
}

/* After the stream has come so far. */
static void take_counts(Hatchery *hatchery) {
  const HatcheryCounts *counts = hatchery->counts.here;
  Level *next = &hatchery->levels[hatchery->pending];
  if (!hatchery->pending) return;
  next->full = counts->asked > counts->beyond;
  next->count = next->full ? counts->beyond : counts->asked;
  hatchery->pending = 0;
}

static bool settle_list(Hatchery *hatchery) {
  if (!hatchery->pending) return true;
  if (!wait(hatchery)) return false;
  take_counts(hatchery);
  return true;
}

static bool weighed(const Hatchery *hatchery) {
  const Hatchery *first = hatchery->first ? hatchery->first : hatchery;
  return atomic_load(&first->weighed);
}

/* Of the children of each state of a level so many are listed. */
static uint32_t listed_of(const Hatchery *hatchery, uint32_t number) {
  const HatcheryOptions *options = &hatchery->options;
  if (!number) return HATCHERY_ALL;
  if (number == 1) return options->picked;
  if (options->followed == HATCHERY_ALL) return HATCHERY_ALL;
  uint32_t left = options->followed >> (number - 2);
  return left ? left : 1;
}

/* Says which states of the next level are listed; all, if nothing is said. */
static bool mark(Hatchery *hatchery, uint32_t number, HatcheryLaunch launch) {
  const Level *next = &hatchery->levels[number + 1];
  launch.marks = next->marks;
  launch.picks = next->picks;
  launch.tally = next->tally;
  launch.picked = listed_of(hatchery, number);
  if (next->tally && !succeeds(hatchery,
                               hatchery->card->driver.cuMemsetD8Async(
                                   next->tally, 0, 4, hatchery->stream),
                               "memory"))
    return false;
  if (launch.picked != HATCHERY_ALL) return run(hatchery, PICK, true, &launch);
  launch.count = next->count;
  return number || run(hatchery, CHOOSE, false, &launch);
}

/* Looks at the states of a level that are listed, if nobody has. */
static bool look(Hatchery *hatchery, uint32_t number) {
  const Level *level = &hatchery->levels[number];
  bool all = listed_of(hatchery, number - 1) == HATCHERY_ALL && number > 1;
  ExpansionPlaces places = {.states = level->rows,
                            .legal = level->legal,
                            .terminal = level->over,
                            .picked = all ? 0 : level->picks,
                            .limit = all ? 0 : level->tally};
  return !hatchery->options.blind || expand(hatchery, &places, level->count);
}

/* Makes the broods of a level, whose moves are listed, and the states of the
   next; lists the moves of those that will have broods. */
static bool make(Hatchery *hatchery, uint32_t number) {
  Level *level = &hatchery->levels[number], *next = level + 1;
  HatcheryLaunch launch = launch_of(hatchery, number);
  HatchKernel closing = linked(hatchery, number) ? LINK : SUM;
  if (!next->count) return run(hatchery, closing, false, &launch);
  ExpansionPlaces places = {
      .states = next->states, .joints = next->joints, .successors = next->rows};
  HatcheryLaunch described = launch;
  if (!hatchery->options.blind) {
    places.legal = next->legal;
    places.terminal = next->over;
  }
  described.count = next->count;
  if (!expand(hatchery, &places, next->count) ||
      !run(hatchery, DESCRIBE, false, &described) ||
      !run(hatchery, closing, false, &launch))
    return false;
  if (number + 1 >= hatchery->depth) return true;
  if (number + 1 >= PICKED && !weighed(hatchery)) return true;
  return mark(hatchery, number, launch) && look(hatchery, number + 1) &&
         begin_list(hatchery, number + 1);
}

static void count_all(const Hatchery *hatchery, Hatched *hatched) {
  uint32_t from = hatchery->from;
  bool links = linked(hatchery, from);
  *hatched = (Hatched){.nodes = links ? NULL : hatchery->nodes.here,
                       .links = links ? hatchery->nodes.here : NULL,
                       .roots = from ? 0 : hatchery->levels[0].count,
                       .back = from ? hatchery->levels[from].count : 0};
  for (uint32_t i = hatchery->from; i < hatchery->listed; i++) {
    const Level *level = &hatchery->levels[i], *next = level + 1;
    hatched->nodes_count += level->count;
    hatched->children_count += next->count;
    if (i < PICKED) hatched->full |= next->full; /* of the rest, some will do */
  }
}

/* By way of pinned memory: as much of that as children are kept would take the
   system a tenth of a second for every 80 MB. */
bool hatchery_take(Hatchery *hatchery, HatchChild *children) {
  bool links = linked(hatchery, hatchery->from);
  size_t size = links ? sizeof(HatchLink) : sizeof(HatchNode);
  char *nodes = hatchery->nodes.here;
  HatchChild *landed = hatchery->landing;
  if (hatchery->failed) return false;
  for (uint32_t i = hatchery->from; i < hatchery->listed; i++) {
    const Level *level = &hatchery->levels[i], *next = level + 1;
    if (!fetch(hatchery, nodes, links ? level->links : level->nodes,
               level->count * size) ||
        !fetch(hatchery, landed, next->children, next->count * sizeof *landed))
      return false;
    nodes += level->count * size;
    landed += next->count;
  }
  if (!wait(hatchery)) return false;
  take_counts(hatchery);
  memcpy(children, hatchery->landing,
         (size_t)(landed - hatchery->landing) * sizeof *children);
  return true;
}

/* Makes broods of the levels from `from` up to `to`, as far as there are such.
 */
static bool make_part(Hatchery *hatchery, uint32_t from, uint32_t to,
                      Hatched *hatched) {
  if (to > hatchery->depth) to = hatchery->depth;
  hatchery->from = hatchery->listed = from;
  for (uint32_t i = from; i < to && hatchery->levels[i].count; i++) {
    if (!settle_list(hatchery) || !make(hatchery, i)) return false;
    hatchery->listed = i + 1;
  }
  count_all(hatchery, hatched);
  return true;
}

bool hatchery_hatch(Hatchery *hatchery, const uint64_t *rows,
                    const uint32_t *moves, uint32_t count, Hatched *hatched) {
  *hatched = (Hatched){0};
  if (hatchery->failed) return false;
  if (!card_enter(hatchery->card)) return fail(hatchery, "the card is gone");
  if (!settle_list(hatchery)) return false; /* of a batch that was given up */
  for (uint32_t i = 0; i < LEVELS; i++) {
    hatchery->levels[i].count = 0;
    hatchery->levels[i].full = false;
  }
  return (!count || (send_requests(hatchery, rows, moves, count) &&
                     begin_list(hatchery, 0))) &&
         make_part(hatchery, 0, PICKED, hatched);
}

bool hatchery_go_on(Hatchery *hatchery, Hatched *hatched) {
  uint32_t next = hatchery->listed;
  *hatched = (Hatched){0};
  if (hatchery->failed) return false;
  if (!card_enter(hatchery->card)) return fail(hatchery, "the card is gone");
  return make_part(hatchery, next, weighed(hatchery) ? next + 1 : 0, hatched);
}
