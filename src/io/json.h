/* JSON beyond libjansson. */
#ifndef TAFL_IO_JSON_H
#define TAFL_IO_JSON_H

#include <jansson.h>

/* Returns a JSON string of any bytes: if they are not valid UTF-8, those beyond
   ASCII become '?'. */
json_t *json_plain(const char *text);

#endif
