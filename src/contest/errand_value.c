#include <math.h>

#include "contest/errand_parts.h"
#include "io/json.h"

void errand_put(json_t *object, Text *text) {
  if (!object) fatal_limit("no memory for a message to another rank");
  json_add_text(object, JSON_COMPACT | JSON_PRESERVE_ORDER, text);
  json_decref(object);
}

json_t *errand_parse(const Text *text) {
  json_t *object = json_loadb(text_string(text), text->length, 0, NULL);
  if (json_is_object(object)) return object;
  json_decref(object);
  return NULL;
}

json_t *errand_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *errand_text(const Text *text) {
  return json_plain(text_string(text));
}

bool errand_get_number(const json_t *object, const char *key, double *value) {
  const json_t *number = json_object_get(object, key);
  *value = json_is_number(number) ? json_number_value(number) : (double)NAN;
  return json_is_number(number) || json_is_null(number);
}

bool errand_get_seconds(const json_t *object, const char *key, double *value) {
  return errand_get_number(object, key, value) && *value >= 0;
}

bool errand_get_count(const json_t *object, const char *key, uint64_t *value) {
  const json_t *number = json_object_get(object, key);
  *value = (uint64_t)json_integer_value(number);
  return json_is_integer(number) && json_integer_value(number) >= 0;
}

bool errand_get_small(const json_t *object, const char *key, uint32_t *value) {
  uint64_t count;
  if (!errand_get_count(object, key, &count) || count > UINT32_MAX)
    return false;
  *value = (uint32_t)count;
  return true;
}

bool errand_get_flag(const json_t *object, const char *key, bool *value) {
  const json_t *flag = json_object_get(object, key);
  *value = json_is_true(flag);
  return json_is_boolean(flag);
}

bool errand_get_text(const json_t *object, const char *key, Text *text) {
  const json_t *value = json_object_get(object, key);
  if (json_is_string(value)) text_add(text, json_string_value(value));
  return json_is_string(value);
}
