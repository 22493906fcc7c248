/* Allocation that never returns NULL: outside a trial, running out of memory
   ends the program with a message and exit code 4. */
#include "base/memory.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/vector.h"
#include "support/unit.h"

/* Makes sanitizers return NULL as the C library does, and ignore the leaks of a
   process that exits early. */
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

static void allocate_everything(void) {
  memory_new(SIZE_MAX / 2);
}

static void resize_to_everything(void) {
  memory_resize(memory_new(1), SIZE_MAX / 2);
}

static void grow_beyond_32_bits(void) {
  uint32_t capacity = 1u << 31;
  vector_grown(NULL, &capacity, UINT32_MAX, 1);
}

/* Runs the function in another process; returns its exit code and what it wrote
   to stderr. */
static int run_in_child(void (*function)(void), char *message, size_t size) {
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
  while ((got = read(ends[0], message + length, size - 1 - length)) > 0)
    length += (size_t)got;
  message[length] = '\0';
  close(ends[0]);
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  return WEXITSTATUS(status);
}

static void test_failure_is_fatal(void **state) {
  (void)state;
  static void (*const functions[])(void) = {
      allocate_everything, resize_to_everything, grow_beyond_32_bits};
  static const char *const messages[] = {"out of memory", "out of memory",
                                         "over 4,294,967,295 elements"};
  for (size_t i = 0; i < LENGTH(functions); i++) {
    char message[8192];
    assert_int_equal(run_in_child(functions[i], message, sizeof message), 4);
    assert_non_null(strstr(message, "tafl: "));
    assert_non_null(strstr(message, messages[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_new_is_zeroed),
      cmocka_unit_test(test_resize_keeps),
      cmocka_unit_test(test_failure_is_fatal),
  };
  return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
