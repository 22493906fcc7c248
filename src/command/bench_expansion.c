/* Expansions on a graphics card: the initial state with random legal moves, all
   results wanted. Two batches take turns, so that one is sent and taken while
   the card works at the other; the clock sees all of it. */
#include "base/bits.h"
#include "base/clock.h"
#include "base/random.h"
#include "command/bench.h"
#include "gpu/expansion.h"

enum { BATCHES = 2, FILLS = 2, MOST_BYTES = 1 << 28 };

static size_t row_size(uint32_t bits) {
  return bits_words(bits) * sizeof(uint64_t);
}

/* Returns as many pairs as fill the card, if that is not too much memory. */
static uint32_t choose_pairs(const Gpu *gpu, const Net *net) {
  size_t each = 2 * row_size(net->fluents.count) + row_size(net->moves.count) +
                1 + 2 * net->role_count * sizeof(uint32_t);
  size_t wanted = (size_t)FILLS * 32 * gpu_width(gpu);
  size_t most = MOST_BYTES / each;
  if (wanted > most) wanted = most;
  return wanted ? (uint32_t)wanted : 1;
}

static ExpandTask new_task(const Net *net, uint32_t count) {
  return (ExpandTask){
      .count = count,
      .states = memory_new(count * row_size(net->fluents.count)),
      .joints = memory_new((size_t)count * net->role_count * sizeof(uint32_t)),
      .successors = memory_new(count * row_size(net->fluents.count)),
      .legal = memory_new(count * row_size(net->moves.count)),
      .terminal = memory_new(count),
      .goals = memory_new((size_t)count * net->role_count * sizeof(int))};
}

static void free_task(ExpandTask *task) {
  memory_delete((void *)(uintptr_t)task->states);
  memory_delete((void *)(uintptr_t)task->joints);
  memory_delete(task->successors);
  memory_delete(task->legal);
  memory_delete(task->terminal);
  memory_delete(task->goals);
}

/* Fills in states and joint moves. A role without a legal move makes its first
   one. */
static void fill_task(ExpandTask *task, const Cones *cones, uint64_t seed) {
  const Net *net = cones->net;
  uint64_t *states = (uint64_t *)(uintptr_t)task->states;
  uint32_t *joints = (uint32_t *)(uintptr_t)task->joints;
  size_t words = bits_words(net->fluents.count);
  Expand expand;
  Random random;
  random_seed(&random, seed);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    for (uint32_t k = 0; net->fluents.data[i].initial && k < task->count; k++)
      bits_add(states + k * words, i);
  ExpandTask first = {.count = 1, .states = states, .legal = task->legal};
  expand_init(&expand, cones);
  expand_run(&expand, &first);
  expand_free(&expand);
  for (size_t i = 0; i < (size_t)task->count * net->role_count; i++) {
    const uint32_t *range = net->role_first.data + i % net->role_count;
    uint32_t seen = 0;
    joints[i] = range[0];
    for (uint32_t k = range[0]; k < range[1]; k++)
      if (bits_has(task->legal, k) && !random_below(&random, ++seen))
        joints[i] = k;
  }
}

/* Returns false if the card fails. */
static bool measure(Expansion *expansion, const ExpandTask *task,
                    double seconds, double *rate) {
  uint64_t pairs = 0;
  bool fine = true;
  double start = clock_now(), took = 0;
  for (uint32_t i = 0; i < BATCHES && fine; i++)
    fine = expansion_begin(expansion, i, task);
  for (uint32_t i = 0; fine && took < seconds; i = (i + 1) % BATCHES) {
    fine = expansion_wait(expansion, i) && expansion_take(expansion, i) &&
           expansion_begin(expansion, i, task);
    pairs += task->count;
    took = clock_now() - start;
  }
  *rate = fine ? (double)pairs / took : 0;
  return fine;
}

bool bench_expansion(const Options *options, const Gpu *gpu, const Cones *cones,
                     double *rate, Text *why) {
  Text none = {0};
  bool fine = true;
  uint32_t pairs = choose_pairs(gpu, cones->net);
  Expansion *expansion =
      expansion_new(gpu, &(ExpansionOptions){BATCHES, pairs}, &none);
  *rate = 0;
  if (expansion) {
    ExpandTask task = new_task(cones->net, pairs);
    fill_task(&task, cones, (uint64_t)options->seed);
    fine = measure(expansion, &task, options->seconds / 4, rate);
    if (!fine) text_add(why, expansion_error(expansion));
    expansion_delete(expansion);
    free_task(&task);
  }
  text_free(&none);
  return fine;
}
