#include "command/experiment.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "base/thread.h"
#include "command/command.h"
#include "command/find.h"
#include "command/interrupt.h"
#include "command/ranked.h"
#include "command/version.h"

void experiment_path(const Options *options, Text *path) {
  const char *given = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  if (*options->db)
    text_add(path, options->db);
  else if (given && *given == '/')
    text_format(path, "%s/tafl/results.db", given);
  else
    text_format(path, "%s/.local/share/tafl/results.db",
                home && *home ? home : ".");
}

Results *experiment_open(const Options *options, bool write) {
  Text path = {0}, error = {0};
  experiment_path(options, &path);
  Results *results =
      results_open(text_string(&path), write ? version_text() : NULL, &error);
  if (!results) log_error("%s", text_string(&error));
  text_free(&path);
  text_free(&error);
  return results;
}

bool experiment_find(void *context, const char *game, Text *path) {
  return find_game(context, game, path);
}

bool experiment_series(const Options *options, Series *series, Text *error) {
  int given = (options->play > 0) + (options->sims > 0) + (options->states > 0);
  if (given > 1) {
    text_add(error, "give one of --play, --sims and --states");
    return false;
  }
  series->unit = options->sims     ? UNIT_SIMULATIONS
                 : options->states ? UNIT_STATES
                                   : UNIT_SECONDS;
  series->play = options->sims       ? (double)options->sims
                 : options->states   ? (double)options->states
                 : options->play > 0 ? options->play
                                     : 1;
  series->start = options->start;
  series->steps = (uint32_t)options->steps;
  series->idle = options->idle;
  series->opening = (uint32_t)options->opening;
  series->seed = (uint64_t)options->seed;
  return true;
}

/* ---- progress ---- */

static void add_duration(Text *text, double seconds) {
  if (seconds >= 3600)
    text_format(text, "%.0f h %02.0f min", floor(seconds / 3600),
                floor(fmod(seconds, 3600) / 60));
  else if (seconds >= 60)
    text_format(text, "%.0f min %02.0f s", floor(seconds / 60),
                floor(fmod(seconds, 60)));
  else
    text_format(text, "%.0f s", seconds);
}

static bool show_progress(void *context, const RunnerProgress *progress) {
  Text text = {0};
  (void)context;
  if (!log_progress_wanted() || !progress->all) return true;
  text_format(&text, "%llu of %llu games (%.0f %%)",
              (unsigned long long)progress->done,
              (unsigned long long)progress->all,
              100.0 * (double)progress->done / (double)progress->all);
  if (progress->played && progress->seconds > 0)
    text_format(&text, ", %.1f a minute",
                60 * (double)progress->played / progress->seconds);
  if (progress->errors) text_format(&text, ", %u errors", progress->errors);
  if (!isnan(progress->left)) {
    text_add(&text, ", ");
    add_duration(&text, progress->left);
    text_add(&text, " left");
  }
  log_progress("%s", text_string(&text));
  text_free(&text);
  return true;
}

/* ---- the run ---- */

/* Returns how many threads the agents have, at most. */
static uint32_t most_threads(const SeriesVector *list) {
  uint32_t most = 1;
  Text error = {0};
  for (uint32_t i = 0; i < list->count; i++)
    for (uint32_t j = 0; j < list->data[i].players.count; j++) {
      AgentSpec spec;
      if (!spec_parse(&spec, text_string(&list->data[i].players.data[j]),
                      &error))
        continue;
      if (spec.settings.threads > most) most = (uint32_t)spec.settings.threads;
      spec_free(&spec);
    }
  text_free(&error);
  return most;
}

/* As many workers as processors, unless agents have several threads. */
static uint32_t count_workers(const Options *options, uint32_t most) {
  uint32_t processors = thread_processors();
  if (options->threads) return (uint32_t)options->threads;
  return processors > most ? processors / most : 1;
}

int experiment_run_by(const Options *options, const SeriesVector *list,
                      ExperimentRun *run, void *context) {
  Options names = *options;
  uint32_t most = most_threads(list);
  RunnerOptions runner = {
      .threads = ranked_threads(options, count_workers(options, most)),
      .spread = ranked_spread(options, most),
      .seconds = options->seconds,
      .limits = open_limits(options),
      .moves = true,
      .retry = options->retry,
      .fresh = options->fresh,
      .stop = interrupt_flag(),
      .find = experiment_find,
      .progress = show_progress,
      .context = &names};
  Text error = {0};
  interrupt_catch();
  signal(SIGXFSZ, SIG_IGN); /* writing beyond the limit returns an error */
  RunnerEnd end = run(context, &runner, &error);
  interrupt_release();
  log_progress_end();
  if (error.length) log_error("%s", text_string(&error));
  if (end == RUNNER_STOPPED)
    log_error("%s; the same command goes on where it ended",
              interrupt_came() ? "interrupted"
                               : "the time of --seconds is over");
  text_free(&error);
  return end == RUNNER_DONE     ? EXIT_FINE
         : end == RUNNER_FAILED ? EXIT_INPUT
                                : EXIT_LIMIT;
}

typedef struct Plan {
  Results *results;
  int64_t id;
  const SeriesVector *list;
} Plan;

static RunnerEnd run_plan(void *context, const RunnerOptions *options,
                          Text *error) {
  const Plan *plan = context;
  return runner_run(plan->results, plan->id, plan->list, options, error);
}

int experiment_run(const Options *options, Results *results, int64_t id,
                   const SeriesVector *list) {
  Plan plan = {results, id, list};
  return experiment_run_by(options, list, run_plan, &plan);
}
