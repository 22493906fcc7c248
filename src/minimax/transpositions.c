#include "minimax/transpositions.h"

/* Data: 20 bits of the score, 8 of the depth, 2 of the bound, 6 of the age, 27
   of the move, 1 that is always set. */
enum { ENTRIES = 4, BUCKET_WORDS = 8, BUCKETS_LEAST = 1 << 12 };

static const Score score_offset = 1 << 19;

static uint64_t pack(const Transposition *entry, uint32_t age) {
  return (uint64_t)(uint32_t)(entry->score + score_offset) |
         (uint64_t)entry->depth << 20 | (uint64_t)entry->bound << 28 |
         (uint64_t)age << 30 | (uint64_t)entry->move << 36 | (uint64_t)1 << 63;
}

static Transposition unpack(uint64_t data) {
  return (Transposition){.score = (Score)(data & 0xfffff) - score_offset,
                         .depth = data >> 20 & 0xff,
                         .bound = (Bound)(data >> 28 & 3),
                         .move = (Move)(data >> 36 & (TABLE_MOVES - 1))};
}

static uint64_t load(const _Atomic uint64_t *word) {
  return atomic_load_explicit(word, memory_order_relaxed);
}
static void put(_Atomic uint64_t *word, uint64_t value) {
  atomic_store_explicit(word, value, memory_order_relaxed);
}

/* Keys are sums of random numbers, and good in all bits. */
static _Atomic uint64_t *bucket_of(const Transpositions *table, uint64_t key) {
  return table->words + (key & (table->buckets - 1)) * BUCKET_WORDS;
}

static _Atomic uint64_t *new_words(uint64_t buckets) {
  return memory_new_aligned(buckets * BUCKET_WORDS * sizeof(uint64_t));
}

void transpositions_limit(Transpositions *table, size_t bytes) {
  table->most = table->buckets;
  /* Growing needs the old and the new words at once. */
  while (table->most * 3 * BUCKET_WORDS * sizeof(uint64_t) <= bytes)
    table->most *= 2;
}

void transpositions_init(Transpositions *table, size_t bytes) {
  *table = (Transpositions){.buckets = BUCKETS_LEAST};
  transpositions_limit(table, bytes);
  table->words = new_words(table->buckets);
}

void transpositions_free(Transpositions *table) {
  memory_delete((void *)table->words);
}

void transpositions_forget(Transpositions *table) {
  table->salt = table->salt * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
}

void transpositions_begin(Transpositions *table) {
  table->age = (table->age + 1) & 63;
}

bool transpositions_find(const Transpositions *table, uint64_t key,
                         Transposition *entry) {
  key ^= table->salt;
  const _Atomic uint64_t *bucket = bucket_of(table, key);
  for (uint32_t i = 0; i < ENTRIES; i++) {
    uint64_t data = load(bucket + 2 * i + 1);
    if (!data || (load(bucket + 2 * i) ^ data) != key) continue;
    *entry = unpack(data);
    return true;
  }
  return false;
}

/* What an entry is worth: deep ones of this thinking the most. */
static int worth(const Transpositions *table, uint64_t data) {
  uint32_t age = (table->age - (uint32_t)(data >> 30)) & 63;
  return (int)(data >> 20 & 0xff) - 8 * (int)age;
}

static void store(Transpositions *table, uint64_t key, uint64_t data) {
  _Atomic uint64_t *bucket = bucket_of(table, key);
  uint32_t place = 0;
  int least = 1 << 20;
  for (uint32_t i = 0; i < ENTRIES; i++) {
    uint64_t old = load(bucket + 2 * i + 1);
    if (!old || (load(bucket + 2 * i) ^ old) == key) {
      if (!old)
        atomic_fetch_add_explicit(&table->filled, 1, memory_order_relaxed);
      place = i;
      break;
    }
    int value = worth(table, old);
    if (value < least) least = value, place = i;
  }
  put(bucket + 2 * place, key ^ data);
  put(bucket + 2 * place + 1, data);
}

void transpositions_store(Transpositions *table, uint64_t key,
                          const Transposition *entry) {
  store(table, key ^ table->salt, pack(entry, table->age));
}

static void resize(Transpositions *table, uint64_t buckets) {
  uint64_t old_buckets = table->buckets;
  _Atomic uint64_t *old = table->words;
  table->buckets = buckets;
  table->words = new_words(buckets);
  atomic_store(&table->filled, 0);
  for (uint64_t i = 0; i < old_buckets * ENTRIES; i++) {
    uint64_t data = load(old + 2 * i + 1);
    if (data) store(table, load(old + 2 * i) ^ data, data);
  }
  memory_delete((void *)old);
}

void transpositions_grow(Transpositions *table, uint64_t wanted) {
  uint64_t filled = atomic_load(&table->filled), buckets = table->buckets;
  bool narrow = filled >= buckets * ENTRIES / 2;
  if (narrow && wanted < filled * 8) wanted = filled * 8;
  while (buckets < table->most && buckets * ENTRIES < wanted) buckets *= 2;
  if (buckets > table->buckets) resize(table, buckets);
}
