/* Messages to a person, on stderr. `fatal` is for a failing environment (out
   of memory), never for bad input. */
#ifndef TAFL_BASE_LOG_H
#define TAFL_BASE_LOG_H

#include <stdbool.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

void log_warning(const char *format, ...) PRINTF_LIKE(1, 2);
void log_error(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void fatal(const char *format, ...) PRINTF_LIKE(1, 2);

/* One line rewritten in place, only when stderr is a terminal; `log_progress`
   with NULL wipes it. */
bool log_progress_wanted(void);
void log_progress(const char *format, ...) PRINTF_LIKE(1, 2);
void log_progress_end(void);

#endif
