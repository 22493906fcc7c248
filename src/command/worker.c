/* tafl worker: a rank of a cluster, which serve, think or play have started. */
#include "cluster/worker.h"

#include "cluster/guard.h"
#include "cluster/scheme.h"
#include "command/command.h"
#include "command/version.h"

int command_worker(const Options *options) {
  WorkerPlan plan = {.version = version_text(),
                     .apart = options->apart,
                     .probe = options->probe};
  if (options->argument_count) {
    log_error("worker takes no arguments");
    return EXIT_USAGE;
  }
  if (!scheme_read_delay(options->delay, &plan.least, &plan.most)) {
    log_error("--delay has the form MIN-MAX, in milliseconds up to 60000");
    return EXIT_USAGE;
  }
  return options->guard ? guard_run() : worker_run(&plan);
}
