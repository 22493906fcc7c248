/* Each block has a header in front: its size, and its place in the list of the
   scope that it was allocated in. Scopes nest; the blocks of one that succeeds
   join the outer one's. What is allocated outside scopes is in no list. */
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/trial.h"

enum { HEADER = sizeof(MemoryBlock), ALIGNMENT = 64 };

static _Thread_local MemoryScope *scope; /* the innermost */
/* bytes that this thread allocated and did not release, with headers */
static _Thread_local int64_t used;
static _Thread_local bool beyond_limit; /* the last request was */

static void check(size_t size) {
  beyond_limit = size < PTRDIFF_MAX / 2 && scope &&
                 used + (int64_t)size + HEADER > scope->most;
  if (size >= PTRDIFF_MAX / 2 || beyond_limit) trial_fail("out of memory");
}

static void link_block(MemoryBlock *block, MemoryBlock *ring) {
  block->older = ring;
  block->newer = ring->newer;
  ring->newer->older = block;
  ring->newer = block;
}

static void unlink_block(MemoryBlock *block) {
  if (!block->older) return;
  block->older->newer = block->newer;
  block->newer->older = block->older;
  block->older = block->newer = NULL;
}

static void *begin(void *raw, size_t offset, size_t size) {
  if (!raw) trial_fail("out of memory");
  MemoryBlock *block = (MemoryBlock *)((char *)raw + offset);
  *block = (MemoryBlock){.size = size, .offset = offset};
  if (scope) link_block(block, &scope->ring);
  used += (int64_t)size + HEADER;
  return block + 1;
}

void *memory_new(size_t size) {
  check(size);
  return begin(calloc(1, HEADER + size), 0, size);
}

void *memory_new_aligned(size_t size) {
  check(size);
  size_t whole = (ALIGNMENT + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *raw = aligned_alloc(ALIGNMENT, whole);
  if (raw) memset(raw, 0, whole);
  return begin(raw, ALIGNMENT - HEADER, size);
}

void *memory_resize(void *data, size_t size) {
  if (!data) return memory_new(size);
  MemoryBlock *block = (MemoryBlock *)data - 1;
  size_t before = block->size;
  if (size > before) check(size - before);
  block = realloc(block, HEADER + size);
  if (!block) trial_fail("out of memory");
  if (block->older) block->older->newer = block->newer->older = block;
  block->size = size;
  used += (int64_t)size - (int64_t)before;
  return block + 1;
}

void memory_delete(void *data) {
  if (!data) return;
  MemoryBlock *block = (MemoryBlock *)data - 1;
  unlink_block(block);
  used -= (int64_t)block->size + HEADER;
  free((char *)block - block->offset);
}

/* ---- scopes ---- */

static void hand_over(MemoryScope *own) {
  while (own->ring.newer != &own->ring) {
    MemoryBlock *block = own->ring.newer;
    unlink_block(block);
    if (own->outer) link_block(block, &own->outer->ring);
  }
}

static void release(MemoryScope *own) {
  while (own->ring.newer != &own->ring) memory_delete(own->ring.newer + 1);
}

void memory_scope_open(MemoryScope *own, size_t limit) {
  own->outer = scope;
  own->ring.older = own->ring.newer = &own->ring;
  own->most = limit < INT64_MAX / 2 ? used + (int64_t)limit : INT64_MAX;
  if (scope && scope->most < own->most) own->most = scope->most;
  scope = own;
}

void memory_scope_close(MemoryScope *own, bool keep) {
  scope = own->outer;
  if (keep)
    hand_over(own);
  else
    release(own);
}

bool memory_beyond_limit(void) {
  return beyond_limit;
}
