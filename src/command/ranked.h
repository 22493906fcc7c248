/* Verbs that play many games spread them over the ranks of an MPI job: match,
   tour and lab. Rank 0 runs the verb; it alone reads, prints and writes. The
   others play the games that it sends (contest/helper.h) and do not even look
   at the command line. */
#ifndef TAFL_COMMAND_RANKED_H
#define TAFL_COMMAND_RANKED_H

#include "contest/spread.h"
#include "options.h"

/* Joins the job if mpirun or srun started this process as one of several ranks
   and the verb is one of those. Returns false if this process is done, with its
   exit code: it was another rank than 0, or the job cannot be joined. */
bool ranked_begin(int verb, int *code);
/* Lets the other ranks end; returns the exit code. */
int ranked_end(int code);

uint32_t ranked_count(void); /* ranks of the job; 1 without one */
/* The other ranks, which are told to begin with these options if that has not
   been done; the agents have so many threads at most. NULL: there are none. */
Spread *ranked_spread(const Options *options, uint32_t agent);
/* How many games this rank plays at once, if without ranks it would be
   `usual`. */
uint32_t ranked_threads(const Options *options, uint32_t usual);

#endif
