/* A line is sent with one write, and only if poll says there is room: lines are
   shorter than PIPE_BUF, so the write does not block. Bytes that are not
   printable ASCII become '?'. Times are those of the wall clock. */
#include "io/event.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

enum {
  LONGEST = 1000,
  LONGEST_SUBJECT = 60,
  MOST_WAITING = 1 << 20 /* bytes */
};

/* Writes the local time as 2026-03-01 12:00:00.123 and a space. */
static size_t write_time(char *line, size_t size) {
  struct timespec now;
  struct tm local;
  clock_gettime(CLOCK_REALTIME, &now);
  if (!localtime_r(&now.tv_sec, &local)) return 0;
  size_t length = strftime(line, size, "%Y-%m-%d %H:%M:%S", &local);
  return length + (size_t)snprintf(line + length, size - length, ".%03d ",
                                   (int)(now.tv_nsec / 1000000));
}

static void make_plain(char *line) {
  for (char *c = line; *c; c++)
    if (*c < ' ' || *c > '~') *c = '?';
}

/* Returns false if there is no room; what nobody reads any more is gone. */
static bool put(const char *line, size_t length) {
  struct pollfd output = {.fd = STDERR_FILENO, .events = POLLOUT};
  if (poll(&output, 1, 0) != 1 || !(output.revents & POLLOUT))
    return output.revents & (POLLERR | POLLHUP | POLLNVAL);
  return write(STDERR_FILENO, line, length) >= 0 || errno != EAGAIN;
}

/* ---- lines that wait ---- */

static Text waiting;
static size_t written; /* of it */
static unsigned lost;  /* lines that it had no room for */

static void keep(const char *line, size_t length) {
  char note[64];
  if (waiting.length + length + sizeof note > MOST_WAITING) {
    lost++;
    return;
  }
  if (lost) {
    snprintf(note, sizeof note, "%u lines of the log were lost\n", lost);
    text_add(&waiting, note);
    lost = 0;
  }
  text_add_bytes(&waiting, line, length);
}

bool event_flush(void) {
  while (written < waiting.length) {
    const char *line = waiting.bytes + written;
    size_t length = (size_t)(strchr(line, '\n') - line) + 1;
    if (!put(line, length)) return true;
    written += length;
  }
  text_clear(&waiting);
  written = 0;
  return false;
}

void event_log(const char *subject, const char *format, ...) {
  char line[LONGEST + 2];
  size_t length = write_time(line, LONGEST);
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
  keep(line, length + 1);
  event_flush();
}
