/* Allocation that does not fail, and what happens when it would: the program
   ends with a message on stderr and the exit code of a limit, or work under
   trial_run is given up and leaves nothing behind. */
#include "base/memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/trial.h"
#include "base/vector.h"
#include "support/unit.h"

/* Sanitizers answer as the C library does, and let a failing process leak. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:detect_leaks=0";
}

static void test_new_is_zeroed(void **state) {
  (void)state;
  for (size_t size = 0; size < 5000; size += 7) {
    unsigned char *block = memory_new(size);
    assert_non_null(block);
    for (size_t i = 0; i < size; i++) {
      assert_int_equal(block[i], 0);
      block[i] = 0xff;
    }
    memory_delete(block);
  }
}

static void test_resize_keeps(void **state) {
  (void)state;
  char *block = memory_resize(NULL, 4);
  memcpy(block, "abc", 4);
  block = memory_resize(block, 100000);
  assert_string_equal(block, "abc");
  memory_delete(memory_resize(block, 0));
  memory_delete(NULL);
}

static void ask_for_all(void) {
  memory_new(SIZE_MAX / 2);
}

static void resize_to_all(void) {
  memory_resize(memory_new(1), SIZE_MAX / 2);
}

static void grow_beyond_32_bits(void) {
  uint32_t capacity = 1u << 31;
  vector_grown(NULL, &capacity, UINT32_MAX, 1);
}

/* Run it in another process: its exit code, and what it wrote to stderr. */
static int run_apart(void (*function)(void), char *said, size_t size) {
  int ends[2], status;
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  assert_true(child >= 0);
  if (!child) {
    dup2(ends[1], STDERR_FILENO);
    function();
    _exit(0);
  }
  close(ends[1]);
  size_t length = 0;
  ssize_t got;
  while ((got = read(ends[0], said + length, size - 1 - length)) > 0)
    length += (size_t)got;
  said[length] = '\0';
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void test_failure_is_fatal(void **state) {
  (void)state;
  static void (*const functions[])(void) = {ask_for_all, resize_to_all,
                                            grow_beyond_32_bits};
  static const char *const messages[] = {"out of memory", "out of memory",
                                         "over 4,294,967,295 elements"};
  for (size_t i = 0; i < LENGTH(functions); i++) {
    char said[8192];
    assert_int_equal(run_apart(functions[i], said, sizeof said), 4);
    assert_non_null(strstr(said, "tafl: "));
    assert_non_null(strstr(said, messages[i]));
  }
}

/* ---- trials ---- */

typedef VECTOR(uint32_t) Numbers;

typedef struct Work {
  Numbers outside; /* grown by the work, from before it */
  uint32_t *kept;  /* allocated by it */
  size_t blocks, size;
  bool inner_failed;
} Work;

/* So many blocks, some released, some resized; the last is kept. */
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

static void test_trial(void **state) {
  (void)state;
  Work work = {.blocks = 3, .size = 1000};
  vector_push(&work.outside, 7);
  work.blocks = 3000;
  assert_false(trial_run(1 << 20, allocate, &work));
  assert_true(trial_limit_reached());
  assert_null(work.kept);
  /* what is from outside can be used on */
  assert_int_equal(work.outside.data[0], 7);
  assert_true(work.outside.count > 300 && work.outside.count < 1100);
  work.outside.count = 1;
  vector_push(&work.outside, 8);
  assert_int_equal(work.outside.data[1], 8);
  /* a million bytes again and again is not over the limit */
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
  work->blocks = 10;
  if (!trial_run(SIZE_MAX, allocate, work)) fail();
  memory_delete(memory_new(100));
}

/* The outer limit holds inside, and only the inner work is given up. */
static void test_trials_nest(void **state) {
  (void)state;
  Work work = {.size = 1000};
  vector_push(&work.outside, 7);
  assert_true(trial_run(1 << 20, try_inside, &work));
  assert_true(work.inner_failed);
  assert_int_equal(work.kept[0], 42);
  memory_delete(work.kept);
  vector_free(&work.outside);
}

static void ask_too_much(void *context) {
  (void)context;
  memory_new(SIZE_MAX / 4);
}

static void test_trial_without_memory(void **state) {
  (void)state;
  assert_false(trial_run(SIZE_MAX, ask_too_much, NULL));
  assert_false(trial_limit_reached());
}

static void test_clock_does_not_run_back(void **state) {
  (void)state;
  double before = clock_now(), start = before;
  for (int i = 0; i < 1000000 && before - start < 0.001; i++) {
    double now = clock_now();
    assert_true(now >= before);
    before = now;
  }
  assert_true(before > start);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_new_is_zeroed),
      cmocka_unit_test(test_resize_keeps),
      cmocka_unit_test(test_failure_is_fatal),
      cmocka_unit_test(test_trial),
      cmocka_unit_test(test_trials_nest),
      cmocka_unit_test(test_trial_without_memory),
      cmocka_unit_test(test_clock_does_not_run_back),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
