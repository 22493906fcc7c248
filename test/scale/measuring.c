#include "scale/measuring.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "base/thread.h"

enum {
  TRIES = 7,
  BURSTS = 400, /* of turns that two threads take, */
  BURST = 500,  /* so short that both have a processor in some of them */
  LINE = 64,    /* bytes of a cache line */
  TURNS = 200000,
  BUFFER = 128 << 20 /* bytes, more than caches hold */
};

static double least(double a, double b) {
  return a < b ? a : b;
}

/* ---- locks ---- */

/* Each on lines of its own. */
typedef struct Shared {
  _Alignas(2 * LINE) atomic_uint lock;
  _Alignas(2 * LINE) atomic_uint turn;
  uint32_t counter;
} Shared;

static void acquire(atomic_uint *lock) {
  while (atomic_exchange_explicit(lock, 1, memory_order_acquire))
    while (atomic_load_explicit(lock, memory_order_relaxed))
      __builtin_ia32_pause();
}

static void release(atomic_uint *lock) {
  atomic_store_explicit(lock, 0, memory_order_release);
}

static double free_lock(Shared *shared) {
  double start = clock_now();
  for (uint32_t i = 0; i < TURNS; i++) {
    acquire(&shared->lock);
    shared->counter++;
    release(&shared->lock);
  }
  return (clock_now() - start) / TURNS;
}

/* Waits for its number, and gives the turn to the other. */
static void take_turns(Shared *shared, uint32_t own) {
  for (uint32_t i = 0; i < BURST; i++) {
    uint32_t spins = 0;
    while (atomic_load_explicit(&shared->turn, memory_order_acquire) != own)
      if (++spins % 1024)
        __builtin_ia32_pause();
      else
        sched_yield();
    atomic_store_explicit(&shared->turn, 1 - own, memory_order_release);
  }
}

static void *be_second(void *context) {
  for (uint32_t i = 0; i < BURSTS; i++) take_turns(context, 1);
  return NULL;
}

/* A turn is one move of a line. */
static double move_line(void) {
  static Shared shared;
  double best = 1;
  pthread_t other;
  shared.turn = 0;
  if (!thread_start(&other, THREAD_STACK, be_second, &shared)) return best;
  for (uint32_t i = 0; i < BURSTS; i++) {
    double start = clock_now();
    take_turns(&shared, 0);
    best = least(best, (clock_now() - start) / (2 * BURST));
  }
  pthread_join(other, NULL);
  return best;
}

/* ---- memory ---- */

static double copying(char *buffer) {
  double start = clock_now();
  memcpy(buffer, buffer + BUFFER / 2, BUFFER / 2);
  return BUFFER / 2 / (clock_now() - start);
}

typedef struct Reading {
  const char *buffer;
  uint64_t seed, sum;
  double rate;
} Reading;

/* Reads lines here and there; none waits for the one before. */
static void *read_lines(void *context) {
  Reading *reading = context;
  Random random;
  random_seed(&random, reading->seed);
  enum { READS = 1 << 20 };
  double start = clock_now();
  for (uint32_t i = 0; i < READS; i++)
    reading->sum +=
        (uint64_t)
            reading->buffer[(random_next(&random) % (BUFFER / LINE)) * LINE];
  reading->rate = (double)READS * LINE / (clock_now() - start);
  return NULL;
}

/* The rate of so many threads together. */
static double reading(const char *buffer, uint32_t threads) {
  enum { MOST = 256 };
  Reading list[MOST];
  pthread_t handles[MOST];
  uint32_t started = 0;
  double rate = 0;
  for (; started < threads && started < MOST; started++) {
    list[started] = (Reading){.buffer = buffer, .seed = started + 1};
    if (!thread_start(&handles[started], THREAD_STACK, read_lines,
                      &list[started]))
      break;
  }
  for (uint32_t i = 0; i < started; i++) {
    pthread_join(handles[i], NULL);
    rate += list[i].rate;
  }
  return rate;
}

static void measure_memory(MachineCosts *costs) {
  char *buffer = memory_new(BUFFER);
  memset(buffer, 1, BUFFER);
  uint32_t threads = thread_processors();
  for (uint32_t i = 0; i < TRIES; i++) {
    double copied = copying(buffer), one = reading(buffer, 1);
    double all = reading(buffer, threads);
    if (copied > costs->copy) costs->copy = copied;
    if (one > costs->lines) costs->lines = one;
    if (all > costs->memory) costs->memory = all;
  }
  memory_delete(buffer);
}

/* ---- all ---- */

void measuring_machine(MachineCosts *costs) {
  static Shared shared;
  costs->lock = costs->line = 1;
  costs->far = 120e-9; /* assumed: there may be no such cores */
  costs->near = 8;
  costs->copy = costs->lines = costs->memory = 0;
  for (uint32_t i = 0; i < TRIES; i++) {
    costs->lock = least(costs->lock, free_lock(&shared));
    costs->line = least(costs->line, move_line());
  }
  measure_memory(costs);
}
