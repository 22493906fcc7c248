/* Starting the ranks of a job, as a child process: mpirun or srun, under a
   guard (cluster/guard.h). What it prints is kept, for what it says when a rank
   dies; when it is to end, its whole process group is killed, and so are ranks
   on this machine that it left behind, which are known by a secret in their
   environment.
 */
#ifndef TAFL_CLUSTER_LAUNCH_H
#define TAFL_CLUSTER_LAUNCH_H

#include <sys/types.h>

#include "cluster/scheme.h"

/* The environment variable that tells a rank where its master is, and the
   secret: ADDRESS[,ADDRESS...] PORT SECRET. */
#define LAUNCH_VARIABLE "TAFL_MASTER"
/* The one that tells a guard the launcher's command: its words, each with a
   newline after it. */
#define LAUNCH_COMMAND "TAFL_LAUNCH"

enum { LAUNCH_SECRET = 32 }; /* characters */

typedef struct Launch {
  pid_t pid;  /* of the guard; 0: none */
  int hold;   /* closed when it is to end, as it is when we die; -1: none */
  int output; /* readable when it has printed something; -1: closed */
  Text said;  /* the last that it printed */
} Launch;

/* Makes a secret that nobody can guess. */
void launch_secret(char secret[LAUNCH_SECRET + 1]);

/* The command for `ranks` ranks of the scheme's program as workers, with more
   words for them: on the living hosts, or, if `only` is one of them, on that
   alone. */
void launch_command(const Scheme *scheme, const Hosts *hosts, const Host *only,
                    uint32_t ranks, const char *worker, TextVector *words);

/* Starts the command with the variable set to `value`. Returns false and sets
   `error` if that is not possible. */
bool launch_begin(Launch *launch, const Scheme *scheme, const TextVector *words,
                  const char *value, Text *error);
/* Reads what it printed. */
void launch_hear(Launch *launch);
/* Returns true if it has ended, which is said in words; then there is none any
   more. */
bool launch_ended(Launch *launch, Text *how);
/* Sends a signal to its process group. */
void launch_signal(const Launch *launch, int number);
/* Closes what it prints to, and forgets it. */
void launch_free(Launch *launch);
/* Kills every process of this machine that has the secret; returns how many. */
uint32_t launch_sweep(const char *secret);
/* What it said of a rank that died, as in "rank 2 on nodeb killed"; returns
   false if it said no such thing. */
bool launch_culprit(const Launch *launch, Text *text);

#endif
