/* Messages to a person, on stderr. The fatal ones are never for bad input. */
#ifndef TAFL_BASE_LOG_H
#define TAFL_BASE_LOG_H

#include <stdbool.h>

#define PRINTF_LIKE(text, first) __attribute__((format(printf, text, first)))

void log_error(const char *format, ...) PRINTF_LIKE(1, 2);
_Noreturn void fatal(const char *format, ...) PRINTF_LIKE(1, 2);
/* What the environment does not give, memory say: exit code 4. The message
   names the subject, the file that is worked on, unless it is NULL. */
_Noreturn void fatal_limit(const char *format, ...) PRINTF_LIKE(1, 2);
void log_set_subject(const char *subject);

/* One line rewritten in place, only when stderr is a terminal; `log_progress`
   with NULL wipes it. */
bool log_progress_wanted(void);
void log_progress(const char *format, ...) PRINTF_LIKE(1, 2);
void log_progress_end(void);

#endif
