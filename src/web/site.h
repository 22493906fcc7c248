/* The files of the page, which are part of the program: page/ in the source
   tree. */
#ifndef TAFL_WEB_SITE_H
#define TAFL_WEB_SITE_H

#include "io/http.h"

/* Answers with the file of that path ("" is index.html), or with 404. */
void site_answer(HttpRequest *request, const char *path);
/* True if there is one. */
bool site_has(const char *path);

/* Headers that every answer of the page has: a list of names and values that
   ends with NULL. Scripts, styles and everything else come from here alone. */
extern const char *const site_headers[];

#endif
