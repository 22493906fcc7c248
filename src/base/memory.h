/* Allocation that never returns NULL. If memory runs out, the innermost trial
   of the thread is given up (base/trial.h); outside trials the program exits
   with code 4. */
#ifndef TAFL_BASE_MEMORY_H
#define TAFL_BASE_MEMORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *memory_new(size_t size); /* zeroed */
void *memory_resize(void *block, size_t size);
void *memory_new_aligned(size_t size); /* zeroed, aligned to 64; not resized */
void memory_delete(void *block);

/* Pages of their own, zeroed, readable and writable, backed by the system only
   once they are touched. They do not count towards limits, but are unmapped
   with the scope that they were made in. */
typedef struct MemoryPages {
  void *address;
  size_t size;
} MemoryPages;

/* Returns NULL if the system has no such range of addresses. */
MemoryPages *memory_pages_new(size_t size);
void memory_pages_delete(MemoryPages *pages);

/* ---- scopes: for base/trial.c and for owners of a scope that lasts ---- */

typedef struct MemoryScope MemoryScope;
typedef struct MemoryBlock MemoryBlock;

/* 32 bytes in front of each block, so that what follows is aligned as malloc's
   blocks are. */
struct MemoryBlock {
  MemoryBlock *older, *newer; /* a ring through the scope */
  MemoryScope *scope;         /* NULL: in none */
  uint64_t size : 56;
  uint64_t kind : 8; /* see memory.c */
};

/* The blocks that were allocated while the scope was the innermost one of its
   thread. A shared scope locks its ring, since helpers of the thread that
   entered it resize and delete its blocks (trial_help). */
struct MemoryScope {
  MemoryScope *outer;
  MemoryBlock ring;
  int64_t most;   /* bytes that the thread may have in use */
  int64_t before; /* bytes that it had in use when it entered */
  int64_t held;   /* bytes in use by this scope when it was last left */
  size_t limit;
  bool shared;
  pthread_mutex_t lock; /* of the ring, if shared */
};

/* An empty scope that may hold `limit` bytes. */
void memory_scope_init(MemoryScope *scope, size_t limit, bool shared);
/* Between these two it is the innermost scope of the calling thread. */
void memory_scope_enter(MemoryScope *scope);
void memory_scope_leave(MemoryScope *scope);
/* Hands the blocks to the innermost scope of the calling thread. */
void memory_scope_keep(MemoryScope *scope);
/* Releases the blocks; the scope is empty then. Not while it is entered. */
void memory_scope_release(MemoryScope *scope);

/* Counts bytes as in use by this thread that another one allocated for it. */
void memory_adopt(int64_t bytes);
/* Bytes that the thread may still allocate; SIZE_MAX outside scopes. */
size_t memory_left(void);
/* True if the last request of this thread was beyond its scope's limit. */
bool memory_beyond_limit(void);

#endif
