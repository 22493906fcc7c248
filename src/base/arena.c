/* A list of blocks, each twice as large as the one before, up to 1 MiB. */
#include "base/arena.h"

#include <string.h>

#include "base/memory.h"

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20, ALIGNMENT = 16 };

struct ArenaBlock {
  ArenaBlock *older;
  size_t size;
  _Alignas(ALIGNMENT) char bytes[];
};

static void add_block(Arena *arena, size_t at_least) {
  size_t size = arena->block ? arena->block->size * 2 : FIRST_BLOCK;
  if (size > LARGEST_BLOCK) size = LARGEST_BLOCK;
  if (size < at_least) size = at_least;
  ArenaBlock *block = memory_new(sizeof(ArenaBlock) + size);
  block->older = arena->block;
  block->size = size;
  arena->block = block;
  arena->used = 0;
  arena->total += size;
}

void *arena_new(Arena *arena, size_t size) {
  size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  if (!arena->block || arena->block->size - arena->used < size)
    add_block(arena, size);
  void *piece = arena->block->bytes + arena->used;
  arena->used += size;
  return piece;
}

char *arena_copy(Arena *arena, const char *bytes, size_t length) {
  char *copy = arena_new(arena, length + 1);
  memcpy(copy, bytes, length);
  return copy;
}

void arena_free(Arena *arena) {
  while (arena->block) {
    ArenaBlock *older = arena->block->older;
    memory_delete(arena->block);
    arena->block = older;
  }
  *arena = (Arena){0};
}
