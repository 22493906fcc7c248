/* A stage that can be given up. Work under trial_run may allocate up to a
   limit; if it needs more, if the system has no more, or if it calls
   trial_fail, control returns to trial_run and everything that it allocated is
   released. Trials nest. Outside a trial the same failures end the program
   with exit code 4. */
#ifndef TAFL_BASE_TRIAL_H
#define TAFL_BASE_TRIAL_H

#include <stdbool.h>
#include <stddef.h>

typedef void TrialWork(void *context);

/* Runs `work`, which may allocate `limit` bytes more than it releases. Returns
   false if it was given up. Blocks from outside that it resized stay valid, but
   their contents are the caller's to repair; a new block must not become the
   only way to something from outside (resize a table, do not replace it). The
   work must stay in the calling thread. */
bool trial_run(size_t limit, TrialWork *work, void *context);

/* The same for work on an object that outlives it: if the work is given up,
   what it allocated stays, so that the owner can delete the object. */
bool trial_guard(size_t limit, TrialWork *work, void *context);

/* Gives up the innermost trial of this thread; outside one, exits with code 4
   and the message. */
_Noreturn void trial_fail(const char *why);

/* True if the last trial of this thread failed by its limit rather than because
   the system had no more memory. */
bool trial_limit_reached(void);

#endif
