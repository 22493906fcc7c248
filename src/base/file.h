/* Files that are there whole or not at all. */
#ifndef TAFL_BASE_FILE_H
#define TAFL_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* The file gets the bytes as its content: written beside it (PATH.new) first,
   then renamed. False, with the reason in `error`, if that cannot be done; an
   old file stays as it was. */
bool file_replace(const char *path, const char *bytes, size_t length,
                  Text *error);
/* All bytes to a descriptor; false, with errno, if that cannot be done. */
bool file_write_all(int file, const char *bytes, size_t length);

#endif
