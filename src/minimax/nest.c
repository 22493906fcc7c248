/* A half is an open table with linear probing, at most half full. What is not
   needed of it is not touched: pages that are used for the first time cost more
   than what is put there, and large tables more cache than small ones. A slot's key
   is written last, and never changes until the table is cleared: whoever sees
   the key sees the brood. Key 0 means that the slot is empty, so a node with
   that key is never there.

   A reader first says that it looks, then asks whether a half is open; whoever
   empties a half first closes it, then waits until no reader looks. So either
   the reader finds it closed, or it is waited for (Dekker's way, which needs
   the one order of all such loads and stores). */
#include "minimax/nest.h"

#include <sched.h>
#include <string.h>

#include "base/memory.h"

/* Of nodes of which only the attacks are known, which are there besides whole
   ones of the same key. */
static const uint64_t attacks_salt = 0xc2b2ae3d27d4eb4f;

typedef struct Slot {
  _Atomic uint64_t key;
  NestBrood brood;
} Slot;

enum { HALVES = 2, FIRST_ROOM = 1 << 16 };

typedef struct Half {
  Slot *slots;
  uint64_t mask; /* slots in use are a power of two, less one */
  uint32_t room; /* nodes */
  atomic_uint count;
  atomic_bool open;
} Half;

/* On a line of the cache of its own. */
typedef struct Reader {
  atomic_bool looks;
  char rest[63];
} Reader;

struct Nest {
  Half halves[HALVES];
  ScopePages *pages; /* of all slots */
  Reader *readers;
  atomic_uint newer; /* half */
  uint32_t most;     /* nodes of a half */
};

static uint64_t slots_for(uint32_t nodes) {
  uint64_t slots = 2;
  while (slots < 2 * (uint64_t)nodes) slots *= 2;
  return slots;
}

static void set_room(Half *half, uint32_t nodes) {
  half->room = nodes;
  half->mask = slots_for(nodes) - 1;
}

Nest *nest_new(uint32_t nodes) {
  uint64_t slots = slots_for(nodes);
  ScopePages *pages;
  Slot *first = memory_large_pages_new(HALVES * slots * sizeof *first, &pages);
  if (!first) return NULL;
  Nest *nest = memory_new(sizeof *nest);
  nest->pages = pages;
  nest->most = nodes;
  for (uint32_t i = 0; i < HALVES; i++) {
    Half *half = &nest->halves[i];
    half->slots = first + i * slots;
    set_room(half, nodes < FIRST_ROOM ? nodes : FIRST_ROOM);
    atomic_init(&half->open, true);
  }
  nest->readers = memory_new_aligned(NEST_READERS * sizeof *nest->readers);
  return nest;
}

void nest_delete(Nest *nest) {
  if (!nest) return;
  memory_pages_delete(nest->pages);
  memory_delete(nest->readers);
  memory_delete(nest);
}

/* ---- readers ---- */

void nest_enter(const Nest *nest, uint32_t reader) {
  atomic_store(&nest->readers[reader].looks, true);
}

void nest_leave(const Nest *nest, uint32_t reader) {
  atomic_store_explicit(&nest->readers[reader].looks, false,
                        memory_order_release);
}

/* Returns the slot with the key, or the empty one where it belongs. Keys are
   sums of random numbers, and good in all bits. */
static Slot *slot_of(const Half *half, uint64_t key, bool *there) {
  for (uint64_t at = key;; at++) {
    Slot *slot = &half->slots[at & half->mask];
    uint64_t found = atomic_load_explicit(&slot->key, memory_order_acquire);
    *there = found == key;
    if (*there || !found) return slot;
  }
}

bool nest_find(const Nest *nest, uint64_t key, NestBrood *brood) {
  uint32_t newer = atomic_load_explicit(&nest->newer, memory_order_relaxed);
  bool there = false;
  for (uint32_t i = 0; key && !there && i < HALVES; i++) {
    const Half *half = &nest->halves[(newer + i) % HALVES];
    if (!atomic_load(&half->open)) continue;
    const Slot *slot = slot_of(half, key, &there);
    if (there) *brood = slot->brood;
  }
  return there;
}

bool nest_find_attacks(const Nest *nest, uint64_t key, NestBrood *brood) {
  return nest_find(nest, key, brood) ||
         nest_find(nest, key ^ attacks_salt, brood);
}

/* ---- the one that adds ---- */

static uint64_t key_of(const HatchNode *node) {
  return node->key ^ (node->kind & HATCH_ATTACKS ? attacks_salt : 0);
}

static const Half *newer_of(const Nest *nest) {
  return &nest->halves[atomic_load_explicit(&nest->newer,
                                            memory_order_relaxed)];
}

static uint32_t count_of(const Half *half) {
  return atomic_load_explicit(&half->count, memory_order_relaxed);
}

static void add(Half *half, const HatchNode *node,
                const HatchChild *children) {
  bool there;
  uint64_t key = key_of(node);
  if (!key || !node->kind || count_of(half) == half->room) return;
  Slot *slot = slot_of(half, key, &there);
  if (there) return;
  slot->brood = (NestBrood){.children = children + node->first,
                            .count = node->count,
                            .mover = node->mover,
                            .forced = node->kind & HATCH_FORCED};
  atomic_store_explicit(&slot->key, key, memory_order_release);
  atomic_fetch_add_explicit(&half->count, 1, memory_order_relaxed);
}

void nest_add(Nest *nest, const HatchNode *nodes, uint32_t count,
              const HatchChild *children) {
  enum { AHEAD = 16 };
  Half *half = &nest->halves[newer_of(nest) - nest->halves];
  for (uint32_t i = 0; i < count; i++) {
    if (i + AHEAD < count && nodes[i + AHEAD].kind)
      __builtin_prefetch(&half->slots[key_of(&nodes[i + AHEAD]) & half->mask],
                         1);
    add(half, &nodes[i], children);
  }
}

bool nest_fits(const Nest *nest, uint32_t nodes) {
  const Half *half = newer_of(nest);
  return nodes <= half->room - count_of(half);
}

void nest_turn(Nest *nest, uint32_t nodes) {
  uint32_t older = (atomic_load(&nest->newer) + 1) % HALVES;
  Half *half = &nest->halves[older];
  atomic_store(&half->open, false);
  for (uint32_t i = 0; i < NEST_READERS; i++)
    while (atomic_load(&nest->readers[i].looks)) sched_yield();
  set_room(half, nodes < nest->most ? nodes : nest->most);
  memset((void *)half->slots, 0, (half->mask + 1) * sizeof *half->slots);
  atomic_store_explicit(&half->count, 0, memory_order_relaxed);
  atomic_store(&half->open, true);
  atomic_store(&nest->newer, older);
}

uint32_t nest_recent(const Nest *nest) {
  return count_of(newer_of(nest));
}

uint32_t nest_count(const Nest *nest) {
  return count_of(&nest->halves[0]) + count_of(&nest->halves[1]);
}
