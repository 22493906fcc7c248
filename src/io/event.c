/* A line is sent with one write, and only if poll says there is room: lines are
   shorter than PIPE_BUF, so the write does not block. Bytes that are not
   printable ASCII become '?'. Times are seconds since the first line. */
#include "io/event.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

enum { LONGEST = 1000, LONGEST_SUBJECT = 60 };

static double since_first(void) {
  static double first;
  double now = clock_now();
  if (first == 0) first = now;
  return now - first;
}

static void make_plain(char *line) {
  for (char *c = line; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
}

static void put(const char *line, size_t length) {
  struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&output, 1, 0) == 1 && output.revents & POLLOUT &&
      write(STDERR_FILENO, line, length) < 0)
    return; /* nobody is reading */
}

void event_log(const char *subject, const char *format, ...) {
  char line[LONGEST + 2];
  size_t length = (size_t)snprintf(line, LONGEST, "tafl: %.3f ", since_first());
  if (subject)
    length += (size_t)snprintf(line + length, LONGEST - length, "[%.*s] ",
                               LONGEST_SUBJECT, subject);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + length, LONGEST - length, format, arguments);
  va_end(arguments);
  make_plain(line);
  length = strlen(line);
  line[length] = '\n';
  put(line, length + 1);
}
