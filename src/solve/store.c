/* Keys are one after the other in pages. The table has a slot of 64 bits for
   each state: the upper half of the key's hash, and the number of the state
   plus one. A slot's place is given by the highest bits of the hash, so that
   the entries stay in order when the table doubles; it is probed linearly, and
   keys are compared only where 32 bits of the hash agree. */
#include "solve/store.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

enum {
  FIRST_SLOTS = 1 << 12,
  AHEAD = 32 /* keys whose slots are prefetched */
};

struct Store {
  uint32_t words;
  size_t memory;
  uint64_t *keys;
  uint64_t *slots;
  uint32_t count, most; /* states, and how many fit beside the table */
  uint32_t log;         /* slots are 1 << log */
  uint32_t room;        /* states that the table takes before it grows */
  ScopePages *key_pages, *slot_pages;
};

static uint64_t hash_of(const Store *store, const uint64_t *key) {
  uint64_t hash = hash_mix(key[0] + 0x9e3779b97f4a7c15u);
  for (uint32_t i = 1; i < store->words; i++) hash = hash_pair(hash, key[i]);
  return hash;
}

static uint64_t *key_at(const Store *store, uint32_t number) {
  return store->keys + (size_t)number * store->words;
}

/* ---- the table ---- */

static void set_room(Store *store) {
  size_t slots = (size_t)1 << store->log;
  size_t bytes = slots * sizeof *store->slots;
  size_t keys = store->memory > bytes ? store->memory - bytes : 0;
  size_t most = keys / (store->words * sizeof *store->keys);
  store->most = most < STORE_FRESH ? (uint32_t)most : STORE_FRESH - 1;
  store->room =
      (uint32_t)(slots / 4 * 3 < store->most ? slots / 4 * 3 : store->most);
}

static size_t place_of(const Store *store, uint64_t hash) {
  return hash >> (64 - store->log);
}

static void put(Store *store, uint64_t slot) {
  size_t mask = ((size_t)1 << store->log) - 1;
  size_t at = place_of(store, slot);
  while (store->slots[at]) at = (at + 1) & mask;
  store->slots[at] = slot;
}

/* Doubles the table if old and new one fit in beside the keys; returns false if
   they do not, or there are no pages. */
static bool grow(Store *store) {
  size_t slots = (size_t)1 << store->log;
  size_t keys = (size_t)store->count * store->words * sizeof *store->keys;
  if (store->log >= 32 ||
      keys + 3 * slots * sizeof *store->slots > store->memory)
    return false;
  ScopePages *pages = memory_pages_new(2 * slots * sizeof *store->slots);
  if (!pages) return false;
  ScopePages *old = store->slot_pages;
  uint64_t *from = store->slots;
  store->slot_pages = pages;
  store->slots = pages->address;
  store->log++;
  for (size_t i = 0; i < slots; i++)
    if (from[i]) put(store, from[i]);
  memory_pages_delete(old);
  set_room(store);
  return true;
}

/* ---- making ---- */

Store *store_new(uint32_t words, size_t memory) {
  Store *store = memory_new(sizeof *store);
  *store = (Store){.words = words, .memory = memory};
  while ((size_t)1 << store->log < FIRST_SLOTS) store->log++;
  store->key_pages = memory_pages_new(memory ? memory : 1);
  store->slot_pages =
      memory_pages_new(((size_t)1 << store->log) * sizeof *store->slots);
  if (store->key_pages && store->slot_pages) {
    store->keys = store->key_pages->address;
    store->slots = store->slot_pages->address;
    set_room(store);
  }
  return store;
}

void store_delete(Store *store) {
  if (store->key_pages) memory_pages_delete(store->key_pages);
  if (store->slot_pages) memory_pages_delete(store->slot_pages);
  memory_delete(store);
}

void store_clear(Store *store) {
  if (store->count)
    memset(store->slots, 0, ((size_t)1 << store->log) * sizeof *store->slots);
  store->count = 0;
}

/* ---- states ---- */

static bool is_at(const Store *store, uint64_t slot, const uint64_t *key) {
  return !memcmp(key_at(store, (uint32_t)slot - 1), key,
                 store->words * sizeof *key);
}

/* Returns the place of the key, or the empty one where it belongs. */
static size_t seek(const Store *store, const uint64_t *key, uint64_t hash) {
  size_t mask = ((size_t)1 << store->log) - 1;
  size_t at = place_of(store, hash);
  for (uint64_t slot; (slot = store->slots[at]); at = (at + 1) & mask)
    if (slot >> 32 == hash >> 32 && is_at(store, slot, key)) break;
  return at;
}

static uint32_t add(Store *store, const uint64_t *key, uint64_t hash,
                    bool *fresh) {
  size_t at = seek(store, key, hash);
  *fresh = false;
  if (store->slots[at]) return (uint32_t)store->slots[at] - 1;
  if (store->count >= store->room) {
    if (store->count >= store->most || !grow(store)) {
      size_t slots = (size_t)1 << store->log;
      store->room =
          (uint32_t)(slots / 8 * 7 < store->most ? slots / 8 * 7 : store->most);
      if (store->count >= store->room) return STORE_FULL;
    }
    at = seek(store, key, hash);
  }
  uint32_t number = store->count++;
  memcpy(key_at(store, number), key, store->words * sizeof *key);
  store->slots[at] = (hash & 0xffffffff00000000u) | (number + 1);
  *fresh = true;
  return number;
}

uint32_t store_add(Store *store, const uint64_t *key, bool *fresh) {
  *fresh = false;
  if (!store->slots) return STORE_FULL;
  return add(store, key, hash_of(store, key), fresh);
}

uint32_t store_find(const Store *store, const uint64_t *key) {
  if (!store->slots) return STORE_FULL;
  uint64_t slot = store->slots[seek(store, key, hash_of(store, key))];
  return slot ? (uint32_t)slot - 1 : STORE_FULL;
}

uint32_t store_add_many(Store *store, const uint64_t *keys, uint32_t count,
                        uint32_t *numbers) {
  uint64_t hashes[AHEAD];
  if (!store->slots) return 0;
  for (uint32_t i = 0; i < count + AHEAD; i++) {
    if (i >= AHEAD) {
      uint32_t old = i - AHEAD;
      bool fresh;
      uint32_t number = add(store, keys + (size_t)old * store->words,
                            hashes[old % AHEAD], &fresh);
      if (number == STORE_FULL) return old;
      numbers[old] = number | (fresh ? STORE_FRESH : 0);
    }
    if (i >= count) continue;
    uint64_t hash = hash_of(store, keys + (size_t)i * store->words);
    hashes[i % AHEAD] = hash;
    __builtin_prefetch(&store->slots[place_of(store, hash)]);
  }
  return count;
}

uint32_t store_count(const Store *store) {
  return store->count;
}

const uint64_t *store_key(const Store *store, uint32_t number) {
  return key_at(store, number);
}
