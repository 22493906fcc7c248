/* tafl bench GAME… --breadth: how fast breadth-first search (solve/layers.h)
   finds states. Two searches: across layers, in which a key that was met before
   is dropped, and exact, in which the step counts as part of the state. Each
   begins again and again until its half of the time is over; rates are of one
   thread, per second of its time in user mode, and beside them per second of
   all its time. Where others use the machine, short chunks of thread time say
   more. A search does not end at a goal, so that every pass is the same. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "command/bench.h"
#include "solve/layers.h"

static const double group_seconds = 0.2, chunk_seconds = 0.005;
enum { CHUNK_STEPS = 16 }; /* between looks at the clock */

/* The best group of passes counts: others were disturbed. */
typedef struct Pass {
  uint64_t states, generated;
  double user, thread; /* seconds */
  double rate, generated_rate, thread_rate;
  uint32_t depth;
  size_t bytes;
  LayersStatus status;
} Pass;

typedef struct Mode {
  Pass best;
  VECTOR(double) chunks; /* states per second of thread time */
  uint32_t passes;
  uint32_t pairs, inverse; /* see Commute */
} Mode;

static double user_seconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_THREAD, &usage);
  return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static double per(double amount, double unit) {
  return unit > 0 ? amount / unit : 0;
}

/* A part of a pass. */
typedef struct Chunk {
  double start;
  uint64_t states;
} Chunk;

static void note_chunk(Mode *mode, Chunk *chunk, const Layers *layers) {
  double now = clock_thread();
  if (now - chunk->start < chunk_seconds) return;
  uint64_t states = layers_states(layers);
  double rate = (double)(states - chunk->states) / (now - chunk->start);
  vector_push(&mode->chunks, rate);
  *chunk = (Chunk){now, states};
}

/* One search, until it ends or the time is over. */
static bool run_pass(Mode *mode, Packing *packing, Fan *fan,
                     const LayersOptions *options, double until, Pass *pass) {
  Layers *layers = layers_new(packing, fan, options);
  if (!layers) return false;
  double user = user_seconds(), thread = clock_thread();
  Chunk chunk = {thread, layers_states(layers)};
  LayersStatus status = LAYERS_GOING;
  for (uint32_t i = 1; status == LAYERS_GOING && clock_now() < until; i++) {
    status = layers_step(layers);
    if (i % CHUNK_STEPS == 0) note_chunk(mode, &chunk, layers);
  }
  *pass = (Pass){.states = layers_states(layers),
                 .generated = layers->generated,
                 .user = user_seconds() - user,
                 .thread = clock_thread() - thread,
                 .depth = layers->depth,
                 .bytes = layers_bytes(layers),
                 .status = status};
  layers_delete(layers);
  return true;
}

/* Several searches, until they have taken long enough for the clock of user
   time, which is coarse. */
static bool run_group(Mode *mode, Packing *packing, Fan *fan,
                      const LayersOptions *options, double until, Pass *sum) {
  Pass pass, next;
  if (!run_pass(mode, packing, fan, options, until, &pass)) return false;
  uint64_t states = pass.states, generated = pass.generated;
  double user = pass.user, thread = pass.thread;
  while (thread < group_seconds && pass.status != LAYERS_GOING) {
    if (!run_pass(mode, packing, fan, options, until, &next)) return false;
    if (next.status == LAYERS_GOING) break; /* is not like the others */
    pass = next;
    states += pass.states;
    generated += pass.generated;
    user += pass.user;
    thread += pass.thread;
  }
  pass.rate = per((double)states, user);
  pass.generated_rate = per((double)generated, user);
  pass.thread_rate = per((double)states, thread);
  *sum = pass;
  return true;
}

static Mode run_mode(const Options *options, const Book *book, Packing *packing,
                     Fan *fan, bool across) {
  Mode mode = {.passes = 0};
  Commute commute;
  Pass pass;
  bool commutes = commute_init(&commute, book, packing, across);
  LayersOptions search = {.across = across,
                          .commute = commutes ? &commute : NULL,
                          .memory = (size_t)options->memory << 20};
  double until = clock_now() + options->seconds / 2;
  while ((!mode.passes || clock_now() < until) &&
         run_group(&mode, packing, fan, &search, until, &pass)) {
    if (!mode.passes++ ||
        (pass.status != LAYERS_GOING && pass.rate > mode.best.rate))
      mode.best = pass;
  }
  if (commutes) {
    mode.pairs = commute.pairs;
    mode.inverse = commute.inverse;
    commute_free(&commute);
  }
  return mode;
}

/* ---- output ---- */

static int compare_rates(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The chunk at a place between 0, the slowest, and 1. */
static double chunk_rate(const Mode *mode, double place) {
  uint32_t count = mode->chunks.count;
  if (!count) return 0;
  qsort(mode->chunks.data, count, sizeof(double), compare_rates);
  return mode->chunks.data[(uint32_t)(place * (count - 1))];
}

static const char *ending(LayersStatus status) {
  return status == LAYERS_ENDED  ? "all states"
         : status == LAYERS_FULL ? "out of memory"
                                 : "out of time";
}

static json_t *mode_json(const Mode *mode) {
  const Pass *pass = &mode->best;
  return json_pack(
      "{s:f, s:f, s:f, s:f, s:f, s:f, s:I, s:I, s:i, s:i, s:i, s:i, s:s}",
      "states_per_second", pass->rate, "generated_per_second",
      pass->generated_rate, "states_per_thread_second", pass->thread_rate,
      "best_chunk", chunk_rate(mode, 1), "median_chunk", chunk_rate(mode, 0.5),
      "bytes_per_state", per((double)pass->bytes, (double)pass->states),
      "states", (json_int_t)pass->states, "generated",
      (json_int_t)pass->generated, "depth", (int)pass->depth, "passes",
      (int)mode->passes, "commuting", (int)mode->pairs, "inverse",
      (int)mode->inverse, "end", ending(pass->status));
}

static void print_text(const char *name, const Mode *mode) {
  const Pass *pass = &mode->best;
  printf("  %s: %.1f M states/s, %.1f M generated/s (%.1f M states/s with "
         "system time; chunks: best %.1f, median %.1f); %.1f bytes per state; "
         "%llu states, depth %u, %s; %u pairs of moves commute, %u undo; best "
         "of %u\n",
         name, 1e-6 * pass->rate, 1e-6 * pass->generated_rate,
         1e-6 * pass->thread_rate, 1e-6 * chunk_rate(mode, 1),
         1e-6 * chunk_rate(mode, 0.5),
         per((double)pass->bytes, (double)pass->states),
         (unsigned long long)pass->states, pass->depth, ending(pass->status),
         mode->pairs, mode->inverse, mode->passes);
}

static void print(const Options *options, const char *game,
                  const Packing *packing, const Mode *across,
                  const Mode *exact) {
  if (!options->json) {
    printf("%s: keys of %u bits, %u autonomous fluents\n", game, packing->bits,
           packing->timed_count);
    print_text("across", across);
    print_text("exact", exact);
    return;
  }
  json_t *line = json_pack("{s:o, s:i, s:i, s:o, s:o}", "game",
                           open_json_text(game), "bits", (int)packing->bits,
                           "autonomous", (int)packing->timed_count, "across",
                           mode_json(across), "exact", mode_json(exact));
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static void measure(const Options *options, const char *path, Book *book) {
  Game *game = book_game(book);
  const uint64_t *start;
  Packing packing;
  book->limits.prove_seconds = analysis_default.prove_seconds;
  book_analysis(book);
  game_state(game, &start);
  packing_init(&packing, book, start);
  Fan *fan = fan_new(book, &packing);
  Mode across = run_mode(options, book, &packing, fan, true);
  Mode exact = run_mode(options, book, &packing, fan, false);
  print(options, path, &packing, &across, &exact);
  vector_free(&across.chunks);
  vector_free(&exact.chunks);
  fan_delete(fan);
  packing_free(&packing);
  game_delete(game);
}

static int bench_one(const Options *options, const char *path) {
  Description description;
  Book book;
  int code = EXIT_LIMIT;
  open_begin(options, 0);
  if (!open_description(options, path, &description)) return EXIT_INPUT;
  if (open_book(options, &description, &book)) {
    if (!book.has_net || book.net.role_count != 1) {
      log_error("%s: --breadth is for games of one role with a net", path);
    } else {
      measure(options, path, &book);
      code = EXIT_FINE;
    }
    book_free(&book);
  }
  description_free(&description);
  return code;
}

int bench_breadth(const Options *options) {
  int worst = EXIT_FINE;
  for (int i = 0; i < options->argument_count; i++) {
    int code = bench_one(options, options->arguments[i]);
    fflush(stdout);
    if (code > worst) worst = code;
  }
  return worst;
}
