/* Allocation that does not fail. */
#include "base/memory.h"

#include <stdlib.h>

#include "base/log.h"

void *memory_new(size_t size) {
  void *block = calloc(1, size ? size : 1);
  if (!block) fatal("out of memory (%zu bytes asked for)", size);
  return block;
}

void *memory_resize(void *block, size_t size) {
  void *moved = realloc(block, size ? size : 1);
  if (!moved) fatal("out of memory (%zu bytes asked for)", size);
  return moved;
}

void memory_delete(void *block) {
  free(block);
}
