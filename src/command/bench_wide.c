/* Wide playouts measured in short chunks by one or more threads, each with
   lanes of its own on shared programs. A gibbs choice gets made-up scores
   between 0 and 3, the range that MAST gives at its temperature. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "command/bench.h"
#include "wide/wide.h"

static const double chunk_seconds = 0.02;
enum { LARGE_NET = 5000 }; /* gates from which 512 lanes always were best */

typedef struct Worker {
  pthread_t thread;
  Wide *wide;
  double seconds;       /* to run */
  uint64_t playouts;    /* to play, 0: no limit */
  VECTOR(double) rates; /* states per second of each chunk */
} Worker;

static uint64_t playouts_of(const WideTotals *totals) {
  return totals->ended + totals->cut_off + totals->stuck;
}

static void *work(void *argument) {
  Worker *worker = argument;
  const WideTotals *totals = wide_totals(worker->wide);
  double start = clock_now(), now = start;
  uint64_t steps = 16;
  while (now - start < worker->seconds &&
         (!worker->playouts || playouts_of(totals) < worker->playouts)) {
    uint64_t states = totals->states;
    double chunk = now;
    if (!wide_run(worker->wide, steps)) break;
    now = clock_now();
    if (now - chunk < chunk_seconds / 2)
      steps *= 2; /* until a chunk is long enough to be timed */
    else
      vector_push(&worker->rates,
                  (double)(totals->states - states) / (now - chunk));
  }
  worker->seconds = now - start;
  return NULL;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

/* Best and median over all chunks of all threads, times the threads. */
static void sum_rates(const Worker *workers, uint32_t count,
                      BenchResult *result) {
  VECTOR(double) all = {0};
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < workers[i].rates.count; j++)
      vector_push(&all, workers[i].rates.data[j]);
  if (all.count) {
    qsort(all.data, all.count, sizeof *all.data, by_value);
    result->best = all.data[all.count - 1] * count;
    result->median = all.data[all.count / 2] * count;
  }
  vector_free(&all);
}

static void sum_totals(const WideTotals *totals, BenchResult *result) {
  result->states += totals->states;
  result->ended += totals->ended;
  result->cut_off += totals->cut_off;
  result->stuck += totals->stuck;
  result->playouts += playouts_of(totals);
  result->length_sum += (double)totals->steps;
  result->length_square_sum = -1; /* the lanes keep no squares */
  for (uint32_t role = 0; role < result->roles; role++) {
    result->goal_sum[role] += (double)totals->goals[role];
    result->goal_square_sum[role] += (double)totals->goal_squares[role];
  }
}

static bool choose_isa(const Options *options, Isa *isa) {
  for (int i = ISA_COUNT; i-- > 0;)
    if (strcmp(options->isa, "auto") == 0
            ? program_isa_available((Isa)i)
            : strcmp(options->isa, program_isa_name((Isa)i)) == 0) {
      *isa = (Isa)i;
      return program_isa_available(*isa);
    }
  return false;
}

typedef struct Choice {
  const Options *options;
  const Net *net;
  Isa isa;
  Cones *cones; /* chosen */
} Choice;

/* The fastest of the lane widths and of machine code or none, by a short run of
   each; what the options fix is not tried otherwise. */
static void choose_cones(void *context) {
  Choice *choice = context;
  const Options *options = choice->options;
  const Net *net = choice->net;
  Cones *best = NULL;
  double best_rate = 0;
  bool large = net_count_ands(net) > LARGE_NET;
  for (uint32_t words = 16; words >= 1; words /= 2) {
    if (options->lanes ? words * 64 != (uint32_t)options->lanes
                       : words < 4 || (large && words != 8))
      continue;
    for (int jit = 0; jit <= (int)options->jit; jit++) {
      ProgramMode mode = {choice->isa, jit, words};
      Cones *cones = cones_new(net, &mode);
      if (!cones) continue;
      WideOptions wide_options = {.seed = 1, .step_limit = 1000};
      Worker worker = {.wide = wide_new(cones, &wide_options), .seconds = 0.05};
      work(&worker);
      double rate = (double)wide_totals(worker.wide)->states / worker.seconds;
      wide_delete(worker.wide);
      vector_free(&worker.rates);
      if (best && rate <= best_rate) {
        cones_delete(cones);
        continue;
      }
      if (best) cones_delete(best);
      best = cones;
      best_rate = rate;
    }
  }
  choice->cones = best;
}

static uint32_t thread_count(const Options *options) {
  return options->threads ? (uint32_t)options->threads : 1;
}

static void run_workers(const Options *options, const Cones *cones,
                        BenchResult *result) {
  uint32_t count = thread_count(options);
  Worker *workers = memory_new(count * sizeof *workers);
  double *scores = memory_new((cones->net->moves.count + 1) * sizeof *scores);
  for (uint32_t i = 0; i < cones->net->moves.count; i++)
    scores[i] = 3 * (double)(hash_mix(i) >> 40) / (1 << 24);
  for (uint32_t i = 0; i < count; i++) {
    WideOptions wide_options = {.seed = hash_pair((uint64_t)options->seed, i),
                                .step_limit = (uint32_t)options->steps};
    workers[i].wide = wide_new(cones, &wide_options);
    workers[i].seconds = options->seconds;
    workers[i].playouts = (uint64_t)options->games / count;
    if (strcmp(options->policy, "gibbs") == 0)
      wide_set_scores(workers[i].wide, scores);
  }
  for (uint32_t i = 1; i < count; i++)
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
      fatal_limit("no more than %u threads can be made", i);
  work(&workers[0]);
  for (uint32_t i = 1; i < count; i++) pthread_join(workers[i].thread, NULL);
  for (uint32_t i = 0; i < count; i++) {
    sum_totals(wide_totals(workers[i].wide), result);
    if (workers[i].seconds > result->seconds)
      result->seconds = workers[i].seconds;
  }
  sum_rates(workers, count, result);
  for (uint32_t i = 0; i < count; i++) {
    wide_delete(workers[i].wide);
    vector_free(&workers[i].rates);
  }
  memory_delete(scores);
  memory_delete(workers);
}

int bench_wide(const Options *options, Description *description, double start,
               BenchResult *result) {
  LoadLimits limits = open_limits(options);
  Text error = {0};
  Net net;
  Isa isa;
  if (!choose_isa(options, &isa)) {
    log_error("this machine has no %s", options->isa);
    return EXIT_LIMIT;
  }
  if (!load_net(description, &limits, &net, NULL, &error)) {
    log_error("%s: %s", description->source.name, text_string(&error));
    text_free(&error);
    return EXIT_LIMIT;
  }
  Choice choice = {options, &net, isa, NULL};
  int code = EXIT_LIMIT;
  if (!memory_try(limits.ground.memory, choose_cones, &choice)) {
    log_error("%s: the programs take more memory than allowed (--memory)",
              description->source.name);
    net_free(&net);
    return EXIT_LIMIT;
  }
  Cones *cones = choice.cones;
  if (cones) {
    result->setup = clock_now() - start;
    result->policy = options->policy;
    result->isa = program_isa_name(isa);
    result->jit = cones->mode.jit;
    result->lanes = cones->mode.words * 64;
    result->threads = thread_count(options);
    result->gates = cones_gates(cones);
    result->memory =
        (size_t)cones->vectors * cones->mode.words * 8 * result->threads;
    run_workers(options, cones, result);
    cones_delete(cones);
    code = EXIT_FINE;
  } else {
    log_error("no such lanes: 64, 128, 256, 512 or 1024");
  }
  net_free(&net);
  return code;
}
