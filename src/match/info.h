/* The name that a player gives itself in its reply to INFO. */
#ifndef TAFL_MATCH_INFO_H
#define TAFL_MATCH_INFO_H

#include "base/text.h"

/* Appends the name of a reply such as ((name tafl) (status available)): at most
   40 printable ASCII characters. Returns false if there is none. */
bool info_name(const char *reply, size_t length, Text *name);

#endif
