/* Boards as the public collections of games draw them: an XSLT stylesheet makes
   HTML of a state.

   It lies beside the rules, as NAME.xsl or NAME.xslt, or is given by
   --stylesheet, a file for all games or a directory of such files. */
#ifndef TAFL_WEB_STYLESHEET_H
#define TAFL_WEB_STYLESHEET_H

#include "base/text.h"

/* Sets `path` to the stylesheet of a game. `given` is that of --stylesheet, or
   ""; `name` may be anything. Returns false if there is none. */
bool stylesheet_find(const char *given, const TextVector *directories,
                     const char *name, Text *path);

#endif
