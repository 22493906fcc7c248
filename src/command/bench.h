/* Benchmarks of one game. */
#ifndef TAFL_COMMAND_BENCH_H
#define TAFL_COMMAND_BENCH_H

#include "command/command.h"
#include "game/book.h"
#include "gpu/gpu.h"
#include "search/settings.h"
#include "value/evaluation.h"
#include "wide/cones.h"

/* Of short chunks, by thread time; on a card of longer ones, by the clock. */
typedef struct BenchRate {
  double best, median; /* states per second */
} BenchRate;

typedef VECTOR(double) BenchRates; /* of chunks */

/* A card that is open, and how long that took. */
typedef struct BenchCard {
  Card *card;
  double seconds;
} BenchCard;

/* What is known only of playouts on a card. */
typedef struct BenchCardResult {
  const char *name; /* of the card, borrowed; NULL: played without one */
  double opened;    /* seconds; not part of the result's set-up, */
  double kernel;    /* but these are: to write, compile and load the first */
  double second;    /* seconds to compile the second kernel; 0: there is none */
  const char *kind; /* of the kernel that was measured */
  double peak_part; /* gates computed, of those that the card could at best */
  double expansions; /* (state, joint move) pairs per second; 0: not measured */
} BenchCardResult;

typedef struct BenchResult {
  const char *game, *engine, *policy, *isa;
  bool jit, record, credit;
  uint32_t lanes, threads, gates, roles; /* lanes 0: one game at a time */
  uint32_t step_gates, moves, loops;     /* of the wide engine */
  uint32_t rounds, legs; /* legs of rounds, and of lanes in step; 0: none */
  double setup, seconds;
  double playout_rate; /* playouts per second */
  BenchRate rate;
  BenchCardResult card;
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

/* Opens the card of --engine gpu. Returns false with an error if there is none
   that can be used: exit with EXIT_LIMIT. */
bool bench_open_card(BenchCard *card);
void bench_close_card(BenchCard *card);
/* Measures playouts on the card. */
int bench_gpu(const Options *options, Description *description, double start,
              const BenchCard *card, BenchResult *result);
/* Measures how many pairs the card expands in a second, by the clock; 0 if it
   has no memory for that. Returns false and says why if it fails. */
bool bench_expansion(const Options *options, const Gpu *gpu, const Cones *cones,
                     double *rate, Text *why);

/* Fills Q(a)/τ of MAST: a move's mean goal over 2000 steps of all lanes, 100 if
   it was never made, at temperature 10. */
void bench_learn_scores(const Options *options, const Cones *cones,
                        double *scores);
/* Sorts the rates. */
BenchRate bench_summarise(BenchRates *rates);
/* The same as fractions of another rate. */
BenchRate bench_part(BenchRates *rates, const BenchRate *whole);

/* Runs wide playouts as the options say, on cones whose mode is set. */
void bench_run(const Options *options, const Cones *cones, BenchResult *result);
/* Compares uniform choice, Gibbs choice, and recording with credit. */
void bench_compare(const Options *options, const Cones *cones,
                   BenchResult *result);

/* Reads the game and measures it with the engine of the options; the card is
   that of --engine gpu. The caller frees the result in any case. */
int bench_game(const Options *options, const char *path, const BenchCard *card,
               BenchResult *result);
void bench_result_free(BenchResult *result);
/* Measures the public games of known speed, from files in a directory; with a
   card on that, too. */
int bench_suite(const Options *options, const char *directory,
                const BenchCard *card);

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
