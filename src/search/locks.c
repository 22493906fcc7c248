/* A batch knows which locks it holds, so that they can be released if its work
   is given up. */
#include "search/locks.h"

#include "base/clock.h"

/* Whoever wants to be alone in the tree need not wait for more to come. */
void locks_init(Locks *locks) {
  pthread_rwlockattr_t kind;
  pthread_rwlockattr_init(&kind);
#ifdef __GLIBC__
  pthread_rwlockattr_setkind_np(&kind,
                                PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
  pthread_rwlock_init(&locks->tree, &kind);
  pthread_rwlockattr_destroy(&kind);
  pthread_mutex_init(&locks->desk, NULL);
}

void locks_free(Locks *locks) {
  pthread_rwlock_destroy(&locks->tree);
  pthread_mutex_destroy(&locks->desk);
}

static double begin_wait(const Batch *batch) {
  return batch->first ? clock_now() : 0;
}

static void end_wait(Batch *batch, double since) {
  if (batch->first) batch->tally.waited += clock_now() - since;
}

void locks_enter_tree(Batch *batch) {
  if (!batch->locks->shared) return;
  double since = begin_wait(batch);
  pthread_rwlock_rdlock(&batch->locks->tree);
  end_wait(batch, since);
  batch->in_tree = true;
}

void locks_clear_tree(Batch *batch) {
  if (!batch->locks->shared) return;
  double since = begin_wait(batch);
  pthread_rwlock_wrlock(&batch->locks->tree);
  end_wait(batch, since);
  batch->in_tree = true;
}

void locks_leave_tree(Batch *batch) {
  if (!batch->in_tree) return;
  batch->in_tree = false;
  pthread_rwlock_unlock(&batch->locks->tree);
}

void locks_enter_desk(Batch *batch) {
  if (!batch->locks->shared || batch->at_desk) return;
  double since = begin_wait(batch);
  pthread_mutex_lock(&batch->locks->desk);
  end_wait(batch, since);
  batch->at_desk = true;
}

void locks_leave_desk(Batch *batch) {
  if (!batch->at_desk) return;
  batch->at_desk = false;
  pthread_mutex_unlock(&batch->locks->desk);
}
