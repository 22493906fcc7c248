/* The server's log: one line an event on stderr. What others sent is in it, so
   it is bounded and plain; nobody who does not read it can hold us up. */
#ifndef TAFL_IO_EVENT_H
#define TAFL_IO_EVENT_H

#include "base/log.h"

/* `subject` is a match's id, or NULL. */
void event_log(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
