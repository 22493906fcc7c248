/* A row is in one of WAYS neighbouring slots. The table doubles when it is half
   full, or when a row finds no free slot in a table that is a quarter full. */
#include "solve/memo.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum { WAYS = 4, LEAST_SLOTS = 1 << 10 };

static void allocate(Memo *memo, uint32_t slots) {
  memo->slots = slots;
  memo->rows =
      memory_new(((size_t)slots * memo->words + 1) * sizeof *memo->rows);
  memo->numbers = memory_new(slots * sizeof *memo->numbers);
}

void memo_init(Memo *memo, uint32_t words, size_t memory) {
  *memo = (Memo){.words = words, .memory = memory};
  allocate(memo, LEAST_SLOTS);
}

void memo_free(Memo *memo) {
  memory_delete(memo->rows);
  memory_delete(memo->numbers);
}

static uint32_t first_slot(const Memo *memo, const uint64_t *row) {
  uint64_t hash = memo->words;
  for (uint32_t i = 0; i < memo->words; i++) hash = hash_pair(hash, row[i]);
  return (uint32_t)hash & (memo->slots - 1) & ~(uint32_t)(WAYS - 1);
}

static bool equal(const Memo *memo, uint32_t slot, const uint64_t *row) {
  return memcmp(memo->rows + (size_t)slot * memo->words, row,
                memo->words * sizeof *row) == 0;
}

/* Returns the row's slot; or a free one; or that with the least number. */
static uint32_t find(const Memo *memo, const uint64_t *row) {
  uint32_t first = first_slot(memo, row), least = first;
  for (uint32_t slot = first; slot < first + WAYS; slot++) {
    if (memo->numbers[slot] && equal(memo, slot, row)) return slot;
    if (memo->numbers[slot] < memo->numbers[least]) least = slot;
  }
  return least;
}

static void put(Memo *memo, uint32_t slot, const uint64_t *row) {
  if (!memo->numbers[slot]) memo->count++;
  if (memo->words)
    memcpy(memo->rows + (size_t)slot * memo->words, row,
           memo->words * sizeof *row);
  memo->numbers[slot] = 0;
}

static bool may_grow(const Memo *memo) {
  size_t slot = memo->words * sizeof *memo->rows + sizeof *memo->numbers;
  return memo->slots <= UINT32_MAX / 4 && memo->slots * slot * 3 < memo->memory;
}

static void grow(Memo *memo) {
  Memo old = *memo;
  allocate(memo, 2 * old.slots);
  memo->count = 0;
  for (uint32_t slot = 0; slot < old.slots; slot++) {
    if (!old.numbers[slot]) continue;
    const uint64_t *row = old.rows + (size_t)slot * memo->words;
    uint32_t to = find(memo, row);
    put(memo, to, row);
    memo->numbers[to] = old.numbers[slot];
  }
  memo_free(&old);
}

static bool crowded(const Memo *memo, uint32_t slot) {
  uint32_t share = memo->numbers[slot] ? 4 : 2;
  return memo->count >= memo->slots / share && may_grow(memo);
}

uint32_t *memo_at(Memo *memo, const uint64_t *row) {
  uint32_t slot = find(memo, row);
  if (memo->numbers[slot] && equal(memo, slot, row))
    return &memo->numbers[slot];
  if (crowded(memo, slot)) {
    grow(memo);
    slot = find(memo, row);
  }
  put(memo, slot, row);
  return &memo->numbers[slot];
}
