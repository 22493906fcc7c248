/* Threads run their work with the stack that was asked for. */
#include "base/thread.h"

#include <semaphore.h>

#include "support/unit.h"

typedef struct Work {
  pthread_t thread;
  size_t stack;
  int state; /* joinable or detached */
  sem_t done;
} Work;

static void *look(void *context) {
  Work *work = context;
  pthread_attr_t attributes;
  void *lowest;
  work->thread = pthread_self();
  if (pthread_getattr_np(work->thread, &attributes) == 0) {
    pthread_attr_getstack(&attributes, &lowest, &work->stack);
    pthread_attr_getdetachstate(&attributes, &work->state);
    pthread_attr_destroy(&attributes);
  }
  sem_post(&work->done);
  return work;
}

static void test_start(void **state) {
  (void)state;
  static const size_t stacks[] = {256 << 10, 1 << 20, THREAD_STACK, 64 << 20};
  for (size_t i = 0; i < LENGTH(stacks); i++) {
    Work work = {0};
    pthread_t thread;
    void *result;
    sem_init(&work.done, 0, 0);
    assert_true(thread_start(&thread, stacks[i], look, &work));
    assert_int_equal(pthread_join(thread, &result), 0);
    assert_ptr_equal(result, &work);
    assert_false(pthread_equal(work.thread, pthread_self()));
    assert_int_equal(work.state, PTHREAD_CREATE_JOINABLE);
    assert_true(work.stack >= stacks[i] && work.stack < 2 * stacks[i]);
    sem_destroy(&work.done);
  }
}

static void test_detach(void **state) {
  (void)state;
  Work work = {0};
  sem_init(&work.done, 0, 0);
  assert_true(thread_detach(THREAD_STACK, look, &work));
  while (sem_wait(&work.done)) continue;
  assert_int_equal(work.state, PTHREAD_CREATE_DETACHED);
  assert_true(work.stack >= THREAD_STACK);
}

/* An absurd stack cannot be had. */
static void test_no_thread(void **state) {
  (void)state;
  Work work = {0};
  pthread_t thread;
  assert_false(thread_start(&thread, (size_t)1 << 60, look, &work));
  assert_false(thread_detach((size_t)1 << 60, look, &work));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_start),
      cmocka_unit_test(test_detach),
      cmocka_unit_test(test_no_thread),
  };
  return cmocka_run_group_tests_name("thread", tests, NULL, NULL);
}
