/* Reads what store/export.h writes as JSON. What the database has already is
   kept as it is; a file is imported whole or not at all. */
#ifndef TAFL_STORE_IMPORT_H
#define TAFL_STORE_IMPORT_H

#include <stdio.h>

#include "store/results.h"

typedef struct ImportCount {
  uint64_t matches; /* that are new */
  uint64_t kept;    /* that were there */
} ImportCount;

enum { IMPORT_LINE = 64 << 20 }; /* bytes of a line, at most */

/* Adds to `count`. Returns false and sets `error`, which begins with
   "name:line: ", if a line is wrong or the store fails; nothing of the file is
   imported then. */
bool import_read(Results *results, FILE *file, const char *name,
                 ImportCount *count, Text *error);

#endif
