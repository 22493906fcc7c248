/* Each block has a header in front: its size, and its place in the list of the
   trial that it was allocated in. A trial is work under memory_try; trials
   nest, and the lists of those that succeed join the outer one's. What is
   allocated outside of trials is in no list. */
#include "base/memory.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"

typedef struct Block Block;

/* 32 bytes, so that what follows is aligned as malloc's blocks are. */
struct Block {
  Block *older, *newer; /* a ring through the trial; NULL: in no trial */
  size_t size;
  size_t offset; /* of the header in what the C library gave */
};

enum { HEADER = sizeof(Block), ALIGNMENT = 64 };

typedef struct Trial Trial;

struct Trial {
  Trial *outer;
  Block ring;
  int64_t most; /* of `used` */
  jmp_buf failure;
};

static _Thread_local Trial *trial; /* the innermost */
/* bytes that this thread allocated and did not release, with headers */
static _Thread_local int64_t used;
static _Thread_local bool limit_reached; /* by the last that was asked for */

void memory_fail(const char *what) {
  if (trial) longjmp(trial->failure, 1);
  fatal_limit("%s", what);
}

bool memory_limit_reached(void) {
  return limit_reached;
}

static void check(size_t size) {
  limit_reached = size < PTRDIFF_MAX / 2 && trial &&
                  used + (int64_t)size + HEADER > trial->most;
  if (size >= PTRDIFF_MAX / 2 || limit_reached) memory_fail("out of memory");
}

static void link_block(Block *block, Block *ring) {
  block->older = ring;
  block->newer = ring->newer;
  ring->newer->older = block;
  ring->newer = block;
}

static void unlink_block(Block *block) {
  if (!block->older) return;
  block->older->newer = block->newer;
  block->newer->older = block->older;
  block->older = block->newer = NULL;
}

static void *begin(void *raw, size_t offset, size_t size) {
  if (!raw) memory_fail("out of memory");
  Block *block = (Block *)((char *)raw + offset);
  *block = (Block){.size = size, .offset = offset};
  if (trial) link_block(block, &trial->ring);
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
  Block *block = (Block *)data - 1;
  size_t before = block->size;
  if (size > before) check(size - before);
  block = realloc(block, HEADER + size);
  if (!block) memory_fail("out of memory");
  if (block->older) block->older->newer = block->newer->older = block;
  block->size = size;
  used += (int64_t)size - (int64_t)before;
  return block + 1;
}

void memory_delete(void *data) {
  if (!data) return;
  Block *block = (Block *)data - 1;
  unlink_block(block);
  used -= (int64_t)block->size + HEADER;
  free((char *)block - block->offset);
}

/* ---- trials ---- */

/* The place that a failure comes back to. */
static bool run(Trial *own, MemoryWork *work, void *context) {
  if (setjmp(own->failure)) return false;
  work(context);
  return true;
}

static void hand_over(Trial *own) {
  while (own->ring.newer != &own->ring) {
    Block *block = own->ring.newer;
    unlink_block(block);
    if (own->outer) link_block(block, &own->outer->ring);
  }
}

static void release(Trial *own) {
  while (own->ring.newer != &own->ring) memory_delete(own->ring.newer + 1);
}

bool memory_try(size_t limit, MemoryWork *work, void *context) {
  Trial own = {.outer = trial};
  own.ring.older = own.ring.newer = &own.ring;
  own.most = limit < INT64_MAX / 2 ? used + (int64_t)limit : INT64_MAX;
  if (trial && trial->most < own.most) own.most = trial->most;
  trial = &own;
  bool fine = run(&own, work, context);
  trial = own.outer;
  if (fine)
    hand_over(&own);
  else
    release(&own);
  return fine;
}
