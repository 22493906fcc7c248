/* Benchmarks of one game. */
#ifndef TAFL_COMMAND_BENCH_H
#define TAFL_COMMAND_BENCH_H

#include "command/command.h"
#include "game/book.h"
#include "search/settings.h"
#include "value/evaluation.h"
#include "wide/cones.h"

/* Of short chunks, by thread time. */
typedef struct BenchRate {
  double best, median; /* states per second */
} BenchRate;

typedef struct BenchResult {
  const char *game, *engine, *policy, *isa;
  bool jit, record, credit;
  uint32_t lanes, threads, gates, roles; /* lanes 0: one game at a time */
  double setup, seconds;
  BenchRate rate;
  /* With --suite: other ways to play, as fractions of `rate`; else 0. */
  BenchRate gibbs_part, credit_part;
  size_t memory;
  uint64_t playouts, states, ended, cut_off, stuck;
  double length_sum, length_square_sum; /* squares -1: not known */
  double *goal_sum, *goal_square_sum;   /* by role */
} BenchResult;

void bench_print_json(const BenchResult *result);
void bench_print_text(const BenchResult *result);

/* Sets the instruction set of --isa. Returns false with an error if this
   machine does not have it. */
bool bench_isa(const Options *options, TuneOptions *tune);
/* Measures the wide engine; reading the game began at `start`. */
int bench_wide(const Options *options, Description *description, double start,
               BenchResult *result);

/* Runs wide playouts as the options say, on cones whose mode is set. */
void bench_run(const Options *options, const Cones *cones, BenchResult *result);
/* Compares uniform choice, Gibbs choice, and recording with credit. */
void bench_compare(const Options *options, const Cones *cones,
                   BenchResult *result);

/* Reads the game and measures it. The caller frees the result in any case. */
int bench_game(const Options *options, const char *path, bool wide,
               BenchResult *result);
void bench_result_free(BenchResult *result);
/* Measures the public games of known speed, from files in a directory. */
int bench_suite(const Options *options, const char *directory);

/* Measures a mind with these settings in a game; returns an exit code. */
typedef int BenchMeasure(const Options *options, const char *path, Book *book,
                         const Settings *settings);
/* Does so in all games of the arguments; returns the worst code. */
int bench_agent(const Options *options, const char *agent,
                BenchMeasure *measure);
/* Measures the search of --agent in the games of the arguments. */
int bench_search(const Options *options);
/* Measures alpha-beta with a learned evaluation in the games of the arguments.
 */
int bench_minimax(const Options *options);
/* Prints a number for how all agents behave. */
int bench_signature(const Options *options);
/* Measures breadth-first search in games of one role. */
int bench_breadth(const Options *options);

/* States evaluated per second of processor time, with sums made anew for each,
   and brought up to date from one to the next. Every role must always have a
   legal move. */
typedef struct BenchEvaluation {
  double anew, updated;
} BenchEvaluation;
BenchEvaluation bench_evaluation(Book *book, const Evaluation *evaluation,
                                 uint64_t seed);

#endif
