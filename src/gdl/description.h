/* A game's text with everything the front end knows of it. */
#ifndef TAFL_GDL_DESCRIPTION_H
#define TAFL_GDL_DESCRIPTION_H

#include "gdl/depend.h"

typedef struct Description {
  Text text;
  Source source;
  Rules rules;
  Dependencies dependencies;
  Report report;
} Description;

/* Text → terms → rules → dependencies → checks. What is wrong is in `report`;
   `name` must outlive the description. */
void description_init(Description *description, const char *name,
                      const char *text, size_t length);
/* As above from a file ("-": standard input) of at most `limit` bytes. False,
   with the reason in `error`, if the file cannot be read. */
bool description_read(Description *description, const char *path, size_t limit,
                      Text *error);
void description_free(Description *description);

static inline bool description_valid(const Description *description) {
  return description->report.errors == 0;
}

#endif
