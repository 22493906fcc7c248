/* Three tables. Keys of few bits: a set with a bit for each possible key. Other
   keys of one word: the keys themselves plus one, 0 for none, in open
   addressing with linear probing. Longer keys: half of the hash and the place
   in the list. The places of tables are given by the highest bits of hashes, so
   that doubling one keeps the order of its entries.

   Slots are prefetched some keys ahead; pages are large ones where the system
   has them, which saves most misses of the address translation. */
#include "solve/sieve.h"

#include <sys/mman.h>

#include "base/bits.h"
#include "base/hash.h"

enum {
  MOST_SET_BITS = 29, /* of keys for a set: 64 MiB */
  FIRST_LOG = 12,
  AHEAD = 16,
  HUGE_PAGE = 1 << 21
};

typedef enum { SIEVE_SET, SIEVE_KEYS, SIEVE_TAGS } SieveKind;

struct Sieve {
  SieveKind kind;
  uint32_t words;
  size_t memory;
  uint64_t *keys, *slots;
  uint32_t count, most; /* in the list, and how many fit in */
  uint32_t known;       /* the list's keys from here on are */
  uint32_t room;        /* known keys that the table takes before it grows */
  uint32_t log;         /* of the number of slots; of words, in a set */
  bool full;
  ScopePages *key_pages, *slot_pages;
};

/* ---- pages ---- */

static ScopePages *pages_new(size_t size) {
  ScopePages *pages = memory_pages_new(size);
  if (!pages) return NULL;
  uintptr_t first =
      ((uintptr_t)pages->address + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
  uintptr_t end = (uintptr_t)pages->address + pages->size;
  if (first < end) madvise((void *)first, end - first, MADV_HUGEPAGE);
  return pages;
}

static size_t table_bytes(const Sieve *sieve) {
  return ((size_t)1 << sieve->log) * sizeof *sieve->slots;
}

static size_t key_bytes(const Sieve *sieve) {
  return sieve->words * sizeof *sieve->keys;
}

/* The list may grow to what the table leaves. */
static void set_limits(Sieve *sieve) {
  size_t table = table_bytes(sieve), slots = (size_t)1 << sieve->log;
  size_t most =
      (sieve->memory > table ? sieve->memory - table : 0) / key_bytes(sieve);
  sieve->most = most < UINT32_MAX - 1 ? (uint32_t)most : UINT32_MAX - 1;
  size_t room = sieve->kind == SIEVE_SET ? UINT32_MAX : slots / 8 * 5;
  sieve->room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
}

/* ---- making ---- */

static void choose_kind(Sieve *sieve, const Packing *packing) {
  uint32_t bits = packing->used[0];
  sieve->words = packing->words;
  sieve->kind = SIEVE_TAGS;
  sieve->log = FIRST_LOG;
  if (packing->words > 1 || bits > 63) return;
  sieve->kind = SIEVE_KEYS;
  if (bits > MOST_SET_BITS || ((size_t)1 << bits) / 8 > sieve->memory / 4)
    return;
  sieve->kind = SIEVE_SET;
  sieve->log = bits > 6 ? bits - 6 : 0;
}

Sieve *sieve_new(const Packing *packing, size_t memory) {
  Sieve *sieve = memory_new(sizeof *sieve);
  sieve->memory = memory;
  choose_kind(sieve, packing);
  set_limits(sieve);
  if (sieve->most) sieve->key_pages = pages_new(sieve->most * key_bytes(sieve));
  sieve->slot_pages = pages_new(table_bytes(sieve));
  if (sieve->most && sieve->key_pages && sieve->slot_pages) {
    sieve->keys = sieve->key_pages->address;
    sieve->slots = sieve->slot_pages->address;
    return sieve;
  }
  sieve_delete(sieve);
  return NULL;
}

void sieve_delete(Sieve *sieve) {
  if (sieve->key_pages) memory_pages_delete(sieve->key_pages);
  if (sieve->slot_pages) memory_pages_delete(sieve->slot_pages);
  memory_delete(sieve);
}

/* A set of which little is used is cleared key by key. */
void sieve_forget(Sieve *sieve) {
  uint32_t known = sieve->count - sieve->known;
  if (sieve->kind == SIEVE_SET && known < (size_t)1 << sieve->log >> 2)
    for (uint32_t i = sieve->known; i < sieve->count; i++)
      sieve->slots[sieve->keys[i] >> 6] = 0;
  else if (known)
    memset(sieve->slots, 0, table_bytes(sieve));
  sieve->known = sieve->count;
}

void sieve_clear(Sieve *sieve) {
  sieve_forget(sieve);
  sieve->count = sieve->known = 0;
  sieve->full = false;
}

/* ---- hashes ---- */

/* The highest bits depend on all bits of the key. */
static uint64_t hash_word(uint64_t key) {
  key *= 0x9e3779b97f4a7c15u;
  return (key ^ key >> 32) * 0xd6e8feb86659fd93u;
}

static uint64_t hash_key(const uint64_t *key, uint32_t words) {
  uint64_t hash = hash_word(key[0]);
  for (uint32_t i = 1; i < words; i++) hash = hash_word(hash ^ key[i]) + hash;
  return hash;
}

/* Of a slot of keys or tags. */
static uint64_t hash_of_slot(const Sieve *sieve, uint64_t slot) {
  return sieve->kind == SIEVE_KEYS ? hash_word(slot - 1) : slot;
}

/* ---- growth ---- */

static void put(Sieve *sieve, uint64_t slot) {
  size_t mask = ((size_t)1 << sieve->log) - 1;
  size_t at = hash_of_slot(sieve, slot) >> (64 - sieve->log);
  while (sieve->slots[at]) at = (at + 1) & mask;
  sieve->slots[at] = slot;
}

/* Makes room for `more` keys. The old and the new table have to fit in beside
   the list; a table that cannot grow is filled further. */
static bool grow(Sieve *sieve, uint32_t more) {
  while (sieve->count - sieve->known + (size_t)more > sieve->room) {
    size_t slots = (size_t)1 << sieve->log;
    size_t list = sieve->count * key_bytes(sieve);
    ScopePages *pages = NULL, *old = sieve->slot_pages;
    if (sieve->log < 32 && list + 3 * table_bytes(sieve) <= sieve->memory)
      pages = pages_new(2 * table_bytes(sieve));
    if (!pages) {
      bool was = sieve->room >= slots / 16 * 15;
      sieve->room = (uint32_t)(slots / 16 * 15);
      if (was) return false;
      continue;
    }
    uint64_t *from = sieve->slots;
    sieve->slot_pages = pages;
    sieve->slots = pages->address;
    sieve->log++;
    for (size_t i = 0; i < slots; i++)
      if (from[i]) put(sieve, from[i]);
    memory_pages_delete(old);
    set_limits(sieve);
  }
  return true;
}

/* ---- adding ---- */

static uint32_t add_to_set(Sieve *sieve, const uint64_t *keys, uint32_t count,
                           uint16_t *fresh) {
  uint64_t *set = sieve->slots, *to = sieve->keys + sieve->count;
  uint32_t added = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (i + AHEAD < count) __builtin_prefetch(&set[keys[i + AHEAD] >> 6], 1);
    uint64_t key = keys[i], *word = &set[key >> 6], old = *word;
    *word = old | bits_of(key & 63);
    to[added] = key;
    fresh[added] = (uint16_t)i;
    added += !(old >> (key & 63) & 1);
  }
  return added;
}

static uint32_t add_keys(Sieve *sieve, const uint64_t *keys, uint32_t count,
                         uint16_t *fresh) {
  uint64_t *slots = sieve->slots, *to = sieve->keys + sieve->count;
  uint32_t added = 0, shift = 64 - sieve->log, places[AHEAD];
  uint32_t mask = (uint32_t)(((size_t)1 << sieve->log) - 1);
  for (uint32_t i = 0; i < count + AHEAD; i++) {
    if (i >= AHEAD) {
      uint64_t key = keys[i - AHEAD], slot;
      uint32_t at = places[i % AHEAD];
      while ((slot = slots[at]) && slot != key + 1) at = (at + 1) & mask;
      slots[at] = key + 1;
      to[added] = key;
      fresh[added] = (uint16_t)(i - AHEAD);
      added += !slot;
    }
    if (i >= count) continue;
    places[i % AHEAD] = (uint32_t)(hash_word(keys[i]) >> shift);
    __builtin_prefetch(&slots[places[i % AHEAD]], 1);
  }
  return added;
}

static bool is_same(const uint64_t *a, const uint64_t *b, uint32_t words) {
  uint64_t differ = 0;
  for (uint32_t i = 0; i < words; i++) differ |= a[i] ^ b[i];
  return !differ;
}

/* Puts a key in if it is not there. */
static bool add_tag(Sieve *sieve, const uint64_t *key, uint64_t hash,
                    uint32_t number) {
  uint32_t mask = (uint32_t)(((size_t)1 << sieve->log) - 1);
  uint32_t at = (uint32_t)(hash >> (64 - sieve->log)), words = sieve->words;
  for (uint64_t slot; (slot = sieve->slots[at]); at = (at + 1) & mask)
    if (slot >> 32 == hash >> 32 &&
        is_same(sieve->keys + ((uint32_t)slot - 1) * (size_t)words, key, words))
      return false;
  sieve->slots[at] = (hash & 0xffffffff00000000u) | (number + 1);
  uint64_t *to = sieve->keys + number * (size_t)words;
  for (uint32_t i = 0; i < words; i++) to[i] = key[i];
  return true;
}

/* In three steps: the slot is prefetched, then the key that it names if the
   tags agree, then they are compared. */
static uint32_t add_tags(Sieve *sieve, const uint64_t *keys, uint32_t count,
                         uint16_t *fresh) {
  uint64_t hashes[2 * AHEAD];
  uint32_t added = 0, shift = 64 - sieve->log, words = sieve->words;
  for (uint32_t i = 0; i < count + 2 * AHEAD; i++) {
    if (i >= 2 * AHEAD) {
      uint32_t old = i - 2 * AHEAD;
      fresh[added] = (uint16_t)old;
      added += add_tag(sieve, keys + old * (size_t)words,
                       hashes[i % (2 * AHEAD)], sieve->count + added);
    }
    if (i < count) {
      uint64_t hash = hash_key(keys + i * (size_t)words, words);
      hashes[i % (2 * AHEAD)] = hash;
      __builtin_prefetch(&sieve->slots[hash >> shift], 1);
    }
    if (i >= AHEAD && i - AHEAD < count) {
      uint64_t hash = hashes[(i - AHEAD) % (2 * AHEAD)];
      uint64_t slot = sieve->slots[hash >> shift];
      if (slot && slot >> 32 == hash >> 32)
        __builtin_prefetch(sieve->keys + ((uint32_t)slot - 1) * (size_t)words);
    }
  }
  return added;
}

uint32_t sieve_add(Sieve *sieve, const uint64_t *keys, uint32_t count,
                   uint16_t *fresh) {
  if (sieve->most - sieve->count < count || !grow(sieve, count) ||
      sieve->most - sieve->count < count) {
    sieve->full = true;
    return 0;
  }
  uint32_t added =
      sieve->kind == SIEVE_SET    ? add_to_set(sieve, keys, count, fresh)
      : sieve->kind == SIEVE_KEYS ? add_keys(sieve, keys, count, fresh)
                                  : add_tags(sieve, keys, count, fresh);
  sieve->count += added;
  return added;
}

/* ---- */

bool sieve_full(const Sieve *sieve) {
  return sieve->full;
}

uint32_t sieve_count(const Sieve *sieve) {
  return sieve->count;
}

const uint64_t *sieve_key(const Sieve *sieve, uint32_t number) {
  return sieve->keys + number * (size_t)sieve->words;
}

size_t sieve_bytes(const Sieve *sieve) {
  return sieve->count * key_bytes(sieve) + table_bytes(sieve);
}
