/* Writing files completely or not at all. */
#ifndef TAFL_BASE_FILE_H
#define TAFL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Replaces the file's content: writes PATH.new, then renames it. On failure
   returns false and sets `error`; an existing file is left as it was. */
bool file_replace(const char *path, const char *bytes, size_t length,
                  Text *error);
/* Makes the directories above the path that are not there, with this mode; what
   cannot be made shows when the path is opened. */
void file_make_above(const char *path, unsigned mode);
/* Writes all bytes to a descriptor. Returns false and sets errno on failure. */
bool file_write_all(int file, const char *bytes, size_t length);

#endif
