#include "command/wrap.h"

#include <string.h>

#include "gdl/source.h"

static uint32_t columns_of(const char *bytes, size_t length) {
  uint32_t columns = 0;
  for (size_t i = 0; i < length; i++) columns += !source_continues(bytes[i]);
  return columns;
}

uint32_t wrap_columns(const char *text) {
  return columns_of(text, strlen(text));
}

/* The column at which the last line ends. */
static uint32_t end_of(const Text *out) {
  size_t begin = out->length;
  while (begin && out->bytes[begin - 1] != '\n') begin--;
  return columns_of(out->bytes + begin, out->length - begin);
}

void wrap_to(Text *out, uint32_t column) {
  for (uint32_t at = end_of(out); at < column; at++) text_add_byte(out, ' ');
}

/* Appends a piece after a blank if there is to be one, or on a new line. */
static void add_piece(Text *out, const char *piece, size_t length, bool blank,
                      uint32_t indent) {
  uint32_t end = end_of(out), columns = columns_of(piece, length);
  blank = blank && end > indent && out->bytes[out->length - 1] != ' ';
  if (end > indent && end + blank + columns > WRAP_WIDTH)
    text_add_byte(out, '\n');
  else if (blank)
    text_add_byte(out, ' ');
  wrap_to(out, indent);
  text_add_bytes(out, piece, length);
}

void wrap_words(Text *out, const char *words, uint32_t indent) {
  words += strspn(words, " \n");
  while (*words) {
    size_t length = strcspn(words, " \n");
    add_piece(out, words, length, true, indent);
    words += length;
    words += strspn(words, " \n");
  }
}

void wrap_list(Text *out, const char *list, uint32_t indent) {
  while (*list) {
    size_t blanks = strspn(list, " ");
    list += blanks;
    size_t length = strcspn(list, ",");
    length += list[length] == ',';
    add_piece(out, list, length, blanks, indent);
    list += length;
  }
}

void wrap_row(Text *out, const char *left, const char *right, uint32_t indent) {
  text_add(out, left);
  if (*right) {
    if (end_of(out) + 2 > indent) text_add_byte(out, '\n');
    wrap_to(out, indent);
    wrap_words(out, right, indent);
  }
  text_add_byte(out, '\n');
}
