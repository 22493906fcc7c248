/* Text that may not be UTF-8 as a JSON string: unchanged if possible, else with
   everything beyond ASCII replaced. */
#include "io/json.h"

#include "base/text.h"

json_t *json_plain(const char *text) {
  json_t *string = json_string(text);
  if (string) return string;
  Text plain = {0};
  for (; *text; text++)
    text_add_byte(&plain, (unsigned char)*text < 128 ? *text : '?');
  string = json_string(text_string(&plain));
  text_free(&plain);
  return string;
}

void json_add_text(const json_t *value, size_t flags, Text *text) {
  size_t length = json_dumpb(value, NULL, 0, flags);
  char *bytes = memory_new(length + 1);
  json_dumpb(value, bytes, length, flags);
  text_add_bytes(text, bytes, length);
  memory_delete(bytes);
}
