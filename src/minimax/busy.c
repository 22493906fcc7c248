#include "minimax/busy.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

void busy_init(Busy *busy, uint32_t threads) {
  busy->lines =
      threads > 1 ? memory_new_aligned(BUSY_LINES * sizeof *busy->lines) : NULL;
}

void busy_free(Busy *busy) {
  memory_delete(busy->lines);
}

void busy_clear(Busy *busy) {
  if (busy->lines)
    memset((void *)busy->lines, 0, BUSY_LINES * sizeof *busy->lines);
}

uint64_t busy_mark(uint64_t key, uint32_t move, uint32_t depth) {
  uint64_t mark = hash_pair(key, (uint64_t)move << 32 | depth);
  return mark ? mark : 1;
}

static _Atomic uint64_t *marks_of(const Busy *busy, uint64_t mark) {
  return busy->lines[mark % BUSY_LINES].marks;
}

static uint64_t load(const _Atomic uint64_t *mark) {
  return atomic_load_explicit(mark, memory_order_relaxed);
}

bool busy_has(const Busy *busy, uint64_t mark) {
  if (!busy->lines) return false;
  const _Atomic uint64_t *marks = marks_of(busy, mark);
  for (uint32_t i = 0; i < BUSY_WAYS; i++)
    if (load(&marks[i]) == mark) return true;
  return false;
}

/* Where there is no room, some other move loses its mark. */
void busy_add(Busy *busy, uint64_t mark) {
  uint32_t at = 0;
  if (!busy->lines) return;
  _Atomic uint64_t *marks = marks_of(busy, mark);
  for (uint32_t i = BUSY_WAYS; i-- > 0;)
    if (!load(&marks[i])) at = i;
  atomic_store_explicit(&marks[at], mark, memory_order_relaxed);
}

void busy_remove(Busy *busy, uint64_t mark) {
  if (!busy->lines) return;
  _Atomic uint64_t *marks = marks_of(busy, mark);
  for (uint32_t i = 0; i < BUSY_WAYS; i++)
    if (load(&marks[i]) == mark)
      atomic_store_explicit(&marks[i], 0, memory_order_relaxed);
}
