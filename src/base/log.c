/* Each message begins with the program's name, to distinguish it from
   diagnostics of a game, which begin with the game's file. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void say(const char *kind, const char *format, va_list arguments) {
  log_progress_end();
  fprintf(stderr, "tafl: %s", kind);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
}

void log_error(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("", format, arguments);
  va_end(arguments);
}

void fatal(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("fatal: ", format, arguments);
  va_end(arguments);
  exit(70);
}

static const char *subject_now;

void log_set_subject(const char *subject) {
  subject_now = subject;
}

void fatal_limit(const char *format, ...) {
  char message[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  log_error("%s%s%s", subject_now ? subject_now : "", subject_now ? ": " : "",
            message);
  exit(4);
}

static bool progress_shown;

bool log_progress_wanted(void) {
  return isatty(STDERR_FILENO);
}

void log_progress(const char *format, ...) {
  if (!log_progress_wanted()) return;
  va_list arguments;
  va_start(arguments, format);
  fputs("\r\033[K", stderr);
  vfprintf(stderr, format, arguments);
  fflush(stderr);
  va_end(arguments);
  progress_shown = true;
}

void log_progress_end(void) {
  if (!progress_shown) return;
  fputs("\r\033[K", stderr);
  progress_shown = false;
}
