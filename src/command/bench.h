/* What a benchmark of one game found. */
#ifndef TAFL_COMMAND_BENCH_H
#define TAFL_COMMAND_BENCH_H

#include "command/command.h"

typedef struct BenchResult {
  const char *game, *engine, *policy, *isa;
  bool jit;
  uint32_t lanes, threads, gates, roles; /* lanes 0: one game at a time */
  double setup, seconds;
  double best, median; /* states per second, of short chunks */
  size_t memory;
  uint64_t playouts, states, ended, cut_off, stuck;
  double length_sum, length_square_sum; /* squares below 0: not known */
  double *goal_sum, *goal_square_sum;   /* by role */
} BenchResult;

void bench_print_json(const BenchResult *result);
void bench_print_text(const BenchResult *result);

/* The wide engine; `start` is when the game began to be read. */
int bench_wide(const Options *options, Description *description, double start,
               BenchResult *result);

/* Read the game and measure it. Free the result in any case. */
int bench_game(const Options *options, const char *path, bool wide,
               BenchResult *result);
void bench_result_free(BenchResult *result);
/* The public games whose speed is known, from files in a directory. */
int bench_suite(const Options *options, const char *directory);

#endif
