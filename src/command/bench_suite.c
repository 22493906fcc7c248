/* tafl bench --suite DIRECTORY: the public games whose speed others have
   published, ours beside theirs: states per second of random playouts on one
   thread. The figures of others: the reference prover and Sancho's propnet as
   published, ggplib's C++ propnet, RBG's compiled C++ and handwritten C++ as
   measured on one machine; 0 if there is none. The bar is our target. Gibbs
   choice, and recording with credit, are given in per cent of the uniform rate,
   by the best and the median chunk; the targets are 75 and 65.

   With --engine gpu: the same games on the processor and on the card, with the
   ratio of the best chunks. */
#include <stdio.h>

#include "command/bench.h"

typedef struct SuiteRow {
  const char *game;
  double prover, sancho, ggplib, rbg, hand, bar;
} SuiteRow;

static const SuiteRow rows[] = {
    {"ticTacToe", 6600, 774e3, 2.35e6, 15.1e6, 0, 500e6},
    {"connectFour", 1840, 976e3, 2.0e6, 12.5e6, 111e6, 400e6},
    {"eightPuzzle", 4570, 206e3, 386e3, 0, 0, 200e6},
    {"pentago", 382, 363e3, 733e3, 2.4e6, 0, 150e6},
    {"knightsTour", 22100, 1.3e6, 0, 0, 0, 150e6},
    {"breakthrough", 711, 840e3, 1.23e6, 1.78e6, 8.6e6, 70e6},
    {"checkers", 215, 240e3, 0, 0, 15.6e6, 15e6},
    {"reversi", 23, 77e3, 81e3, 0.91e6, 10e6, 15e6},
    {"amazons_10x10", 0, 55e3, 0, 2.35e6, 0, 6e6},
    {"skirmish", 28, 112e3, 137e3, 0.63e6, 0, 4e6},
    {"hex", 0, 84e3, 100e3, 1.7e6, 0, 3e6},
    {"chess_200", 0, 0, 0, 0.22e6, 0, 2e6},
};

/* 1234567 as 1.23 M. */
static const char *shortened(double value, char *text, size_t size) {
  if (value <= 0)
    snprintf(text, size, "-");
  else if (value >= 1e6)
    snprintf(text, size, "%.*f M",
             value < 1e7   ? 2
             : value < 1e8 ? 1
                           : 0,
             value / 1e6);
  else if (value >= 1e3)
    snprintf(text, size, "%.*f k",
             value < 1e4   ? 2
             : value < 1e5 ? 1
                           : 0,
             value / 1e3);
  else
    snprintf(text, size, "%.0f", value);
  return text;
}

static void print_part(const BenchRate *part) {
  printf("| %4.0f / %-4.0f ", 100 * part->best, 100 * part->median);
}

static void print_row(const SuiteRow *row, const BenchResult *result) {
  const double values[] = {
      result->rate.best, result->rate.median, row->bar,    row->hand,
      row->rbg,          row->ggplib,         row->sancho, row->prover};
  printf("| %-13s ", row->game);
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    char text[32];
    printf("| %9s ", shortened(values[i], text, sizeof text));
  }
  print_part(&result->gibbs_part);
  print_part(&result->credit_part);
  printf("| %6u | %8.0f |\n", result->gates, result->setup * 1e3);
  fflush(stdout);
}

static int measure_row(const Options *options, const SuiteRow *row,
                       const char *path) {
  Options own = *options;
  BenchResult result;
  own.engine = "wide";
  int code = bench_game(&own, path, NULL, &result);
  if (code == EXIT_FINE && options->json)
    bench_print_json(&result);
  else if (code == EXIT_FINE)
    print_row(row, &result);
  bench_result_free(&result);
  return code;
}

/* ---- beside the card ---- */

static void print_pair(const SuiteRow *row, const BenchResult *host,
                       const BenchResult *card) {
  char texts[4][32];
  bool both = host->rate.best > 0 && card->rate.best > 0;
  printf("| %-13s | %9s ", row->game,
         shortened(host->rate.best, texts[0], sizeof texts[0]));
  printf("| %9s | %9s ", shortened(card->rate.best, texts[1], sizeof texts[1]),
         shortened(card->rate.median, texts[2], sizeof texts[2]));
  if (both)
    printf("| %7.1f ", card->rate.best / host->rate.best);
  else
    printf("| %7s ", "-");
  printf("| %9s ", shortened(card->playout_rate, texts[3], sizeof texts[3]));
  print_part(&card->gibbs_part);
  printf("| %6.2f | %6u | %8.0f | %9.0f | %s |\n", 100 * card->card.peak_part,
         card->gates, card->setup * 1e3, card->card.second * 1e3,
         card->card.kind ? card->card.kind : "-");
  fflush(stdout);
}

/* On the processor, and then on the card; a game that the card cannot play has
   the processor's figures alone. One that has no net can be played by neither.
 */
static int measure_pair(const Options *options, const SuiteRow *row,
                        const char *path, const BenchCard *card) {
  Options own = *options;
  BenchResult host, result = {0};
  own.engine = "wide";
  own.policy = "uniform";
  own.suite = own.history = own.credit = false;
  int code = bench_game(&own, path, NULL, &host);
  bool found = code != EXIT_INPUT;
  if (code == EXIT_FINE) {
    if (options->json) bench_print_json(&host);
    code = bench_game(options, path, card, &result);
    if (options->json && code == EXIT_FINE) bench_print_json(&result);
  }
  if (found && !options->json) print_pair(row, &host, &result);
  bench_result_free(&host);
  bench_result_free(&result);
  return code;
}

/* ---- */

static void print_head(const Options *options, const BenchCard *card) {
  if (card)
    printf("%s; the processor with %d thread%s\n\n"
           "| game          | processor | card best | median    | times   | "
           "playouts  | Gibbs %%     | peak %% | gates  | setup ms | second ms "
           "| kernel |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n",
           card->card->name, options->threads ? (int)options->threads : 1,
           options->threads > 1 ? "s" : "");
  else
    puts(
        "| game          | ours best | median    | bar       | by hand   | RBG "
        "      | ggplib    | Sancho    | prover    | Gibbs %     | credit %    "
        "| gates  | setup ms |\n"
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|");
}

int bench_suite(const Options *options, const char *directory,
                const BenchCard *card) {
  int worst = EXIT_FINE;
  if (!options->json) print_head(options, card);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Text path = {0};
    text_format(&path, "%s/%s.kif", directory, rows[i].game);
    int code = card ? measure_pair(options, &rows[i], path.bytes, card)
                    : measure_row(options, &rows[i], path.bytes);
    text_free(&path);
    if (code > worst) worst = code;
  }
  return worst;
}
