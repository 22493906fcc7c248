/* A growing string, and whole files as strings. */
#ifndef TAFL_BASE_TEXT_H
#define TAFL_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/log.h"
#include "base/vector.h"

typedef struct Text {
  char *bytes; /* NUL-terminated once anything was added */
  size_t length, capacity;
} Text;

void text_add(Text *text, const char *string);
void text_add_bytes(Text *text, const char *bytes, size_t length);
void text_add_byte(Text *text, char byte);
void text_format(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_clear(Text *text);
void text_free(Text *text);
const char *text_string(const Text *text); /* "" when nothing was added */

typedef VECTOR(Text) TextVector;

void text_vector_free(TextVector *list); /* the texts too */

/* Read `path` ("-" is standard input) of at most `limit` bytes. False, with the
   reason in `error`, when it cannot be read, is a directory or is larger. */
bool text_read_file(Text *text, const char *path, size_t limit, Text *error);

#endif
