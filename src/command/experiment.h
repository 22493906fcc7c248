/* What verbs share that play many series and keep the results: the store of
   --db, workers, progress, interrupts. */
#ifndef TAFL_COMMAND_EXPERIMENT_H
#define TAFL_COMMAND_EXPERIMENT_H

#include "lab/runner.h"
#include "options.h"

/* Appends the path of the database: --db, or tafl/results.db in the user's data
   directory. */
void experiment_path(const Options *options, Text *path);
/* Opens it; `write`: made if it is not there. Returns NULL, after printing why,
   on failure: exit with EXIT_INPUT. */
Results *experiment_open(const Options *options, bool write);

/* Sets what the options say about all series: budget, seed and so on, but not
   the number of games. Returns false and sets `error` if there are two
   budgets. */
bool experiment_series(const Options *options, Series *series, Text *error);

/* Plays what is missing of the series, with progress on a terminal, until it is
   complete, interrupted, or --seconds are over. Returns the exit code, after
   printing what went wrong. */
int experiment_run(const Options *options, Results *results, int64_t id,
                   const SeriesVector *list);

/* The same with a function that calls the runner as often as it needs to; the
   list tells which agents there are. */
typedef RunnerEnd ExperimentRun(void *context, const RunnerOptions *options,
                                Text *error);
int experiment_run_by(const Options *options, const SeriesVector *list,
                      ExperimentRun *run, void *context);

/* Sets `path` to the file of a game, by name as everywhere; for RunnerOptions,
   with the Options as context. */
bool experiment_find(void *context, const char *game, Text *path);

#endif
