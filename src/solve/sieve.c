/* Four tables, by the length of keys:

     up to 29 bits   a set, with a bit for each possible key
     up to 40        what the place does not say of a hash that is a permutation
                     of the keys, in lines of sixteen slots of 32 bits: such an
                     entry stands for its key. It has its highest bit set, and
                     after its part of the hash the number of lines that it is
                     behind its own
     up to 63        the keys plus one, in lines of eight slots
     longer          half of the hash and the place in the list, in slots with
                     linear probing

   Lines are those of the cache. They fill from the left; a key is in the line
   that its hash names, or if that is full in one of the next. Free slots are 0.

   Slots are prefetched some keys ahead; pages are large ones where the system
   has them, which saves most misses of the address translation. */
#include "solve/sieve.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "base/bits.h"

enum {
  MOST_SET_BITS = 29, /* of keys for a set: 64 MiB */
  FIRST_LOG = 12,
  LINE = 8, /* words */
  MOST_SHORT_BITS = 40,
  BEHIND_BITS = 3, /* of the number of lines that an entry is behind */
  AHEAD = 16,
  CHUNK = 512 /* keys that are put into a new table at a time */
};

static const uint32_t occupied = 0x80000000u;

typedef enum { SIEVE_SET, SIEVE_SHORT, SIEVE_KEYS, SIEVE_TAGS } SieveKind;

struct Sieve {
  SieveKind kind;
  uint32_t words, bits; /* of a key */
  size_t memory;
  uint64_t *keys, *slots;
  uint32_t count, most; /* in the list, and how many fit in */
  uint32_t known;       /* the list's keys from here on are */
  uint32_t room;        /* known keys that the table takes before it grows */
  uint32_t log;         /* of the number of words of the table */
  bool full, avx2;
  ScopePages *key_pages, *slot_pages;
};

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
  size_t room = sieve->kind == SIEVE_SET     ? UINT32_MAX
                : sieve->kind == SIEVE_SHORT ? slots / 2 * 3
                                             : slots / 8 * 5;
  sieve->room = room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
}

/* ---- making ---- */

static void choose_kind(Sieve *sieve, const Packing *packing) {
  uint32_t bits = packing->used[0];
  sieve->words = packing->words;
  sieve->bits = bits;
  sieve->kind = SIEVE_TAGS;
  sieve->log = FIRST_LOG;
  if (packing->words > 1 || bits > 63) return;
  sieve->kind = SIEVE_KEYS;
  if (bits <= MOST_SET_BITS && ((size_t)1 << bits) / 8 <= sieve->memory / 4) {
    sieve->kind = SIEVE_SET;
    sieve->log = bits > 6 ? bits - 6 : 0;
    return;
  }
  uint32_t least = bits + BEHIND_BITS + 3 - 31; /* an entry has 31 bits */
  if (bits > MOST_SHORT_BITS || (size_t)32 << least > sieve->memory) return;
  sieve->kind = SIEVE_SHORT;
  if (least > FIRST_LOG) sieve->log = least;
}

Sieve *sieve_new(const Packing *packing, size_t memory) {
  Sieve *sieve = memory_new(sizeof *sieve);
  sieve->memory = memory;
  sieve->avx2 = isa_available(ISA_AVX2);
  choose_kind(sieve, packing);
  set_limits(sieve);
  if (sieve->most)
    sieve->keys = memory_large_pages_new(sieve->most * key_bytes(sieve),
                                         &sieve->key_pages);
  sieve->slots = memory_large_pages_new(table_bytes(sieve), &sieve->slot_pages);
  if (sieve->key_pages && sieve->slot_pages) return sieve;
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

/* A permutation of the numbers of so many bits. */
static uint64_t permute(uint64_t key, uint32_t bits) {
  uint64_t mask = bits_of(bits) - 1;
  key = key * 0x9e3779b97f4a7c15u & mask;
  return (key ^ key >> bits / 2) * 0xd6e8feb86659fd93u & mask;
}

/* The line of a key, as the number of its first slot. */
static uint32_t line_of(uint64_t key, uint32_t shift) {
  return (uint32_t)(hash_word(key) >> shift) & ~(uint32_t)(LINE - 1);
}

/* ---- adding ---- */

static uint32_t add_to_set(Sieve *sieve, const uint64_t *keys, uint32_t count,
                           uint16_t *fresh) {
  uint64_t *set = sieve->slots, *to = sieve->keys + sieve->count;
  uint32_t added = 0;
  for (uint32_t i = 0; i < count && i < 2 * AHEAD; i++)
    __builtin_prefetch(&set[keys[i] >> 6], 1);
  for (uint32_t i = 0; i < count; i++) {
    if (i + 2 * AHEAD < count)
      __builtin_prefetch(&set[keys[i + 2 * AHEAD] >> 6], 1);
    uint64_t key = keys[i], *word = &set[key >> 6], old = *word;
    *word = old | bits_of(key);
    to[added] = key;
    fresh[added] = (uint16_t)i;
    added += !(old >> (key & 63) & 1);
  }
  return added;
}

/* The slot that has an entry, or else the first empty one; without a branch,
   since which of them it is cannot be predicted. */
static inline uint32_t choose(uint32_t same, uint32_t empty) {
  uint32_t none = (uint32_t)(same != 0) - 1;
  return (uint32_t)__builtin_ctz(same | (empty & none));
}

/* Looks for an entry in a line: bits of the slots that have it, and of empty
   ones. */
static uint32_t probe(const uint64_t *line, uint64_t entry, uint32_t *empty) {
  uint32_t same = 0;
  *empty = 0;
  for (uint32_t i = 0; i < LINE; i++) {
    same |= (uint32_t)(line[i] == entry) << i;
    *empty |= (uint32_t)!line[i] << i;
  }
  return same;
}

static uint32_t add_keys(Sieve *sieve, const uint64_t *keys, uint32_t count,
                         uint16_t *fresh) {
  uint64_t *slots = sieve->slots, *to = sieve->keys + sieve->count;
  uint32_t mask = (uint32_t)(((size_t)1 << sieve->log) - 1), empty;
  uint32_t added = 0, shift = 64 - sieve->log, lines[2][AHEAD];
  for (uint32_t from = 0; from < count + AHEAD; from += AHEAD) {
    uint32_t *next = lines[from / AHEAD % 2], *now = lines[!(from / AHEAD % 2)];
    for (uint32_t i = from; i < count && i < from + AHEAD; i++) {
      next[i - from] = line_of(keys[i], shift);
      __builtin_prefetch(&slots[next[i - from]], 1);
    }
    for (uint32_t i = from - AHEAD; from && i < count && i < from; i++) {
      uint64_t key = keys[i];
      uint32_t at = now[i + AHEAD - from], same;
      while (!((same = probe(slots + at, key + 1, &empty)) | empty))
        at = (at + LINE) & mask;
      slots[at + choose(same, empty)] = key + 1;
      to[added] = key;
      fresh[added] = (uint16_t)i;
      added += !same;
    }
  }
  return added;
}

/* The same for a line of short entries. */
static uint32_t probe_short(const uint32_t *line, uint32_t entry,
                            uint32_t *empty) {
  uint32_t same = 0;
  *empty = 0;
  for (uint32_t i = 0; i < 2 * LINE; i++) {
    same |= (uint32_t)(line[i] == entry) << i;
    *empty |= (uint32_t)!line[i] << i;
  }
  return same;
}

/* `done`: the keys dealt with; fewer than `count` if one has no place near its
   line. */
static uint32_t add_short(Sieve *sieve, const uint64_t *keys, uint32_t count,
                          uint16_t *fresh, uint32_t *done) {
  uint32_t *slots = (uint32_t *)sieve->slots;
  uint64_t *to = sieve->keys + sieve->count;
  uint32_t bits = sieve->bits, rest = bits + 3 - sieve->log, empty;
  uint32_t mask = (uint32_t)(((size_t)2 << sieve->log) - 1), added = 0;
  uint32_t step = (uint32_t)1 << rest, limit = step << BEHIND_BITS;
  uint32_t lines[2][AHEAD], entries[2][AHEAD];
  for (uint32_t from = 0; from < count + AHEAD; from += AHEAD) {
    uint32_t next = from / AHEAD % 2, now = !next;
    for (uint32_t i = from; i < count && i < from + AHEAD; i++) {
      uint64_t hash = permute(keys[i], bits);
      entries[next][i - from] = (uint32_t)hash & (step - 1);
      lines[next][i - from] = (uint32_t)(hash >> rest) * 2 * LINE;
      __builtin_prefetch(&slots[lines[next][i - from]], 1);
    }
    for (uint32_t i = from - AHEAD; from && i < count && i < from; i++) {
      uint32_t at = lines[now][i + AHEAD - from], same;
      uint32_t entry = entries[now][i + AHEAD - from];
      while (!((same = probe_short(slots + at, entry | occupied, &empty)) |
               empty)) {
        at = (at + 2 * LINE) & mask;
        entry += step;
        if (entry < limit) continue;
        *done = i;
        return added;
      }
      slots[at + choose(same, empty)] = entry | occupied;
      to[added] = keys[i];
      fresh[added] = (uint16_t)i;
      added += !same;
    }
  }
  *done = count;
  return added;
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2")))

static inline AVX2 uint32_t probe_avx2(const uint64_t *line, uint64_t entry,
                                       uint32_t *empty) {
  const __m256i *half = (const __m256i *)line;
  __m256i a = _mm256_load_si256(half), b = _mm256_load_si256(half + 1);
  __m256i wanted = _mm256_set1_epi64x((long long)entry);
  __m256i zero = _mm256_setzero_si256();
  __m256d same_a = _mm256_castsi256_pd(_mm256_cmpeq_epi64(a, wanted));
  __m256d same_b = _mm256_castsi256_pd(_mm256_cmpeq_epi64(b, wanted));
  __m256d zero_a = _mm256_castsi256_pd(_mm256_cmpeq_epi64(a, zero));
  __m256d zero_b = _mm256_castsi256_pd(_mm256_cmpeq_epi64(b, zero));
  *empty =
      (uint32_t)(_mm256_movemask_pd(zero_a) | _mm256_movemask_pd(zero_b) << 4);
  return (uint32_t)(_mm256_movemask_pd(same_a) | _mm256_movemask_pd(same_b)
                                                     << 4);
}

/* The same as add_keys. */
static AVX2 uint32_t add_keys_avx2(Sieve *sieve, const uint64_t *keys,
                                   uint32_t count, uint16_t *fresh) {
  uint64_t *slots = sieve->slots, *to = sieve->keys + sieve->count;
  uint32_t mask = (uint32_t)(((size_t)1 << sieve->log) - 1), empty;
  uint32_t added = 0, shift = 64 - sieve->log, lines[2][AHEAD];
  for (uint32_t from = 0; from < count + AHEAD; from += AHEAD) {
    uint32_t *next = lines[from / AHEAD % 2], *now = lines[!(from / AHEAD % 2)];
    for (uint32_t i = from; i < count && i < from + AHEAD; i++) {
      next[i - from] = line_of(keys[i], shift);
      __builtin_prefetch(&slots[next[i - from]], 1);
    }
    for (uint32_t i = from - AHEAD; from && i < count && i < from; i++) {
      uint64_t key = keys[i];
      uint32_t at = now[i + AHEAD - from], same;
      while (!((same = probe_avx2(slots + at, key + 1, &empty)) | empty))
        at = (at + LINE) & mask;
      slots[at + choose(same, empty)] = key + 1;
      to[added] = key;
      fresh[added] = (uint16_t)i;
      added += !same;
    }
  }
  return added;
}

static inline AVX2 uint32_t probe_short_avx2(const uint32_t *line,
                                             uint32_t entry, uint32_t *empty) {
  const __m256i *half = (const __m256i *)line;
  __m256i a = _mm256_load_si256(half), b = _mm256_load_si256(half + 1);
  __m256i wanted = _mm256_set1_epi32((int)entry);
  __m256 same_a = _mm256_castsi256_ps(_mm256_cmpeq_epi32(a, wanted));
  __m256 same_b = _mm256_castsi256_ps(_mm256_cmpeq_epi32(b, wanted));
  /* entries have the highest bit set */
  int used_a = _mm256_movemask_ps(_mm256_castsi256_ps(a));
  int used_b = _mm256_movemask_ps(_mm256_castsi256_ps(b));
  *empty = (uint32_t)(used_a | used_b << 8) ^ 0xffff;
  return (uint32_t)(_mm256_movemask_ps(same_a) | _mm256_movemask_ps(same_b)
                                                     << 8);
}

/* The same as add_short. */
static AVX2 uint32_t add_short_avx2(Sieve *sieve, const uint64_t *keys,
                                    uint32_t count, uint16_t *fresh,
                                    uint32_t *done) {
  uint32_t *slots = (uint32_t *)sieve->slots;
  uint64_t *to = sieve->keys + sieve->count;
  uint32_t bits = sieve->bits, rest = bits + 3 - sieve->log, empty;
  uint32_t mask = (uint32_t)(((size_t)2 << sieve->log) - 1), added = 0;
  uint32_t step = (uint32_t)1 << rest, limit = step << BEHIND_BITS;
  uint32_t lines[2][AHEAD], entries[2][AHEAD];
  for (uint32_t from = 0; from < count + AHEAD; from += AHEAD) {
    uint32_t next = from / AHEAD % 2, now = !next;
    for (uint32_t i = from; i < count && i < from + AHEAD; i++) {
      uint64_t hash = permute(keys[i], bits);
      entries[next][i - from] = (uint32_t)hash & (step - 1);
      lines[next][i - from] = (uint32_t)(hash >> rest) * 2 * LINE;
      __builtin_prefetch(&slots[lines[next][i - from]], 1);
    }
    for (uint32_t i = from - AHEAD; from && i < count && i < from; i++) {
      uint32_t at = lines[now][i + AHEAD - from], same;
      uint32_t entry = entries[now][i + AHEAD - from];
      while (!((same = probe_short_avx2(slots + at, entry | occupied, &empty)) |
               empty)) {
        at = (at + 2 * LINE) & mask;
        entry += step;
        if (entry < limit) continue;
        *done = i;
        return added;
      }
      slots[at + choose(same, empty)] = entry | occupied;
      to[added] = keys[i];
      fresh[added] = (uint16_t)i;
      added += !same;
    }
  }
  *done = count;
  return added;
}
#else
static uint32_t add_keys_avx2(Sieve *sieve, const uint64_t *keys,
                              uint32_t count, uint16_t *fresh) {
  return add_keys(sieve, keys, count, fresh);
}
static uint32_t add_short_avx2(Sieve *sieve, const uint64_t *keys,
                               uint32_t count, uint16_t *fresh,
                               uint32_t *done) {
  return add_short(sieve, keys, count, fresh, done);
}
#endif

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

/* Adds keys to the table as it is; `done` gets how many were dealt with. */
static uint32_t add(Sieve *sieve, const uint64_t *keys, uint32_t count,
                    uint16_t *fresh, uint32_t *done) {
  uint32_t added = 0;
  *done = count;
  switch (sieve->kind) {
  case SIEVE_SET: added = add_to_set(sieve, keys, count, fresh); break;
  case SIEVE_SHORT:
    added = (sieve->avx2 ? add_short_avx2 : add_short)(sieve, keys, count,
                                                       fresh, done);
    break;
  case SIEVE_KEYS:
    added = (sieve->avx2 ? add_keys_avx2 : add_keys)(sieve, keys, count, fresh);
    break;
  case SIEVE_TAGS: added = add_tags(sieve, keys, count, fresh); break;
  }
  sieve->count += added;
  return added;
}

/* ---- growth ---- */

/* Puts the known keys into an empty table. Returns false if a line is too
   crowded. */
static bool refill(Sieve *sieve) {
  uint32_t end = sieve->count, done;
  uint16_t fresh[CHUNK];
  sieve->count = sieve->known;
  while (sieve->count < end) {
    uint32_t rest = end - sieve->count, chunk = rest < CHUNK ? rest : CHUNK;
    add(sieve, sieve_key(sieve, sieve->count), chunk, fresh, &done);
    if (done < chunk) break;
  }
  bool all = sieve->count == end;
  sieve->count = end;
  return all;
}

/* Doubles the table. Returns false if there is no room for the old and the new
   one beside the list; the old one stays then. */
static bool double_table(Sieve *sieve) {
  size_t list = sieve->count * key_bytes(sieve), table = table_bytes(sieve);
  ScopePages *old = sieve->slot_pages, *pages;
  if (sieve->log >= 31 || list + 3 * table > sieve->memory) return false;
  uint64_t *slots = memory_large_pages_new(2 * table, &pages);
  if (!slots) return false;
  sieve->slot_pages = pages;
  sieve->slots = slots;
  sieve->log++;
  memory_pages_delete(old);
  set_limits(sieve);
  return refill(sieve) || double_table(sieve);
}

/* Makes room for `more` keys. A table that cannot grow is filled further. */
static bool grow(Sieve *sieve, uint32_t more) {
  size_t wanted = (size_t)(sieve->count - sieve->known) + more;
  while (wanted > sieve->room) {
    size_t slots =
        ((size_t)1 << sieve->log) * (sieve->kind == SIEVE_SHORT ? 2 : 1);
    if (double_table(sieve)) continue;
    sieve->room = (uint32_t)(slots / 16 * 15);
    return wanted <= sieve->room;
  }
  return true;
}

uint32_t sieve_add(Sieve *sieve, const uint64_t *keys, uint32_t count,
                   uint16_t *fresh) {
  uint32_t added = 0, from = 0, done;
  if (!grow(sieve, count) || sieve->most < sieve->count ||
      sieve->most - sieve->count < count)
    sieve->full = true;
  while (!sieve->full && from < count) {
    uint32_t more = add(sieve, keys + (size_t)from * sieve->words, count - from,
                        fresh + added, &done);
    for (uint32_t i = 0; from && i < more; i++)
      fresh[added + i] = (uint16_t)(fresh[added + i] + from);
    added += more;
    from += done;
    if (from < count) sieve->full = !double_table(sieve);
  }
  return added;
}

/* ---- sizes ---- */

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
