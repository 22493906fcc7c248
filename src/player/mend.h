/* Makes rules with errors playable, as far as possible. */
#ifndef TAFL_PLAYER_MEND_H
#define TAFL_PLAYER_MEND_H

#include "gdl/description.h"

/* Reads the text without the rules that have errors, and appends the errors to
   `notes` as lines. The description may still be invalid: roles are not
   invented, and not everything can be mended. */
void mend_read(Description *description, const char *name, const char *text,
               size_t length, Text *notes);

#endif
