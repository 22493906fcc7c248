/* Memory with one lifetime: allocated piece by piece, released all at once. */
#ifndef TAFL_BASE_ARENA_H
#define TAFL_BASE_ARENA_H

#include <stddef.h>

typedef struct ArenaBlock ArenaBlock;

typedef struct Arena {
  ArenaBlock *block; /* newest first */
  size_t used;       /* in the newest block */
  size_t total;      /* bytes in all blocks */
} Arena;

void *arena_new(Arena *arena, size_t size); /* zeroed, aligned to 16 */
char *arena_copy(Arena *arena, const char *bytes, size_t length); /* + '\0' */
void arena_free(Arena *arena);

#endif
