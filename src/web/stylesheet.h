/* Boards as the public collections of games draw them: an XSLT stylesheet makes
   HTML of a state.

   It lies beside the rules, as NAME.xsl or NAME.xslt, or is given by
   --stylesheet, a file for all games or a directory of such files. Whatever a
   stylesheet does, it reads and writes nothing outside; the caller has limits
   of time and memory. */
#ifndef TAFL_WEB_STYLESHEET_H
#define TAFL_WEB_STYLESHEET_H

#include "io/json.h"

/* Sets `path` to the stylesheet of a game. `given` is that of --stylesheet, or
   ""; `name` may be anything. Returns false if there is none. */
bool stylesheet_find(const char *given, const TextVector *directories,
                     const char *name, Text *path);

/* Appends the XML that this stylesheet expects of a step of a MATCH
   (docs/api.md). */
void stylesheet_write_state(const Text *sheet, const json_t *match,
                            uint32_t step, Text *xml);

/* Appends the HTML, `width` pixels wide, that the stylesheet makes of the XML.
   Returns false and sets `error` if it makes none. */
bool stylesheet_render(const Text *sheet, const Text *xml, unsigned width,
                       Text *html, Text *error);

#endif
