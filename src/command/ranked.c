/* Which job this process belongs to is in the environment that mpirun and srun
   give it. If that says that there are several ranks, and they cannot be
   joined, nothing is played: else every rank would play everything. */
#include "command/ranked.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/command.h"
#include "command/interrupt.h"
#include "command/version.h"
#include "contest/helper.h"

enum {
  /* Rank 0 plays, too, unless there are more: dealing to 64 ranks takes few
     hundredths of its time. */
  PLAYING = 64,
  SPREADING = ON_MATCH | ON_TOUR | ON_LAB
};

static Ranks *ranks; /* NULL: no job */
static Spread *spread;
static bool begun;

/* ---- the environment ---- */

/* The first of these variables that is set. Jobs of mpirun within one of Slurm
   have those of both. */
static long environment(const char *const *names, long standard) {
  for (; *names; names++) {
    const char *value = getenv(*names);
    if (value && *value) return strtol(value, NULL, 10);
  }
  return standard;
}

/* Open MPI, MPICH, Slurm's srun. */
static long wanted_size(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                      "SLURM_STEP_NUM_TASKS", NULL};
  return environment(names, getenv("PMIX_RANK") ? 0 : 1);
}

static long wanted_rank(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                      "PMIX_RANK", "SLURM_PROCID", NULL};
  return environment(names, 0);
}

/* ---- joining ---- */

/* The others would say the same; they leave later, since mpirun ends all ranks
   when one has failed. */
static int refuse(const char *why, const char *remedy) {
  if (wanted_rank() > 0)
    sleep(2);
  else
    log_error("this is one of several ranks, and they cannot play together: "
              "%s%s",
              why, remedy);
  return EXIT_LIMIT;
}

/* Returns false if that is not possible. */
static bool join(long size, int *code) {
  Text why = {0};
  ranks = ranks_open(&why);
  long count = ranks ? (long)ranks_count(ranks) : 0;
  bool fine = ranks && (size < 2 || count == size);
  if (!ranks && size < 2) fine = true; /* nobody said that there are several */
  if (!fine)
    *code = refuse(ranks ? "MPI knows of one rank only" : text_string(&why),
                   ranks ? "; with srun, try --mpi=pmix" : "");
  if (ranks && (!fine || count == 1)) {
    ranks_close(ranks);
    ranks = NULL;
  }
  text_free(&why);
  return fine;
}

/* Rank 0 decides when it is over, also when this rank is told to end. */
static int help(void) {
  interrupt_catch();
  if (!helper_serve(ranks, version_text(), interrupt_flag())) _exit(EXIT_LIMIT);
  ranks_close(ranks);
  return EXIT_FINE;
}

bool ranked_begin(int verb, int *code) {
  long size = wanted_size();
  if (!(SPREADING & 1 << verb) || size == 1) return true;
  if (!join(size, code)) return false;
  if (!ranks) return true;
  if (ranks_own(ranks)) {
    *code = help();
    return false;
  }
  spread = spread_new(ranks, version_text());
  return true;
}

/* A rank that still grounds rules is waited for, unless somebody is in a hurry.
 */
int ranked_end(int code) {
  if (!ranks) return code;
  fflush(stdout);
  if (!spread_delete(spread) && interrupt_came()) ranks_abort(ranks, code);
  ranks_close(ranks);
  return code;
}

/* ---- for verbs ---- */

uint32_t ranked_count(void) {
  return ranks ? ranks_count(ranks) : 1;
}

Spread *ranked_spread(const Options *options, uint32_t agent) {
  if (!ranks) return NULL;
  ErrandBegin begin = {.limits = open_limits(options),
                       .threads = (uint32_t)options->threads,
                       .agent = agent};
  if (!begun) spread_begin(spread, &begin);
  begun = true;
  return spread;
}

uint32_t ranked_threads(const Options *options, uint32_t usual) {
  if (!ranks) return usual;
  if (ranks_count(ranks) > PLAYING) return 0;
  return options->threads || ranks_local(ranks) == 1 ? usual : 1;
}
