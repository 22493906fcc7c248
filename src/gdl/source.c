/* Lines are found by bisection; columns are counted in their line. */
#include "gdl/source.h"

void source_init(Source *source, const char *name, const char *text,
                 size_t length) {
  *source = (Source){name, text, (uint32_t)length, {0}};
  vector_push(&source->lines, 0);
  for (uint32_t i = 0; i < source->length; i++)
    if (text[i] == '\n') vector_push(&source->lines, i + 1);
}

void source_free(Source *source) {
  vector_free(&source->lines);
}

uint32_t source_line(const Source *source, uint32_t offset) {
  uint32_t low = 0, high = source->lines.count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines.data[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low + 1;
}

Place source_place(const Source *source, uint32_t offset) {
  Place place = {source_line(source, offset), 1};
  for (uint32_t i = source->lines.data[place.line - 1]; i < offset; i++)
    if (!source_continues(source->text[i])) place.column++;
  return place;
}
