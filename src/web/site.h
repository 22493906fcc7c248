/* The files of the page, which are part of the program: page/ in the source
   tree, made into C by tools/embed. */
#ifndef TAFL_WEB_SITE_H
#define TAFL_WEB_SITE_H

#include "io/http.h"

typedef struct SiteFile {
  const char *path;                 /* "script/main.js" */
  const char *bytes, *packed, *end; /* as it is, then compressed by gzip */
} SiteFile;

extern const SiteFile site_files[]; /* sorted by path; ends with NULL */

/* Answers with the file of that path ("" is index.html), or with 404. */
void site_answer(HttpRequest *request, const char *path);
/* True if there is one. */
bool site_has(const char *path);

/* Headers that every answer of the page has: a list of names and values that
   ends with NULL. Scripts, styles and everything else come from here alone. */
extern const char *const site_headers[];
/* The same with a policy of its own, for what is shown in a frame, and with
   more headers, which end with NULL. `list` has SITE_HEADERS places. */
enum { SITE_HEADERS = 24 };
void site_write_headers(const char *policy, const char *const *more,
                        const char *list[]);

#endif
