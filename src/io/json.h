/* JSON beyond what libjansson has. */
#ifndef TAFL_IO_JSON_H
#define TAFL_IO_JSON_H

#include <jansson.h>

/* A string of any bytes: those that are no UTF-8 become '?'. */
json_t *json_plain(const char *text);

#endif
