/* Allocation that never returns NULL. If memory runs out, the innermost trial
   of the thread is given up (base/trial.h); outside trials the program exits
   with code 4. */
#ifndef TAFL_BASE_MEMORY_H
#define TAFL_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

void *memory_new(size_t size); /* zeroed */
void *memory_resize(void *block, size_t size);
void *memory_new_aligned(size_t size); /* zeroed, aligned to 64; not resized */
void memory_delete(void *block);

/* For base/trial.c alone: the blocks that one trial has allocated. */
typedef struct MemoryBlock MemoryBlock;

/* 32 bytes in front of each block, so that what follows is aligned as malloc's
   blocks are. */
struct MemoryBlock {
  MemoryBlock *older, *newer; /* a ring through the scope; NULL: in none */
  size_t size;
  size_t offset; /* of the header in what the C library returned */
};

typedef struct MemoryScope MemoryScope;

struct MemoryScope {
  MemoryScope *outer;
  MemoryBlock ring;
  long long most; /* bytes that the thread may have in use */
};

void memory_scope_open(MemoryScope *scope, size_t limit);
/* Closes the innermost scope; its blocks go to the outer one, or are
   released. */
void memory_scope_close(MemoryScope *scope, bool keep);
/* True if the last request of this thread was beyond its scope's limit. */
bool memory_beyond_limit(void);

#endif
