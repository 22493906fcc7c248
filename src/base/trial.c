/* A trial is a memory scope and a place to jump back to. */
#include "base/trial.h"

#include <setjmp.h>

#include "base/log.h"
#include "base/memory.h"

typedef struct Trial Trial;

struct Trial {
  Trial *outer;
  MemoryScope scope;
  jmp_buf failure;
};

static _Thread_local Trial *trial; /* the innermost */

void trial_fail(const char *why) {
  if (trial) longjmp(trial->failure, 1);
  fatal_limit("%s", why);
}

bool trial_limit_reached(void) {
  return memory_beyond_limit();
}

/* The place that a failure comes back to. */
static bool run(Trial *own, TrialWork *work, void *context) {
  if (setjmp(own->failure)) return false;
  work(context);
  return true;
}

static bool attempt(size_t limit, TrialWork *work, void *context, bool keep) {
  Trial own = {.outer = trial};
  memory_scope_open(&own.scope, limit);
  trial = &own;
  bool fine = run(&own, work, context);
  trial = own.outer;
  memory_scope_close(&own.scope, fine || keep);
  return fine;
}

bool trial_run(size_t limit, TrialWork *work, void *context) {
  return attempt(limit, work, context, false);
}

bool trial_guard(size_t limit, TrialWork *work, void *context) {
  return attempt(limit, work, context, true);
}
