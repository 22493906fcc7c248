/* Values of the messages in contest/errand.h. Getting returns false if there is
   no such value under the key. */
#ifndef TAFL_CONTEST_ERRAND_PARTS_H
#define TAFL_CONTEST_ERRAND_PARTS_H

#include <jansson.h>

#include "base/text.h"

/* Appends the object, and frees it. */
void errand_put(json_t *object, Text *text);
/* Returns NULL if the text is no object. */
json_t *errand_parse(const Text *text);

json_t *errand_number(double value); /* null unless it is finite */
json_t *errand_text(const Text *text);

bool errand_get_number(const json_t *object, const char *key,
                       double *value); /* NAN for null */
/* Not negative. */
bool errand_get_seconds(const json_t *object, const char *key, double *value);
bool errand_get_count(const json_t *object, const char *key, uint64_t *value);
bool errand_get_small(const json_t *object, const char *key, uint32_t *value);
bool errand_get_flag(const json_t *object, const char *key, bool *value);
bool errand_get_text(const json_t *object, const char *key, Text *text);

#endif
