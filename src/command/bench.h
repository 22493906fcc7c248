/* What a benchmark of one game found. */
#ifndef TAFL_COMMAND_BENCH_H
#define TAFL_COMMAND_BENCH_H

#include "command/command.h"
#include "wide/cones.h"

/* Of short chunks. */
typedef struct BenchRate {
  double best, median; /* states per second */
} BenchRate;

typedef struct BenchResult {
  const char *game, *engine, *policy, *isa;
  bool jit, record, credit;
  uint32_t lanes, threads, gates, roles; /* lanes 0: one game at a time */
  double setup, seconds;
  BenchRate rate;
  /* With --suite: other ways to play, as parts of `rate`; else 0. */
  BenchRate gibbs_part, credit_part;
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

/* Wide playouts as the options say, on cones whose mode is set. */
void bench_run(const Options *options, const Cones *cones, BenchResult *result);
/* Uniform choice, Gibbs choice, and recording with credit, in turn. */
void bench_compare(const Options *options, const Cones *cones,
                   BenchResult *result);

/* Read the game and measure it. Free the result in any case. */
int bench_game(const Options *options, const char *path, bool wide,
               BenchResult *result);
void bench_result_free(BenchResult *result);
/* The public games whose speed is known, from files in a directory. */
int bench_suite(const Options *options, const char *directory);

#endif
