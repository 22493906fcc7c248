/* Rules with errors, made playable as far as that goes. */
#ifndef TAFL_PLAYER_MEND_H
#define TAFL_PLAYER_MEND_H

#include "gdl/description.h"

/* The description of the text without the rules that have errors; what was
   wrong goes to `notes`, as lines. It may be invalid still: roles are not made
   up, and not everything can be mended. */
void mend_read(Description *description, const char *name, const char *text,
               size_t length, Text *notes);

#endif
