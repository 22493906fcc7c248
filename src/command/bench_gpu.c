/* Random playouts on a graphics card. Rates are those of chunks, in which every
   lane plays without pause for a number of steps. Of a chunk the short playouts
   end first, so lengths and goals are those of a batch of whole ones instead,
   and playouts per second are states per second divided by the states of a
   playout. Kernels run alone on the card: chunks are timed by the clock, with
   all that is sent and fetched for them. The first kernel ends the set-up, and
   only then the legs are made of which others consist; where a second one is
   compiled beside it, that is waited for and measured. */
#include "command/bench.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "gpu/gpu.h"

enum {
  LANES = 32, /* of a word on the card */
  WORDS = 8   /* of the lanes of the processor, which learn scores */
};
static const double longest_chunk = 1; /* seconds */

bool bench_open_card(BenchCard *card) {
  Text why = {0};
  double start = clock_now();
  card->card = card_open(&why);
  card->seconds = clock_now() - start;
  if (!card->card) log_error("--engine gpu: %s", text_string(&why));
  text_free(&why);
  return card->card;
}

void bench_close_card(BenchCard *card) {
  card_close(card->card);
}

/* ---- chunks ----

   At the end of a chunk lanes wait for the longest playout: in chess_200, whose
   playouts have 190 steps, an eighth of a second's chunk was lost to that. So
   what the shortest chunk takes is subtracted from others. */

typedef struct Chunk {
  double seconds;
  uint64_t states;
} Chunk;

static bool play_chunk(Gpu *gpu, uint32_t steps, Chunk *chunk) {
  double start = clock_now();
  if (!gpu_flow(gpu, 0, NULL, 1, steps) || !gpu_wait(gpu, 0)) return false;
  *chunk = (Chunk){clock_now() - start, gpu_sums(gpu, 0, 0)->states};
  return true;
}

/* Returns the steps that would have taken `wanted` seconds, but no more than 16
   times as many. */
static uint32_t longer(uint32_t steps, double seconds, double wanted) {
  enum { MOST_STEPS = 1 << 28 };
  double times = wanted / (fmax(seconds, 0) + 1e-6);
  if (times > 16) times = 16;
  if (times < 2) times = 2;
  double more = (double)steps * times;
  return more < MOST_STEPS ? (uint32_t)more : MOST_STEPS;
}

/* Plays for so many seconds, and until a chunk was long enough to count.
   Returns false if the card fails. */
static bool run_chunks(Gpu *gpu, double seconds, BenchRates *rates,
                       BenchResult *result) {
  enum { FEWEST = 16 };
  double wanted = seconds / 2 < longest_chunk ? seconds / 2 : longest_chunk;
  uint32_t steps = 2 * FEWEST; /* more states than `end` has, surely */
  Chunk end;
  double start = clock_now();
  /* The first one also waits for memory. */
  if (!play_chunk(gpu, FEWEST, &end) || !play_chunk(gpu, FEWEST, &end))
    return false;
  while (clock_now() - start < seconds || !rates->count) {
    Chunk chunk;
    if (!play_chunk(gpu, steps, &chunk)) return false;
    double took = chunk.seconds - end.seconds;
    uint32_t more = longer(steps, took, wanted);
    if ((took < wanted / 2 || took < end.seconds) && more > steps) {
      steps = more;
      continue;
    }
    uint64_t states = chunk.states - end.states;
    vector_push(rates, (double)states / took);
    result->states += states;
    result->seconds += took;
  }
  return true;
}

/* ---- whole playouts ---- */

/* Plays from the initial state to the end, as often as the options say or as
   there are lanes. */
static bool play_whole(Gpu *gpu, const Options *options, uint32_t lanes) {
  uint32_t count = options->games ? (uint32_t)options->games : lanes;
  return gpu_begin(gpu, 0, NULL, 1, count) && gpu_wait(gpu, 0);
}

/* Lets the card find out which kernel is best. */
static bool decide(Gpu *gpu, const Options *options, uint32_t lanes) {
  while (gpu_undecided(gpu, 0))
    if (!play_whole(gpu, options, lanes)) return false;
  return true;
}

static bool run_whole(Gpu *gpu, const Options *options, BenchResult *result) {
  if (!play_whole(gpu, options, result->lanes)) return false;
  const GpuSums *sums = gpu_sums(gpu, 0, 0);
  result->ended = sums->ended;
  result->cut_off = sums->cut_off;
  result->stuck = sums->stuck;
  result->playouts = sums->ended + sums->cut_off + sums->stuck;
  result->length_sum = (double)sums->steps;
  result->length_square_sum = -1; /* the card keeps no squares */
  for (uint32_t role = 0; role < result->roles; role++) {
    const GpuRoleSums *of = gpu_role_sums(gpu, 0, 0, role);
    result->goal_sum[role] = (double)of->goals;
    result->goal_square_sum[role] = (double)of->goal_squares;
  }
  if (sums->states)
    result->playout_rate = (double)result->states / result->seconds *
                           (double)result->playouts / (double)sums->states;
  return true;
}

/* ---- */

static void set_gibbs(Gpu *gpu, const Options *options, const Cones *cones) {
  double *scores = memory_new((cones->net->moves.count + 1) * sizeof *scores);
  bench_learn_scores(options, cones, scores);
  gpu_set_scores(gpu, 0, scores);
  memory_delete(scores);
}

static bool measure(Gpu *gpu, const Options *options, const Cones *cones,
                    BenchResult *result) {
  BenchRates rates = {0}, gibbs = {0};
  BenchResult ignored = {0};
  if (strcmp(result->policy, "gibbs") == 0) set_gibbs(gpu, options, cones);
  bool fine = decide(gpu, options, result->lanes) &&
              run_chunks(gpu, options->seconds, &rates, result) &&
              run_whole(gpu, options, result);
  result->rate = bench_summarise(&rates);
  if (fine && options->suite) {
    set_gibbs(gpu, options, cones);
    fine = decide(gpu, options, result->lanes) &&
           run_chunks(gpu, options->seconds, &gibbs, &ignored);
    result->gibbs_part = bench_part(&gibbs, &result->rate);
  }
  vector_free(&rates);
  vector_free(&gibbs);
  return fine;
}

static size_t free_bytes(const Card *card) {
  size_t left = 0, all = 0;
  if (card->driver.cuMemGetInfo(&left, &all)) return 0;
  return left;
}

/* The gates of a step, on average over the legs if the kernel plays by these:
   goals are computed at the end of a playout only, unless they are part of what
   is looked at anyway. */
static uint32_t gates_of_step(const Cones *cones, bool by_legs, bool by_steps) {
  const Legs *rounds = by_legs ? cones->rounds : NULL;
  uint32_t sum = 0;
  if (by_steps) return cones_step_gates(cones);
  if (!rounds) return program_gates(cones->look) + program_gates(cones->next);
  for (uint32_t i = 0; i < rounds->count; i++)
    sum += program_gates(rounds->list[i].look) +
           program_gates(rounds->list[i].next);
  return sum / rounds->count;
}

/* A card must not be closed while something is compiled for it. */
static void drop(Gpu *gpu) {
  gpu_setup(gpu, true);
  gpu_delete(gpu);
}

static GpuKernels kernels_of(const Options *options) {
  if (!options->jit) return GPU_TEAM;
  if (strcmp(options->kernel, "solo") == 0) return GPU_SOLO;
  return strcmp(options->kernel, "squad") == 0 ? GPU_SQUAD : GPU_ALL;
}

/* Makes the kernel and plays a few games: the end of the set-up. */
static Gpu *set_up(const Options *options, const Cones *cones,
                   const BenchCard *card, BenchResult *result, Text *why) {
  GpuOptions wishes = {.seed = (uint64_t)options->seed,
                       .step_limit = (uint32_t)options->steps,
                       .batches = 1,
                       .starts = 1,
                       .credit = options->credit,
                       .later = !options->credit,
                       .gamma = 1,
                       .kernels = kernels_of(options),
                       .plan = *options->tune ? options->tune : NULL,
                       .scores = options->suite ||
                                 strcmp(options->policy, "gibbs") == 0};
  size_t before = free_bytes(card->card);
  Gpu *gpu = gpu_new(card->card, cones, &wishes, why);
  if (!gpu) return NULL;
  result->card.kernel = gpu_setup(gpu, false).first;
  size_t after = free_bytes(card->card);
  result->memory = before > after ? before - after : 0;
  if (gpu_begin(gpu, 0, NULL, 1, LANES) && gpu_wait(gpu, 0)) return gpu;
  text_add(why, gpu_error(gpu));
  drop(gpu);
  return NULL;
}

/* After a race it is known who has played. */
static void name_kernel(Gpu *gpu, const Cones *cones, BenchResult *result) {
  GpuSetup setup = gpu_setup(gpu, false);
  bool plain = strcmp(result->policy, "uniform") == 0 && !result->credit;
  result->card.second = setup.second;
  result->card.kind = plain ? setup.kind : setup.scored;
  result->jit = strcmp(result->card.kind, "team") != 0;
  result->gates = gates_of_step(cones, plain ? setup.by_legs : result->jit,
                                plain && setup.by_steps);
}

/* Makes the kernels besides the first one. */
static bool add_others(const Options *options, Book *book, Gpu *gpu,
                       Text *why) {
  const Cones *cones = book_cones(book, WORDS);
  if (!cones) text_add(why, text_string(&book->why[BOOK_CONES]));
  if (cones && !options->credit) gpu_add(gpu, cones);
  gpu_setup(gpu, true);
  return cones;
}

static bool play(const Options *options, Book *book, const Cones *cones,
                 double start, const BenchCard *card, BenchResult *result,
                 Text *why) {
  Gpu *gpu = set_up(options, cones, card, result, why);
  if (!gpu) return false;
  result->setup = clock_now() - start;
  result->policy = options->suite ? "uniform" : options->policy;
  result->credit = options->credit;
  result->lanes = gpu_width(gpu) * LANES;
  result->card.name = card->card->name;
  result->card.opened = card->seconds;
  if (!add_others(options, book, gpu, why)) {
    drop(gpu);
    return false;
  }
  bool fine = measure(gpu, options, cones, result);
  name_kernel(gpu, cones, result);
  if (!fine)
    text_add(why, gpu_error(gpu));
  else
    fine = bench_expansion(options, gpu, cones, &result->card.expansions, why);
  result->card.peak_part =
      result->gates * result->rate.best / LANES / card_peak(card->card);
  drop(gpu);
  return fine;
}

int bench_gpu(const Options *options, Description *description, double start,
              const BenchCard *card, BenchResult *result) {
  Book book;
  Text why = {0};
  if (!open_net(options, description, &book)) return EXIT_LIMIT;
  const Cones *cones =
      (options->credit ? book_cones : book_first_cones)(&book, WORDS);
  if (!cones) text_add(&why, text_string(&book.why[BOOK_CONES]));
  bool fine = cones && play(options, &book, cones, start, card, result, &why);
  if (!fine)
    log_error("%s: not played on the card: %s", description->source.name,
              text_string(&why));
  text_free(&why);
  book_free(&book);
  return fine ? EXIT_FINE : EXIT_LIMIT;
}
