/* A game's text and everything the front end makes of it. */
#ifndef TAFL_GDL_DESCRIPTION_H
#define TAFL_GDL_DESCRIPTION_H

#include "gdl/dependencies.h"

typedef struct Description {
  Text text;
  Source source;
  Rules rules;
  Dependencies dependencies;
  Report report;
} Description;

/* Text → terms → rules → dependencies → checks. Errors and warnings are in
   `report`; `name` is borrowed. */
void description_init(Description *description, const char *name,
                      const char *text, size_t length);
/* The same from a file ("-": standard input) of at most `limit` bytes. Returns
   false and sets `error` if the file cannot be read. */
bool description_read(Description *description, const char *path, size_t limit,
                      Text *error);
void description_free(Description *description);

static inline bool description_valid(const Description *description) {
  return description->report.errors == 0;
}

#endif
