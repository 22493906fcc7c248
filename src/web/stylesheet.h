/* Boards as the public collections of games draw them: an XSLT stylesheet makes
   HTML of a state.

   It lies beside the rules, as NAME.xsl or NAME.xslt, or is given by
   --stylesheet, a file for all games or a directory of such files, which may be
   NAME/NAME.xsl in it. Whatever a
   stylesheet does, it reads and writes nothing outside; the caller has limits
   of time and memory. */
#ifndef TAFL_WEB_STYLESHEET_H
#define TAFL_WEB_STYLESHEET_H

#include "io/json.h"

/* Sets `path` to the stylesheet of a game. `given` is that of --stylesheet, or
   ""; `name` may be anything. Returns false if there is none. */
bool stylesheet_find(const char *given, const TextVector *directories,
                     const char *name, Text *path);

typedef struct StylesheetFile {
  Text name, bytes;
} StylesheetFile;

typedef VECTOR(StylesheetFile) StylesheetFiles;

/* A stylesheet and what it refers to, all read before it runs. */
typedef struct StylesheetKit {
  StylesheetFiles sheets;   /* by path; the first is the stylesheet itself, the
                               others are those that it imports or includes */
  StylesheetFiles pictures; /* by their path behind "resources/"; the bytes are
                               the URL of the contents: data:image/png;… */
} StylesheetKit;

/* Reads the stylesheet; others are taken from its folder and those beside it,
   pictures from the nearest folder named resources above it, as the public
   collections have them. What is not there, or too large, is left out. Returns
   false and sets `error` if the stylesheet itself cannot be read; free it
   either way. */
bool stylesheet_read(StylesheetKit *kit, const char *path, Text *error);
void stylesheet_free(StylesheetKit *kit);

/* Appends the XML that this stylesheet expects of a step of a MATCH
   (docs/api.md). */
void stylesheet_write_state(const StylesheetKit *kit, const json_t *match,
                            uint32_t step, Text *xml);

/* Appends the HTML, `width` pixels wide, that the stylesheet makes of the XML,
   with the pictures in it; one that is not there becomes its name. Returns
   false and sets `error` if it makes none. */
bool stylesheet_render(const StylesheetKit *kit, const Text *xml,
                       unsigned width, Text *html, Text *error);

#endif
