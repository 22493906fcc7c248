/* JSON beyond libjansson. */
#ifndef TAFL_IO_JSON_H
#define TAFL_IO_JSON_H

#include <jansson.h>

#include "base/text.h"

/* Returns a JSON string of any bytes: if they are not valid UTF-8, those beyond
   ASCII become '?'. */
json_t *json_plain(const char *text);

/* Appends the value as JSON, written as json_dumps would with these flags; that
   gives a string that is freed differently from program to program. */
void json_add_text(const json_t *value, size_t flags, Text *text);

#endif
