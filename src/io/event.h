/* The log of a server: one line per event on stderr. Lines may quote what
   clients sent, so they are short and plain ASCII. Where a reader does not keep
   up, they wait in memory; only beyond a mebibyte are they lost, and counted,
   instead of blocking us. One thread may log. */
#ifndef TAFL_IO_EVENT_H
#define TAFL_IO_EVENT_H

#include <stdbool.h>

#include "base/log.h"

/* `subject` is what the event is about, shown in brackets, or NULL. */
void event_log(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);
/* Writes lines that wait, as far as there is room; returns true if some still
   wait. */
bool event_flush(void);

#endif
