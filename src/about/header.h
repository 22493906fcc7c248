/* What the comments at the beginning of a game's file say. */
#ifndef TAFL_ABOUT_HEADER_H
#define TAFL_ABOUT_HEADER_H

#include "base/text.h"

/* Appends the comments before the first rule, without their signs. Lines that
   belong together are filled to `width` columns. */
void header_write(const char *rules, uint32_t width, Text *text);
/* Appends the first line of them that has a letter. */
void header_title(const char *rules, Text *title);

#endif
