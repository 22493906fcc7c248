/* tafl bench GAME…: random playouts for a while; how many, and how they went.
 */
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "command/command.h"
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

static void print_json(const Game *game, const char *path,
                       const PlayoutSummary *s, double setup) {
  json_t *line = json_pack(
      "{s:o, s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:I, s:I, s:I, s:I, s:f, s:f, "
      "s:o, s:o}",
      "game", open_json_text(path), "engine", game->operations->name, "policy",
      "uniform", "threads", 1, "seconds", s->seconds, "playouts_per_second",
      (double)s->playouts / s->seconds, "states_per_second",
      (double)s->states / s->seconds, "setup_seconds", setup, "playouts",
      (json_int_t)s->playouts, "ended", (json_int_t)s->ended, "cut_off",
      (json_int_t)s->cut_off, "stuck", (json_int_t)s->stuck, "length_mean",
      mean(s->length_sum, s->ended), "length_deviation",
      deviation(s->length_sum, s->length_square_sum, s->ended), "goal_means",
      list_of(s->goal_sum, NULL, game->role_count, s->ended), "goal_deviations",
      list_of(s->goal_sum, s->goal_square_sum, game->role_count, s->ended));
  json_dumpf(line, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(line);
}

static void print_text(const Game *game, const char *path,
                       const PlayoutSummary *s, double setup) {
  printf("%s: %s engine, %.0f states/s, %.1f playouts/s, set up in %.1f ms\n",
         path, game->operations->name, (double)s->states / s->seconds,
         (double)s->playouts / s->seconds, setup * 1e3);
  printf("  %llu playouts in %.2f s: %llu ended, %llu cut off, %llu stuck; "
         "length %.1f, goals",
         (unsigned long long)s->playouts, s->seconds,
         (unsigned long long)s->ended, (unsigned long long)s->cut_off,
         (unsigned long long)s->stuck, mean(s->length_sum, s->ended));
  for (uint32_t i = 0; i < game->role_count; i++)
    printf(" %.1f", mean(s->goal_sum[i], s->ended));
  putchar('\n');
}

static int bench_game(const Options *options, const char *path) {
  Description description;
  double start = clock_now();
  if (!open_description(options, path, &description)) return EXIT_INPUT;
  Game *game = open_engine(options, &description);
  double setup = clock_now() - start;
  PlayoutSummary summary;
  playout_summary_init(&summary, game->role_count);
  playout_many(game, (uint64_t)options->seed, options->seconds,
               (uint64_t)options->games, (uint32_t)options->steps, &summary);
  (options->json ? print_json : print_text)(game, path, &summary, setup);
  fflush(stdout);
  playout_summary_free(&summary);
  int code = close_engine(options, game);
  description_free(&description);
  return code;
}

int command_bench(const Options *options) {
  if (options->argument_count == 0) {
    log_error("bench takes one or more games");
    return EXIT_USAGE;
  }
  int worst = EXIT_FINE;
  for (int i = 0; i < options->argument_count; i++) {
    int code = bench_game(options, options->arguments[i]);
    if (code > worst) worst = code;
  }
  return worst;
}
