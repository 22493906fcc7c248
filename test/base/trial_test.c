/* Trials: work that needs too much memory is given up and leaves nothing
   behind; what it had from outside stays valid. */
#include "base/clock.h"
#include "base/trial.h"

#include "base/vector.h"
#include "support/unit.h"

/* Makes sanitizers return NULL as the C library does, and ignore the blocks
   that successful trials leave behind. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:detect_leaks=0";
}

typedef VECTOR(uint32_t) Numbers;

typedef struct Work {
  Numbers outside; /* older than the trial, grown in it */
  uint32_t *kept;  /* allocated in the trial */
  size_t blocks, size;
  bool inner_failed;
} Work;

/* Allocates `blocks` blocks, releases some, resizes some and keeps the last. */
static void allocate(void *context) {
  Work *work = context;
  for (size_t i = 0; i < work->blocks; i++) {
    char *block = memory_new(work->size);
    if (i % 3 == 0) {
      memory_delete(block);
    } else if (i % 3 == 1) {
      block = memory_resize(block, 2 * work->size);
      memset(block, 0xff, 2 * work->size);
    }
    vector_push(&work->outside, (uint32_t)i);
  }
  memory_delete(memory_new_aligned(100));
  work->kept = memory_new_aligned(64);
  work->kept[0] = 42;
}

static void release_all(void *context) {
  Work *work = context;
  for (size_t i = 0; i < 100000; i++) memory_delete(memory_new(work->size));
}

static void test_limit(void **state) {
  (void)state;
  Work work = {.blocks = 3, .size = 1000};
  vector_push(&work.outside, 7);
  work.blocks = 3000;
  assert_false(trial_run(1 << 20, allocate, &work));
  assert_true(trial_limit_reached());
  assert_null(work.kept);
  /* the vector from outside is still valid */
  assert_int_equal(work.outside.data[0], 7);
  assert_true(work.outside.count > 300 && work.outside.count < 1100);
  work.outside.count = 1;
  vector_push(&work.outside, 8);
  assert_int_equal(work.outside.data[1], 8);
  /* released bytes do not count */
  assert_true(trial_run(1 << 20, release_all, &work));
  work.blocks = 1;
  assert_true(trial_run(1 << 20, allocate, &work));
  assert_int_equal(work.kept[0], 42);
  assert_int_equal((uintptr_t)work.kept % 64, 0);
  memory_delete(work.kept);
  vector_free(&work.outside);
}

static void try_inside(void *context) {
  Work *work = context;
  work->blocks = 3000;
  work->inner_failed = !trial_run(SIZE_MAX, allocate, work);
  work->kept = NULL;
  work->blocks = 1;
  if (!trial_run(SIZE_MAX, allocate, work)) fail();
  memory_delete(memory_new(100));
}

/* The outer limit applies inside, and only the inner trial is given up. */
static void test_nesting(void **state) {
  (void)state;
  Work work = {.size = 1000};
  vector_push(&work.outside, 7);
  assert_true(trial_run(1 << 20, try_inside, &work));
  assert_true(work.inner_failed);
  assert_int_equal(work.kept[0], 42);
  memory_delete(work.kept);
  vector_free(&work.outside);
}

static void allocate_too_much(void *context) {
  (void)context;
  memory_new(SIZE_MAX / 4);
}

static void test_system_limit(void **state) {
  (void)state;
  assert_false(trial_run(SIZE_MAX, allocate_too_much, NULL));
  assert_false(trial_limit_reached());
}

static void fail_at_once(void *context) {
  *(bool *)context = true;
  trial_fail("a message that nobody sees");
}

static void test_giving_up(void **state) {
  (void)state;
  bool reached = false;
  assert_false(trial_run(SIZE_MAX, fail_at_once, &reached));
  assert_true(reached);
}

static void loop(void *context) {
  for (;; ++*(uint64_t *)context) trial_check();
}

static void allocate_for_ever(void *context) {
  (void)context;
  for (;;) memory_delete(memory_new(100));
}

/* An inner trial has the deadline of the outer one. */
static void loop_inside(void *context) {
  assert_false(trial_run(SIZE_MAX, loop, context));
  assert_true(trial_deadline_passed());
  assert_false(trial_run_until(SIZE_MAX, clock_now() + 1000, loop, context));
  loop(context);
}

static void test_deadline(void **state) {
  (void)state;
  uint64_t rounds = 0;
  assert_false(trial_run_until(SIZE_MAX, clock_now() + 0.01, loop, &rounds));
  assert_true(trial_deadline_passed());
  assert_true(rounds > 0);
  assert_false(
      trial_run_until(SIZE_MAX, clock_now() + 0.01, allocate_for_ever, NULL));
  assert_true(trial_deadline_passed());
  assert_false(
      trial_run_until(SIZE_MAX, clock_now() + 0.01, loop_inside, &rounds));
  assert_true(trial_deadline_passed());
  /* Outside there is none. */
  for (int i = 0; i < 1000; i++) trial_check();
  assert_false(trial_run(100, allocate_too_much, NULL));
  assert_false(trial_deadline_passed());
  bool reached = false;
  assert_false(
      trial_run_until(SIZE_MAX, clock_now() + 1000, fail_at_once, &reached));
  assert_false(trial_deadline_passed());
}

static void *set_flag(void *context) {
  atomic_bool *stop = context;
  nanosleep(&(struct timespec){0, 20000000}, NULL);
  atomic_store(stop, true);
  return NULL;
}

static void work_for_ever(void *context) {
  Work *work = context;
  for (;;) {
    if (work->blocks) memory_delete(memory_new(work->size));
    trial_check();
  }
}

/* Another thread stops the work, between allocations or without any; what was
   not stopped keeps its blocks. */
static void test_stopping(void **state) {
  (void)state;
  for (size_t blocks = 0; blocks < 2; blocks++) {
    Work work = {.blocks = blocks, .size = 1000};
    atomic_bool stop = false;
    pthread_t thread;
    assert_false(pthread_create(&thread, NULL, set_flag, &stop));
    assert_false(trial_run_unless(&stop, work_for_ever, &work));
    assert_false(trial_deadline_passed());
    pthread_join(thread, NULL);
    assert_true(trial_run(SIZE_MAX, allocate, &work)); /* nothing stops that */
    memory_delete(work.kept);
    atomic_store(&stop, false);
    assert_true(trial_run_unless(&stop, allocate, &work));
    assert_int_equal(work.kept[0], 42);
    memory_delete(work.kept);
    vector_free(&work.outside);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_limit),        cmocka_unit_test(test_nesting),
      cmocka_unit_test(test_system_limit), cmocka_unit_test(test_giving_up),
      cmocka_unit_test(test_deadline),     cmocka_unit_test(test_stopping),
  };
  return cmocka_run_group_tests_name("trial", tests, NULL, NULL);
}
