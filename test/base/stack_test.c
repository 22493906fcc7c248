/* Recursion down to stack_end leaves as much again below it, in any thread, and
   stack_run provides the stack that work needs. */
#include "base/stack.h"

#include "base/thread.h"
#include "support/unit.h"

/* Recurses in small steps down to `end`; returns how many bytes that took. */
static size_t descend(const char *top, const char *end) {
  volatile char here[512];
  here[0] = 1;
  if ((const char *)here < end) return (size_t)(top - (const char *)here);
  return descend(top, end) + (size_t)here[0] - 1;
}

static void *measure(void *context) {
  const char *end = stack_end(), *top = __builtin_frame_address(0);
  *(size_t *)context = descend(top, end);
  /* the other half is usable too */
  descend(end, end - (top - end) * 9 / 10);
  return NULL;
}

static size_t measure_in_thread(size_t size) {
  size_t depth = 0;
  pthread_t thread;
  assert_true(thread_start(&thread, size, measure, &depth));
  pthread_join(thread, NULL);
  return depth;
}

static void test_threads(void **state) {
  (void)state;
  for (size_t size = 256 << 10; size <= 16 << 20; size *= 4) {
    size_t depth = measure_in_thread(size);
    assert_true(depth > size / 4 && depth < size * 3 / 4);
  }
  size_t depth;
  measure(&depth);
  assert_true(depth > 64 << 10);
}

static void note_thread(void *context) {
  *(pthread_t *)context = pthread_self();
}

static void note_depth(void *context) {
  measure(context);
}

static void test_run(void **state) {
  (void)state;
  pthread_t where;
  stack_run(1000, note_thread, &where);
  assert_true(pthread_equal(where, pthread_self()));
  size_t depth = 0;
  stack_run(64 << 20, note_depth, &depth);
  assert_true(depth > 31 << 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_run),
  };
  return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
