/* JSON beyond libjansson. */
#ifndef TAFL_IO_JSON_H
#define TAFL_IO_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/text.h"

/* Returns a JSON string of any bytes: if they are not valid UTF-8, those beyond
   ASCII become '?'. */
json_t *json_plain(const char *text);

/* Returns a JSON string from which json_add_bytes gets all bytes back, whatever
   they are: each is a character of Latin 1. */
json_t *json_bytes(const char *bytes, size_t length);
/* Returns false, and appends nothing, if the value is no such string. */
bool json_add_bytes(const json_t *value, Text *text);

/* Appends the value as JSON, written as json_dumps would with these flags; that
   gives a string that is freed differently from program to program. */
void json_add_text(const json_t *value, size_t flags, Text *text);

#endif
