/* Allocation that does not fail. Where memory is short the work at hand is
   given up: back to memory_try if it runs inside one, else the program ends. */
#ifndef TAFL_BASE_MEMORY_H
#define TAFL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *memory_new(size_t size); /* zeroed */
void *memory_resize(void *block, size_t size);
void *memory_new_aligned(size_t size); /* zeroed, aligned to 64; not resized */
void memory_delete(void *block);

/* Give up the work at hand, as for lack of memory. */
_Noreturn void memory_fail(const char *what);

/* Run `work`, which may allocate `limit` bytes more than it releases. If it
   wants more, or there is no more, all that it allocated is released and false
   is returned. Blocks from outside that it resized stay valid: whoever hands
   such things in brings them back to order. A new block must not be the only
   way to something from outside (a table is resized, not replaced). The work
   runs in one thread, and may try things in turn. */
typedef void MemoryWork(void *context);
bool memory_try(size_t limit, MemoryWork *work, void *context);
/* Was it the limit that the last trial failed by, not the environment? */
bool memory_limit_reached(void);

#endif
