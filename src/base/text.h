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
const char *text_string(const Text *text); /* "" if nothing was added */

typedef VECTOR(Text) TextVector;

void text_vector_free(TextVector *list); /* frees the texts too */

/* Appends the file at `path` ("-" is standard input). Returns false and sets
   `error` if it cannot be read, is a directory or is larger than `limit`
   bytes. */
bool text_read_file(Text *text, const char *path, size_t limit, Text *error);

#endif
