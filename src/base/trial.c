/* A trial is a memory scope, a deadline and a place to jump back to. */
#include "base/trial.h"

#include <setjmp.h>

#include "base/clock.h"
#include "base/log.h"

typedef struct Trial Trial;

struct Trial {
  Trial *outer;
  const atomic_bool *stop; /* set by another thread, or NULL: never */
  jmp_buf failure;
};

static _Thread_local Trial *trial; /* the innermost */
static _Thread_local bool helper_beyond_limit;
static _Thread_local double deadline; /* of the innermost; 0: none */
static _Thread_local bool late;       /* the last failure was by it */
_Thread_local uint32_t trial_patience;

void trial_fail(const char *why) {
  if (trial) longjmp(trial->failure, 1);
  fatal_limit("%s", why);
}

/* The clock is read once in so many calls. */
enum { CHECKS = 16 };

void trial_look(void) {
  const atomic_bool *stop = trial ? trial->stop : NULL;
  if (stop && atomic_load_explicit(stop, memory_order_relaxed))
    trial_fail("it was stopped");
  if (deadline > 0) {
    late = clock_now() > deadline;
    if (late) trial_fail("the time is up");
  }
  trial_patience = stop ? 0 : CHECKS - 1;
}

bool trial_deadline_passed(void) {
  return late;
}

bool trial_limit_reached(void) {
  return scope_beyond_limit() || helper_beyond_limit;
}

/* The place that a failure comes back to. */
static bool jump(Trial *own, TrialWork *work, void *context) {
  if (setjmp(own->failure)) return false;
  work(context);
  return true;
}

static bool run(Scope *scope, double until, const atomic_bool *stop,
                TrialWork *work, void *context) {
  Trial own = {.outer = trial, .stop = stop};
  if (!stop && trial) own.stop = trial->stop;
  double outer_deadline = deadline;
  if (until > 0 && (deadline <= 0 || until < deadline)) deadline = until;
  helper_beyond_limit = late = false;
  if (own.stop) trial_patience = 0; /* it is looked at in every call */
  scope_enter(scope);
  trial = &own;
  bool fine = jump(&own, work, context);
  trial = own.outer;
  deadline = outer_deadline;
  scope_leave(scope);
  return fine;
}

bool trial_run(size_t limit, TrialWork *work, void *context) {
  return trial_run_until(limit, 0, work, context);
}

static bool run_once(size_t limit, double until, const atomic_bool *stop,
                     TrialWork *work, void *context) {
  Scope scope;
  scope_init(&scope, limit, false);
  bool fine = run(&scope, until, stop, work, context);
  if (fine)
    scope_keep(&scope);
  else
    scope_release(&scope);
  return fine;
}

bool trial_run_until(size_t limit, double until, TrialWork *work,
                     void *context) {
  return run_once(limit, until, NULL, work, context);
}

bool trial_run_unless(const atomic_bool *stop, TrialWork *work, void *context) {
  return run_once(SIZE_MAX, 0, stop, work, context);
}

bool trial_run_in(Scope *scope, TrialWork *work, void *context) {
  bool fine = run(scope, 0, NULL, work, context);
  if (!fine) scope_release(scope);
  return fine;
}

/* ---- helpers ---- */

void trial_helper_init(TrialHelper *helper, uint32_t shares) {
  size_t left = scope_left();
  *helper = (TrialHelper){.failed = false};
  scope_init(&helper->scope, left == SIZE_MAX ? left : left / shares, true);
}

void trial_helper_bind(TrialHelper *helper) {
  helper->deadline = deadline;
  helper->stop = trial ? trial->stop : NULL;
}

bool trial_help(TrialHelper *helper, TrialWork *work, void *context) {
  helper->worked = true;
  helper->thread = pthread_self();
  helper->failed =
      !run(&helper->scope, helper->deadline, helper->stop, work, context);
  helper->by_limit = helper->failed && scope_beyond_limit();
  return !helper->failed;
}

void trial_join(TrialHelper *helper) {
  if (!helper->worked) return;
  scope_keep(&helper->scope);
  pthread_mutex_destroy(&helper->scope.lock);
  if (pthread_equal(helper->thread, pthread_self())) return;
  scope_adopt(helper->scope.held);
  helper_beyond_limit |= helper->by_limit;
}

void trial_drop(TrialHelper *helper) {
  if (!helper->worked) return;
  if (!pthread_equal(helper->thread, pthread_self()))
    scope_adopt(helper->scope.held);
  scope_release(&helper->scope);
  pthread_mutex_destroy(&helper->scope.lock);
}
