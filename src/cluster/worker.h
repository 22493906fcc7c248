/* A rank of a job that helps a match: the main loop of `tafl worker`. */
#ifndef TAFL_CLUSTER_WORKER_H
#define TAFL_CLUSTER_WORKER_H

#include <stdbool.h>

typedef struct WorkerPlan {
  const char *version; /* of this program */
  bool apart;          /* as in cluster/scheme.h */
  bool probe;          /* only say that this host is there */
  double least, most;  /* delay of messages in seconds, for tests */
} WorkerPlan;

/* Returns an exit code of options.h, after printing what went wrong. */
int worker_run(const WorkerPlan *plan);

#endif
