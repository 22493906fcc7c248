/* Messages on stderr. The fatal ones are never for bad input. */
#ifndef TAFL_BASE_LOG_H
#define TAFL_BASE_LOG_H

#include <stdbool.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

void log_error(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void fatal(const char *format, ...) PRINTF_LIKE(1, 2);
/* Reports a lack of resources, such as memory, and exits with code 4. The
   message begins with the subject (the file in work), if there is one. */
_Noreturn void fatal_limit(const char *format, ...) PRINTF_LIKE(1, 2);
void log_set_subject(const char *subject);

/* A line rewritten in place, only if stderr is a terminal. */
bool log_progress_wanted(void);
void log_progress(const char *format, ...) PRINTF_LIKE(1, 2);
void log_progress_end(void);

#endif
