/* Each block has a header in front: its size, and its place in the ring of the
   scope that it was allocated in. Scopes nest; the blocks of one that is kept
   join the outer one's ring. What is allocated outside scopes is in no ring.

   Bytes are counted by thread, not by scope: a scope's limit becomes a limit of
   the thread's count when the scope is entered, so allocating costs the same
   however deep scopes are nested. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/trial.h"

enum { HEADER = sizeof(MemoryBlock), ALIGNMENT = 64 };

enum {
  PLAIN,   /* the header is where the C library's block begins */
  ALIGNED, /* it is ALIGNMENT - HEADER bytes behind that */
  PAGES    /* plain; the content is a MemoryPages */
};

static _Thread_local MemoryScope *scope; /* the innermost */
/* bytes that this thread allocated and did not release, with headers */
static _Thread_local int64_t used;
static _Thread_local bool beyond_limit; /* the last request was */

static void check(size_t size) {
  beyond_limit = size < PTRDIFF_MAX / 2 && scope &&
                 used + (int64_t)size + HEADER > scope->most;
  if (size >= PTRDIFF_MAX / 2 || beyond_limit) trial_fail("out of memory");
}

/* ---- rings ---- */

static void lock(MemoryScope *own) {
  if (own->shared) pthread_mutex_lock(&own->lock);
}

static void unlock(MemoryScope *own) {
  if (own->shared) pthread_mutex_unlock(&own->lock);
}

static void link_block(MemoryBlock *block, MemoryScope *own) {
  MemoryBlock *ring = &own->ring;
  lock(own);
  block->scope = own;
  block->older = ring;
  block->newer = ring->newer;
  ring->newer->older = block;
  ring->newer = block;
  unlock(own);
}

static void unlink_block(MemoryBlock *block) {
  MemoryScope *own = block->scope;
  if (!own) return;
  lock(own);
  block->older->newer = block->newer;
  block->newer->older = block->older;
  block->scope = NULL;
  unlock(own);
}

/* ---- blocks ---- */

static void *begin(void *raw, size_t offset, size_t size, unsigned kind) {
  if (!raw) trial_fail("out of memory");
  MemoryBlock *block = (MemoryBlock *)((char *)raw + offset);
  *block = (MemoryBlock){.size = size & (((uint64_t)1 << 56) - 1),
                         .kind = kind & 0xff};
  if (scope) link_block(block, scope);
  used += (int64_t)size + HEADER;
  return block + 1;
}

void *memory_new(size_t size) {
  check(size);
  return begin(calloc(1, HEADER + size), 0, size, PLAIN);
}

void *memory_new_aligned(size_t size) {
  check(size);
  size_t whole = (ALIGNMENT + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *raw = aligned_alloc(ALIGNMENT, whole);
  if (raw) memset(raw, 0, whole);
  return begin(raw, ALIGNMENT - HEADER, size, ALIGNED);
}

/* The block may move: its neighbours in the ring have to learn where to. */
static MemoryBlock *resize_linked(MemoryBlock *block, size_t size) {
  MemoryScope *own = block->scope;
  lock(own);
  MemoryBlock *moved = realloc(block, HEADER + size);
  if (moved) moved->older->newer = moved->newer->older = moved;
  unlock(own);
  return moved;
}

void *memory_resize(void *data, size_t size) {
  if (!data) return memory_new(size);
  MemoryBlock *block = (MemoryBlock *)data - 1;
  size_t before = block->size;
  if (size > before) check(size - before);
  block =
      block->scope ? resize_linked(block, size) : realloc(block, HEADER + size);
  if (!block) trial_fail("out of memory");
  block->size = size & (((uint64_t)1 << 56) - 1);
  used += (int64_t)size - (int64_t)before;
  return block + 1;
}

void memory_delete(void *data) {
  if (!data) return;
  MemoryBlock *block = (MemoryBlock *)data - 1;
  unlink_block(block);
  used -= (int64_t)block->size + HEADER;
  if (block->kind == PAGES) {
    const MemoryPages *pages = data;
    if (pages->address) munmap(pages->address, pages->size);
  }
  free((char *)block - (block->kind == ALIGNED ? ALIGNMENT - HEADER : 0));
}

MemoryPages *memory_pages_new(size_t size) {
  MemoryPages *pages = memory_new(sizeof *pages);
  ((MemoryBlock *)pages - 1)->kind = PAGES;
  void *address = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) {
    memory_delete(pages);
    return NULL;
  }
  *pages = (MemoryPages){address, size};
  return pages;
}

void memory_pages_delete(MemoryPages *pages) {
  memory_delete(pages);
}

/* ---- scopes ---- */

void memory_scope_init(MemoryScope *own, size_t limit, bool shared) {
  *own = (MemoryScope){.limit = limit, .shared = shared};
  own->ring.older = own->ring.newer = &own->ring;
  if (shared) pthread_mutex_init(&own->lock, NULL);
}

void memory_scope_enter(MemoryScope *own) {
  own->outer = scope;
  own->before = used;
  own->most = own->limit < INT64_MAX / 2
                  ? used + (int64_t)own->limit - own->held
                  : INT64_MAX;
  if (scope && scope->most < own->most) own->most = scope->most;
  scope = own;
}

void memory_scope_leave(MemoryScope *own) {
  scope = own->outer;
  own->held += used - own->before;
}

void memory_scope_keep(MemoryScope *own) {
  while (own->ring.newer != &own->ring) {
    MemoryBlock *block = own->ring.newer;
    unlink_block(block);
    if (scope) link_block(block, scope);
  }
}

void memory_scope_release(MemoryScope *own) {
  while (own->ring.newer != &own->ring) memory_delete(own->ring.newer + 1);
  own->held = 0;
}

void memory_adopt(int64_t bytes) {
  used += bytes;
}

size_t memory_left(void) {
  if (!scope || scope->most == INT64_MAX) return SIZE_MAX;
  return scope->most > used ? (size_t)(scope->most - used) : 0;
}

bool memory_beyond_limit(void) {
  return beyond_limit;
}
