/* Wide playouts measured in short chunks by one or more threads, each with
   lanes of its own on shared programs. Rates are by thread time, so that a busy
   machine gives those of an idle one, apart from shared caches. Gibbs choice
   gets the scores that MAST learns from random playouts. Ways to play that are
   compared alternate chunk by chunk, so that other load affects all alike. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "command/bench.h"
#include "wide/wide.h"

static const double chunk_seconds = 0.02;

typedef struct Worker {
  pthread_t thread;
  Wide *wide;
  double seconds;    /* to run */
  uint64_t playouts; /* to play, 0: no limit */
  uint64_t steps;    /* of a chunk */
  BenchRates rates;  /* states per second of each chunk */
} Worker;

static uint64_t playouts_of(const WideTotals *totals) {
  return totals->ended + totals->cut_off + totals->stuck;
}

void bench_learn_scores(const Options *options, const Cones *cones,
                        double *scores) {
  WideOptions wide_options = {.seed = (uint64_t)options->seed,
                              .step_limit = (uint32_t)options->steps,
                              .credit = true};
  Wide *wide = wide_new(cones, &wide_options);
  wide_run(wide, 2000);
  const CreditSum *sums = wide_credit(wide);
  for (uint32_t i = 0; i < cones->net->moves.count; i++)
    scores[i] =
        (sums[i].playouts ? (double)sums[i].goals / (double)sums[i].playouts
                          : 100) /
        10;
  wide_delete(wide);
}

static void init_worker(Worker *worker, const Options *options,
                        const Cones *cones, const WideOptions *wide_options,
                        bool gibbs) {
  *worker = (Worker){.wide = wide_new(cones, wide_options),
                     .seconds = options->seconds,
                     .steps = 16};
  if (!gibbs) return;
  double *scores = memory_new((cones->net->moves.count + 1) * sizeof *scores);
  bench_learn_scores(options, cones, scores);
  wide_set_scores(worker->wide, scores);
  memory_delete(scores);
}

static void free_worker(Worker *worker) {
  wide_delete(worker->wide);
  vector_free(&worker->rates);
}

/* Runs a chunk, which counts if it is long enough to be timed. */
static void run_chunk(Worker *worker) {
  const WideTotals *totals = wide_totals(worker->wide);
  uint64_t states = totals->states;
  double start = clock_thread();
  wide_run(worker->wide, worker->steps);
  double seconds = clock_thread() - start;
  if (seconds < chunk_seconds / 2)
    worker->steps *= 2;
  else
    vector_push(&worker->rates, (double)(totals->states - states) / seconds);
}

static void *work(void *argument) {
  Worker *worker = argument;
  const WideTotals *totals = wide_totals(worker->wide);
  double start = clock_now();
  while (clock_now() - start < worker->seconds &&
         (!worker->playouts || playouts_of(totals) < worker->playouts))
    run_chunk(worker);
  worker->seconds = clock_now() - start;
  if (!worker->rates.count) /* too short a time */
    vector_push(&worker->rates, (double)totals->states / worker->seconds);
  return NULL;
}

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

BenchRate bench_summarise(BenchRates *rates) {
  if (!rates->count) return (BenchRate){0, 0};
  qsort(rates->data, rates->count, sizeof *rates->data, by_value);
  return (BenchRate){rates->data[rates->count - 1],
                     rates->data[rates->count / 2]};
}

static void sum_totals(const Worker *worker, BenchResult *result) {
  const WideTotals *totals = wide_totals(worker->wide);
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
  if (worker->seconds > result->seconds) result->seconds = worker->seconds;
}

/* ---- threads ---- */

static void run_threads(Worker *workers, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
      fatal_limit("no more than %u threads can be made", i);
  work(&workers[0]);
  for (uint32_t i = 1; i < count; i++) pthread_join(workers[i].thread, NULL);
}

void bench_run(const Options *options, const Cones *cones,
               BenchResult *result) {
  uint32_t count = result->threads;
  Worker *workers = memory_new(count * sizeof *workers);
  BenchRates all = {0};
  for (uint32_t i = 0; i < count; i++) {
    WideOptions wide_options = {.seed = hash_pair((uint64_t)options->seed, i),
                                .step_limit = (uint32_t)options->steps,
                                .record = options->history,
                                .credit = options->credit};
    init_worker(&workers[i], options, cones, &wide_options,
                strcmp(options->policy, "gibbs") == 0);
    workers[i].playouts = (uint64_t)options->games / count;
  }
  run_threads(workers, count);
  for (uint32_t i = 0; i < count; i++) {
    sum_totals(&workers[i], result);
    for (uint32_t j = 0; j < workers[i].rates.count; j++)
      vector_push(&all, workers[i].rates.data[j] * count);
    free_worker(&workers[i]);
  }
  result->rate = bench_summarise(&all);
  vector_free(&all);
  memory_delete(workers);
}

/* ---- comparison ---- */

BenchRate bench_part(BenchRates *rates, const BenchRate *whole) {
  BenchRate rate = bench_summarise(rates);
  if (whole->best <= 0) return (BenchRate){0, 0};
  return (BenchRate){rate.best / whole->best, rate.median / whole->median};
}

static bool all_timed(const Worker *workers, uint32_t count) {
  while (count && workers[count - 1].rates.count) count--;
  return !count;
}

void bench_compare(const Options *options, const Cones *cones,
                   BenchResult *result) {
  enum { UNIFORM, GIBBS, CREDIT, WAYS };
  Worker workers[WAYS];
  for (int way = 0; way < WAYS; way++) {
    WideOptions wide_options = {.seed = (uint64_t)options->seed,
                                .step_limit = (uint32_t)options->steps,
                                .record = way == CREDIT,
                                .credit = way == CREDIT};
    init_worker(&workers[way], options, cones, &wide_options, way == GIBBS);
  }
  double start = clock_now(), spent = 0;
  while (clock_now() - start < WAYS * options->seconds ||
         !all_timed(workers, WAYS))
    for (int way = 0; way < WAYS; way++) {
      double chunk = clock_now();
      run_chunk(&workers[way]);
      if (way == UNIFORM) spent += clock_now() - chunk;
    }
  workers[UNIFORM].seconds = spent;
  sum_totals(&workers[UNIFORM], result);
  result->rate = bench_summarise(&workers[UNIFORM].rates);
  result->gibbs_part = bench_part(&workers[GIBBS].rates, &result->rate);
  result->credit_part = bench_part(&workers[CREDIT].rates, &result->rate);
  for (int way = 0; way < WAYS; way++) free_worker(&workers[way]);
}
