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

json_t *json_bytes(const char *bytes, size_t length) {
  Text wide = {0};
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)bytes[i];
    if (byte >= 128) text_add_byte(&wide, (char)(0xC0 | byte >> 6));
    text_add_byte(&wide, (char)(byte < 128 ? byte : 0x80 | (byte & 63)));
  }
  json_t *string = json_stringn(text_string(&wide), wide.length);
  text_free(&wide);
  return string;
}

/* The characters of Latin 1 beyond ASCII begin with C2 or C3. */
bool json_add_bytes(const json_t *value, Text *text) {
  const char *string = json_string_value(value);
  size_t length = json_string_length(value), before = text->length;
  for (size_t i = 0; i < length; i++) {
    unsigned char byte = (unsigned char)string[i];
    if (byte > 0xC3) {
      if (text->bytes) text->bytes[before] = '\0';
      text->length = before;
      return false;
    }
    if (byte >= 128) byte = (unsigned char)(byte << 6 | (string[++i] & 63));
    text_add_byte(text, (char)byte);
  }
  return string;
}

void json_add_text(const json_t *value, size_t flags, Text *text) {
  size_t length = json_dumpb(value, NULL, 0, flags);
  char *bytes = memory_new(length + 1);
  json_dumpb(value, bytes, length, flags);
  text_add_bytes(text, bytes, length);
  memory_delete(bytes);
}
