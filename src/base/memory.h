/* Allocation that does not fail: out of memory is fatal. */
#ifndef TAFL_BASE_MEMORY_H
#define TAFL_BASE_MEMORY_H

#include <stddef.h>

void *memory_new(size_t size); /* zeroed */
void *memory_resize(void *block, size_t size);
void memory_delete(void *block);

#endif
