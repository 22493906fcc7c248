/* The log of a server: one line per event on stderr. Lines may quote what
   clients sent, so they are short and plain ASCII; a reader that does not keep
   up loses lines instead of blocking us. */
#ifndef TAFL_IO_EVENT_H
#define TAFL_IO_EVENT_H

#include "base/log.h"

/* `subject` is what the event is about, shown in brackets, or NULL. */
void event_log(const char *subject, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
