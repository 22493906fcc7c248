/* A text with a name, and places in it. */
#ifndef TAFL_GDL_SOURCE_H
#define TAFL_GDL_SOURCE_H

#include <stdbool.h>

#include "base/vector.h"

typedef struct Source {
  const char *name; /* shown before the line number; borrowed */
  const char *text; /* borrowed */
  uint32_t length;
  NumberVector lines; /* where each begins */
} Source;

typedef struct Place {
  uint32_t line, column; /* from 1; a column is a UTF-8 character */
} Place;

void source_init(Source *source, const char *name, const char *text,
                 size_t length);
void source_free(Source *source);
uint32_t source_line(const Source *source, uint32_t offset); /* from 1 */
Place source_place(const Source *source, uint32_t offset);

/* Is it a byte of a UTF-8 character other than the first? */
static inline bool source_continues(char byte) {
  return ((unsigned char)byte & 0xc0) == 0x80;
}

#endif
