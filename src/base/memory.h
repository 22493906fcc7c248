/* Allocation that never returns NULL. If memory runs out, the innermost trial
   of the thread is given up (base/trial.h); outside trials the program exits
   with code 4. */
#ifndef TAFL_BASE_MEMORY_H
#define TAFL_BASE_MEMORY_H

#include "base/scope.h"

void *memory_new(size_t size); /* zeroed */
void *memory_resize(void *block, size_t size);
void *memory_new_aligned(size_t size); /* zeroed, aligned to 64; not resized */
void memory_delete(void *block);

/* Pages of their own, zeroed, readable and writable, backed by the system only
   once they are touched. They do not count towards limits, but are unmapped
   with the scope that they were made in. Returns NULL if the system has
   no such range of addresses. */
ScopePages *memory_pages_new(size_t size);
/* The same on large pages, if that many bytes are wanted and the system has
   them. Returns where they begin, or NULL; they are deleted by `pages`. */
void *memory_large_pages_new(size_t size, ScopePages **pages);
void memory_pages_delete(ScopePages *pages);

#endif
