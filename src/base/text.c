/* A growing string; capacity doubles. */
#include "base/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"

static void reserve(Text *text, size_t more) {
  size_t needed = text->length + more + 1;
  if (needed <= text->capacity) return;
  size_t capacity = text->capacity ? text->capacity : 64;
  while (capacity < needed) capacity *= 2;
  text->bytes = memory_resize(text->bytes, capacity);
  text->capacity = capacity;
}

void text_add_bytes(Text *text, const char *bytes, size_t length) {
  reserve(text, length);
  if (length) memcpy(text->bytes + text->length, bytes, length);
  text->length += length;
  text->bytes[text->length] = '\0';
}

void text_add(Text *text, const char *string) {
  text_add_bytes(text, string, strlen(string));
}

void text_add_byte(Text *text, char byte) {
  text_add_bytes(text, &byte, 1);
}

void text_format(Text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0) return;
  reserve(text, (size_t)length);
  va_start(arguments, format);
  vsnprintf(text->bytes + text->length, (size_t)length + 1, format, arguments);
  va_end(arguments);
  text->length += (size_t)length;
}

void text_clear(Text *text) {
  text->length = 0;
  if (text->bytes) text->bytes[0] = '\0';
}

void text_free(Text *text) {
  memory_delete(text->bytes);
  *text = (Text){0};
}

const char *text_string(const Text *text) {
  return text->bytes ? text->bytes : "";
}

static bool read_all(Text *text, FILE *file, size_t limit, Text *error) {
  char buffer[65536];
  size_t got;
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) {
    text_add_bytes(text, buffer, got);
    if (text->length > limit) {
      text_format(error, "larger than the limit of %zu bytes", limit);
      return false;
    }
  }
  if (ferror(file)) {
    text_format(error, "%s", strerror(errno));
    return false;
  }
  return true;
}

bool text_read_file(Text *text, const char *path, size_t limit, Text *error) {
  bool standard = strcmp(path, "-") == 0;
  FILE *file = standard ? stdin : fopen(path, "rb");
  if (!file) {
    text_format(error, "%s", strerror(errno));
    return false;
  }
  struct stat status;
  bool fine = true;
  if (fstat(fileno(file), &status) == 0 && S_ISDIR(status.st_mode)) {
    text_add(error, "is a directory");
    fine = false;
  }
  fine = fine && read_all(text, file, limit, error);
  if (!standard) fclose(file);
  return fine;
}

void text_vector_free(TextVector *list) {
  for (uint32_t i = 0; i < list->count; i++) text_free(&list->data[i]);
  vector_free(list);
}
