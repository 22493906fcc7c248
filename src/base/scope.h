/* Memory scopes: the blocks that were allocated while a scope was the innermost
   one of its thread. A scope is released, or handed to the next outer one, as a
   whole. For base/memory.c, base/trial.c and owners of a scope that lasts. */
#ifndef TAFL_BASE_SCOPE_H
#define TAFL_BASE_SCOPE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Scope Scope;
typedef struct ScopeBlock ScopeBlock;

typedef enum {
  SCOPE_PLAIN,   /* the header is where the C library's block begins */
  SCOPE_ALIGNED, /* it is SCOPE_ALIGNMENT bytes less a header behind that */
  SCOPE_PAGES    /* plain; the content is a ScopePages */
} ScopeKind;

typedef struct ScopePages {
  void *address;
  size_t size;
} ScopePages;

enum { SCOPE_ALIGNMENT = 64 };

/* 32 bytes in front of each block, so that what follows is aligned as malloc's
   blocks are. */
struct ScopeBlock {
  ScopeBlock *older, *newer; /* a ring through the scope */
  Scope *scope;              /* NULL: in none */
  uint64_t size : 56;        /* without the header */
  uint64_t kind : 8;         /* ScopeKind */
};

/* A shared scope locks its ring, since helpers of the thread that entered it
   resize and delete its blocks (trial_help). */
struct Scope {
  Scope *outer;
  ScopeBlock ring;
  int64_t most;   /* bytes that the thread may have in use */
  int64_t before; /* bytes that it had in use when it entered */
  int64_t held;   /* bytes in use by this scope when it was last left */
  size_t limit;
  bool shared;
  pthread_mutex_t lock; /* of the ring, if shared */
};

/* Initializes an empty scope that may hold `limit` bytes. */
void scope_init(Scope *scope, size_t limit, bool shared);
/* Between these two it is the innermost scope of the calling thread. */
void scope_enter(Scope *scope);
void scope_leave(Scope *scope);
/* Hands the blocks to the innermost scope of the calling thread. */
void scope_keep(Scope *scope);
/* Releases the blocks; the scope is empty then. Not while it is entered. */
void scope_release(Scope *scope);

/* Counts bytes as in use by this thread that another one allocated for it. */
void scope_adopt(int64_t bytes);
/* Bytes that the thread may still allocate; SIZE_MAX outside scopes. */
size_t scope_left(void);
/* True if the last request of this thread was beyond its scope's limit. */
bool scope_beyond_limit(void);

/* ---- for base/memory.c ---- */

/* Returns false if `size` bytes more are beyond the limit of this thread. */
bool scope_allows(size_t size);
/* Makes a header of new memory and links it; returns what follows it. */
void *scope_add(ScopeBlock *block, size_t size, ScopeKind kind);
/* Reallocates a plain block; returns NULL, and changes nothing, if the system
   has no memory. */
ScopeBlock *scope_resize(ScopeBlock *block, size_t size);
void scope_delete(ScopeBlock *block);

#endif
