/* tafl bench GAME…: random playouts for a while, with rates and results. */
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "command/accuracy.h"
#include "command/bench.h"
#include "engine/playout.h"

static double mean(double sum, uint64_t count) {
  return count ? sum / (double)count : 0;
}

static double deviation(double sum, double square_sum, uint64_t count) {
  if (count < 2) return 0;
  double variance =
      (square_sum - sum * sum / (double)count) / (double)(count - 1);
  return variance > 0 ? sqrt(variance) : 0;
}

static json_t *list_of(const double *sums, const double *squares,
                       uint32_t roles, uint64_t count) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < roles; i++)
    json_array_append_new(
        list, json_real(squares ? deviation(sums[i], squares[i], count)
                                : mean(sums[i], count)));
  return list;
}

static void add_part(json_t *line, const char *best, const char *median,
                     const BenchRate *part) {
  if (part->best <= 0) return;
  json_object_set_new(line, best, json_real(part->best));
  json_object_set_new(line, median, json_real(part->median));
}

static void add_card(json_t *line, const BenchCardResult *card) {
  json_object_set_new(line, "card", open_json_text(card->name));
  json_object_set_new(line, "card_seconds", json_real(card->opened));
  json_object_set_new(line, "kernel", json_string(card->kind));
  json_object_set_new(line, "kernel_seconds", json_real(card->kernel));
  json_object_set_new(line, "second_kernel_seconds",
                      card->second > 0 ? json_real(card->second) : json_null());
  json_object_set_new(line, "peak_part", json_real(card->peak_part));
  json_object_set_new(line, "expansions_per_second",
                      card->expansions > 0 ? json_real(card->expansions)
                                           : json_null());
}

void bench_print_json(const BenchResult *r) {
  json_t *line = json_pack(
      "{s:o, s:s, s:s, s:b, s:b, s:s, s:b, s:i, s:i, s:f, s:f, s:f, s:f, s:f, "
      "s:i, s:f, "
      "s:I, s:I, s:I, s:I, s:I, s:f, s:o, s:o, s:o}",
      "game", open_json_text(r->game), "engine", r->engine, "policy", r->policy,
      "record", r->record, "credit", r->credit, "isa", r->isa, "jit", r->jit,
      "lanes", (int)r->lanes, "threads", (int)r->threads, "seconds", r->seconds,
      "playouts_per_second", r->playout_rate, "states_per_second",
      (double)r->states / r->seconds, "states_per_second_best", r->rate.best,
      "states_per_second_median", r->rate.median, "gates", (int)r->gates,
      "setup_seconds", r->setup, "memory_bytes", (json_int_t)r->memory,
      "playouts", (json_int_t)r->playouts, "ended", (json_int_t)r->ended,
      "cut_off", (json_int_t)r->cut_off, "stuck", (json_int_t)r->stuck,
      "length_mean", mean(r->length_sum, r->ended), "length_deviation",
      r->length_square_sum < 0
          ? json_null()
          : json_real(deviation(r->length_sum, r->length_square_sum, r->ended)),
      "goal_means", list_of(r->goal_sum, NULL, r->roles, r->ended),
      "goal_deviations",
      list_of(r->goal_sum, r->goal_square_sum, r->roles, r->ended));
  if (r->lanes && !r->card.name)
    json_object_update_new(line,
                           json_pack("{s:i, s:i, s:i, s:i, s:i}", "step_gates",
                                     (int)r->step_gates, "moves", (int)r->moves,
                                     "loops", (int)r->loops, "rounds",
                                     (int)r->rounds, "legs", (int)r->legs));
  add_part(line, "gibbs_part_best", "gibbs_part_median", &r->gibbs_part);
  add_part(line, "credit_part_best", "credit_part_median", &r->credit_part);
  if (r->card.name) add_card(line, &r->card);
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static void print_card(const BenchResult *r) {
  const BenchCardResult *card = &r->card;
  printf(
      "  %s choice%s on %s, %s kernel; chunks: best %.0f, median %.0f "
      "states/s\n  %u gates a state, %.3g %% of what the card can compute at "
      "best; %.1f MiB\n  card opened in %.1f ms, first kernel in %.1f ms",
      r->policy, r->credit ? ", moves credited" : "", card->name, card->kind,
      r->rate.best, r->rate.median, r->gates, 100 * card->peak_part,
      (double)r->memory / (1 << 20), card->opened * 1e3, card->kernel * 1e3);
  if (card->second > 0) printf(", second in %.1f ms", card->second * 1e3);
  if (card->expansions > 0) printf("\n  %.0f expansions/s", card->expansions);
  putchar('\n');
}

/* What a step is played with. */
static void print_programs(const BenchResult *r) {
  double gates = r->step_gates ? r->step_gates : 1;
  printf("  %u gates, %u in a step", r->gates, r->step_gates);
  if (r->legs)
    printf(" with lanes in step by %u legs", r->legs);
  else if (r->rounds)
    printf(" by rounds of %u legs", r->rounds);
  printf(", %.2f ns for each of these and %u lanes, all in all; %.1f MiB\n",
         1e9 * r->lanes / r->rate.best / gates * r->threads, r->lanes,
         (double)r->memory / (1 << 20));
}

void bench_print_text(const BenchResult *r) {
  printf("%s: %s engine, %.0f states/s, %.1f playouts/s, set up in %.1f ms\n",
         r->game, r->engine, (double)r->states / r->seconds, r->playout_rate,
         r->setup * 1e3);
  if (r->card.name) {
    print_card(r);
  } else if (r->lanes) {
    printf("  %s choice%s%s, %u lanes, %s%s, %u thread%s; chunks: best %.0f, "
           "median %.0f states/s\n",
           r->policy, r->record ? ", moves recorded" : "",
           r->credit ? ", moves credited" : "", r->lanes, r->isa,
           r->jit ? ", machine code" : "", r->threads,
           r->threads == 1 ? "" : "s", r->rate.best, r->rate.median);
    print_programs(r);
  } else {
    printf("  %u gates; %.1f MiB\n", r->gates, (double)r->memory / (1 << 20));
  }
  printf("  %llu playouts", (unsigned long long)r->playouts);
  if (!r->card.name) printf(" in %.2f s", r->seconds);
  printf(": %llu ended, %llu cut off, %llu stuck; length %.1f, goals",
         (unsigned long long)r->ended, (unsigned long long)r->cut_off,
         (unsigned long long)r->stuck, mean(r->length_sum, r->ended));
  for (uint32_t i = 0; i < r->roles; i++)
    printf(" %.1f", mean(r->goal_sum[i], r->ended));
  putchar('\n');
}

/* Bytes that the program has allocated. */
static size_t heap_bytes(void) {
  struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

static const double standard_seconds = 2;

/* The rules engine or the scalar one. */
static int bench_single(const Options *options, Description *description,
                        double start, BenchResult *result) {
  size_t before = heap_bytes();
  Book book;
  if (!open_book(options, description, &book)) return EXIT_LIMIT;
  Game *game = book_game(&book);
  PlayoutSummary summary;
  result->setup = clock_now() - start;
  playout_summary_init(&summary, game->role_count);
  playout_many(game, (uint64_t)options->seed, options->seconds,
               (uint64_t)options->games, (uint32_t)options->steps, &summary);
  size_t after = heap_bytes();
  result->memory = after > before ? after - before : 0;
  result->engine = game->operations->name;
  result->gates = book.has_net ? net_count_ands(&book.net) : 0;
  result->seconds = summary.seconds;
  result->playouts = summary.playouts;
  result->states = summary.states;
  result->ended = summary.ended;
  result->cut_off = summary.cut_off;
  result->stuck = summary.stuck;
  result->length_sum = summary.length_sum;
  result->length_square_sum = summary.length_square_sum;
  result->rate.best = result->rate.median =
      (double)summary.states / summary.seconds;
  for (uint32_t role = 0; role < result->roles; role++) {
    result->goal_sum[role] = summary.goal_sum[role];
    result->goal_square_sum[role] = summary.goal_square_sum[role];
  }
  playout_summary_free(&summary);
  int code = open_end(options, &book, game);
  book_free(&book);
  return code;
}

static bool asks_for(const Options *options, const char *engine) {
  return strcmp(options->engine, engine) == 0;
}

static int measure(const Options *options, Description *description,
                   double start, const BenchCard *card, BenchResult *result) {
  if (asks_for(options, "gpu"))
    return bench_gpu(options, description, start, card, result);
  int code = (asks_for(options, "wide") ? bench_wide : bench_single)(
      options, description, start, result);
  if (result->seconds > 0)
    result->playout_rate = (double)result->playouts / result->seconds;
  return code;
}

int bench_game(const Options *options, const char *path, const BenchCard *card,
               BenchResult *result) {
  Description description;
  double start = clock_now();
  *result = (BenchResult){.game = path,
                          .engine = options->engine,
                          .policy = "uniform",
                          .isa = "",
                          .threads = 1};
  open_begin(options, 5 + 5 * options->seconds);
  if (!open_description(options, path, &description)) return EXIT_INPUT;
  result->roles = description.rules.roles.count;
  result->goal_sum = memory_new(result->roles * sizeof(double));
  result->goal_square_sum = memory_new(result->roles * sizeof(double));
  int code = measure(options, &description, start, card, result);
  description_free(&description);
  return code;
}

void bench_result_free(BenchResult *result) {
  memory_delete(result->goal_sum);
  memory_delete(result->goal_square_sum);
}

/* Measures the games of the arguments, or the suite. */
static int run(const Options *options, const BenchCard *card) {
  int worst = EXIT_FINE;
  if (options->suite) return bench_suite(options, options->arguments[0], card);
  for (int i = 0; i < options->argument_count; i++) {
    BenchResult result;
    int code = bench_game(options, options->arguments[i], card, &result);
    if (result.seconds > 0 && (result.playouts || result.states))
      (options->json ? bench_print_json : bench_print_text)(&result);
    fflush(stdout);
    bench_result_free(&result);
    if (code > worst) worst = code;
  }
  return worst;
}

static int run_on_card(const Options *options) {
  BenchCard card;
  if (!open_tune(options)) return EXIT_USAGE;
  if (!bench_open_card(&card)) return EXIT_LIMIT;
  int code = run(options, &card);
  bench_close_card(&card);
  return code;
}

static int run_playouts(const Options *options) {
  bool gpu = asks_for(options, "gpu"), wide = asks_for(options, "wide");
  if (options->history && !wide && !options->suite) {
    log_error("--history needs --engine wide");
    return EXIT_USAGE;
  }
  if (options->credit && !wide && !gpu && !options->suite) {
    log_error("--credit needs --engine wide or gpu");
    return EXIT_USAGE;
  }
  if (*options->tune && !gpu) {
    log_error("--tune needs --engine gpu");
    return EXIT_USAGE;
  }
  return gpu ? run_on_card(options) : run(options, NULL);
}

int command_bench(const Options *given) {
  const Options own = open_seconds(given, standard_seconds), *options = &own;
  if (options->accuracy) return accuracy_run(options);
  if (options->signature) return bench_signature(options);
  if (options->suite ? options->argument_count != 1
                     : options->argument_count == 0) {
    log_error("bench takes one or more games, or --suite and a directory");
    return EXIT_USAGE;
  }
  if (options->suite) return run_playouts(options);
  if (options->search) return bench_search(options);
  if (options->minimax) return bench_minimax(options);
  if (options->breadth) return bench_breadth(options);
  return run_playouts(options);
}
