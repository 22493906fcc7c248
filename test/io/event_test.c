/* The log with a reader that does not keep up: lines wait for it, in order, and
   only a great many are lost, which the log says. */
#include "io/event.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/unit.h"

static int ends[2], before;

static int redirect(void **state) {
  (void)state;
  assert_int_equal(pipe(ends), 0);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  before = dup(STDERR_FILENO);
  return dup2(ends[1], STDERR_FILENO) < 0;
}

static int restore(void **state) {
  (void)state;
  close(ends[0]);
  close(ends[1]);
  return dup2(before, STDERR_FILENO) < 0;
}

/* Reads everything that comes; returns how many lines were events, which must
   be in order, and sets the number that were said to be lost. */
static unsigned read_lines(unsigned *lost) {
  static char text[4 << 20];
  size_t length = 0;
  unsigned count = 0, number;
  bool more = true;
  while (more) {
    ssize_t got = 0;
    more = event_flush();
    while ((got = read(ends[0], text + length, sizeof text - 1 - length)) > 0)
      length += (size_t)got;
  }
  text[length] = '\0';
  *lost = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    const char *event = strstr(line, "[m] event ");
    if (event) assert_int_equal(sscanf(event, "[m] event %u", &number), 1);
    if (event) assert_true(number >= count++);
    if (!event) assert_int_equal(sscanf(line, "%u lines", lost), 1);
  }
  return count;
}

static void test_slow_reader(void **state) {
  (void)state;
  unsigned lost;
  for (unsigned i = 0; i < 5000; i++) event_log("m", "event %u", i);
  assert_int_equal(read_lines(&lost), 5000);
  assert_int_equal(lost, 0);
}

static void test_no_reader(void **state) {
  (void)state;
  unsigned lost;
  for (unsigned i = 0; i < 50000; i++) event_log("m", "event %u", i);
  unsigned kept = read_lines(&lost);
  assert_in_range(kept, 5000, 49999);
  event_log("m", "event %u", 50000);
  assert_int_equal(read_lines(&lost), 1);
  assert_int_equal(kept + lost, 50000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_slow_reader, redirect, restore),
      cmocka_unit_test_setup_teardown(test_no_reader, redirect, restore)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
