/* Lines that a person types. If standard input and output are terminals, they
   can be edited, earlier ones come back, and Tab completes them; else they are
   read as they are. */
#ifndef TAFL_COMMAND_LINE_H
#define TAFL_COMMAND_LINE_H

#include <stdatomic.h>

#include "base/text.h"

typedef struct Line Line;

/* Appends all lines that may be meant by the beginning of one. */
typedef void LineOffer(void *context, const char *typed, TextVector *lines);

/* The flags are borrowed; there is one Line at a time. `stop` ends the reading.
   At a terminal it is set by SIGTERM and SIGHUP, and `hurry` by SIGINT
   (Ctrl-C); NULL: SIGINT is left alone. */
Line *line_new(atomic_bool *stop, atomic_bool *hurry);
void line_delete(Line *line);
/* Returns true if a person sits at a terminal. */
bool line_edited(const Line *line);
/* What Tab completes from now on; NULL: nothing. */
void line_offer(Line *line, LineOffer *offer, void *context);
/* Reads a line without its end and outer blanks into `text`. Returns false at
   the end of input and if `stop` is set. Ctrl-C gives up what is typed. */
bool line_read(Line *line, const char *prompt, Text *text);

#endif
