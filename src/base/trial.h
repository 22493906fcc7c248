/* A stage that can be given up. Work under trial_run may allocate up to a limit
   and last until a deadline; if it needs more, if the system has no more
   memory, or if it calls trial_fail, control returns to trial_run and
   everything that it allocated is released. Trials nest. Outside a trial the
   same failures end the program with exit code 4. */
#ifndef TAFL_BASE_TRIAL_H
#define TAFL_BASE_TRIAL_H

#include <stdatomic.h>

#include "base/scope.h"

typedef void TrialWork(void *context);

/* Runs `work`, which may allocate `limit` bytes more than it releases. Returns
   false if it was given up. Blocks from outside that it resized stay valid, but
   their contents are the caller's to repair; a new block must not become the
   only way to something from outside (resize a table, do not replace it). The
   work stays in the calling thread, helpers aside. */
bool trial_run(size_t limit, TrialWork *work, void *context);
/* The same until a moment of clock_now (0: any). The deadline of an outer trial
   holds too. */
bool trial_run_until(size_t limit, double deadline, TrialWork *work,
                     void *context);

/* The same without limits, until another thread sets `stop`. */
bool trial_run_unless(const atomic_bool *stop, TrialWork *work, void *context);

/* The same for one of several calls on an object whose blocks are all in a
   scope of its own, a shared one. They stay in it if the work succeeds; if it
   is given up, the whole scope is released and the object is gone. */
bool trial_run_in(Scope *scope, TrialWork *work, void *context);

/* Gives up the innermost trial of this thread; outside one, exits with code 4
   and the message. */
_Noreturn void trial_fail(const char *why);

/* Calls of trial_check that look at nothing, as yet. */
extern _Thread_local uint32_t trial_patience;
void trial_look(void);

/* Gives up the innermost trial if its deadline has passed or it was stopped.
   Allocating does so too; loops that run long without it call this. */
static inline void trial_check(void) {
  if (trial_patience)
    trial_patience--;
  else
    trial_look();
}

/* True if the last trial of this thread failed by a deadline. */
bool trial_deadline_passed(void);
/* True if the last trial of this thread failed by its limit rather than because
   the system had no more memory. */
bool trial_limit_reached(void);

/* ---- several threads in one trial ----

   The thread that runs the trial prepares a helper for each thread, itself
   included; each thread does its work under trial_help, and when all have
   ended trial_join takes over their blocks:

       for each thread: trial_helper_init(&helpers[i], threads);
       in thread i:     if (!trial_help(&helpers[i], work, context)) stop all;
       when all ended:  for each: trial_join(&helpers[i]);

   Work that is given up leaves locks and shared data as they are: whoever gets
   false from trial_help has to unlock what the work may have locked. */
typedef struct TrialHelper {
  Scope scope;
  pthread_t thread; /* that it worked in */
  bool worked, failed, by_limit;
  double deadline; /* 0: none */
  const atomic_bool *stop;
} TrialHelper;

/* Grants the helper an equal share of what this thread may still allocate. */
void trial_helper_init(TrialHelper *helper, uint32_t shares);
/* The deadline and the stop of this thread's trial hold for the helper, too. */
void trial_helper_bind(TrialHelper *helper);
bool trial_help(TrialHelper *helper, TrialWork *work, void *context);
/* Takes over the blocks of a helper. If its work was given up, the caller calls
   trial_fail when all are joined. */
void trial_join(TrialHelper *helper);
/* Releases them instead. */
void trial_drop(TrialHelper *helper);

#endif
