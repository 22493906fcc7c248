/* An open table with linear probing, at most half full. A slot's key is written
   last, and never changes until the table is cleared: whoever sees the key sees
   the brood. Key 0 means that the slot is empty, so a node with that key is
   never there. */
#include "minimax/nest.h"

#include <string.h>

#include "base/memory.h"

/* Of nodes of which only the attacks are known, which are there besides whole
   ones of the same key. */
static const uint64_t attacks_salt = 0xc2b2ae3d27d4eb4f;

typedef struct Slot {
  _Atomic uint64_t key;
  NestBrood brood;
} Slot;

struct Nest {
  Slot *slots;
  uint64_t mask; /* slots are a power of two, less one */
  uint32_t room;
  atomic_uint count;
};

Nest *nest_new(uint32_t nodes) {
  Nest *nest = memory_new(sizeof *nest);
  uint64_t slots = 2;
  while (slots < 2 * (uint64_t)nodes) slots *= 2;
  nest->slots = memory_new_aligned(slots * sizeof *nest->slots);
  nest->mask = slots - 1;
  nest->room = nodes;
  return nest;
}

void nest_delete(Nest *nest) {
  if (!nest) return;
  memory_delete(nest->slots);
  memory_delete(nest);
}

/* Returns the slot with the key, or the empty one where it belongs. Keys are
   sums of random numbers, and good in all bits. */
static Slot *slot_of(const Nest *nest, uint64_t key, bool *there) {
  for (uint64_t at = key;; at++) {
    Slot *slot = &nest->slots[at & nest->mask];
    uint64_t found = atomic_load_explicit(&slot->key, memory_order_acquire);
    *there = found == key;
    if (*there || !found) return slot;
  }
}

bool nest_find(const Nest *nest, uint64_t key, NestBrood *brood) {
  bool there;
  if (!key) return false;
  const Slot *slot = slot_of(nest, key, &there);
  if (there) *brood = slot->brood;
  return there;
}

bool nest_find_attacks(const Nest *nest, uint64_t key, NestBrood *brood) {
  return nest_find(nest, key, brood) ||
         nest_find(nest, key ^ attacks_salt, brood);
}

static uint64_t key_of(const HatchNode *node) {
  return node->key ^ (node->kind & HATCH_ATTACKS ? attacks_salt : 0);
}

static void add(Nest *nest, const HatchNode *node, const HatchChild *children) {
  bool there;
  uint64_t key = key_of(node);
  if (!key || !node->kind || nest_count(nest) == nest->room) return;
  Slot *slot = slot_of(nest, key, &there);
  if (there) return;
  slot->brood = (NestBrood){.children = children + node->first,
                            .count = node->count,
                            .mover = node->mover,
                            .forced = node->kind & HATCH_FORCED};
  atomic_store_explicit(&slot->key, key, memory_order_release);
  atomic_fetch_add_explicit(&nest->count, 1, memory_order_relaxed);
}

void nest_add(Nest *nest, const HatchNode *nodes, uint32_t count,
              const HatchChild *children) {
  enum { AHEAD = 16 };
  for (uint32_t i = 0; i < count; i++) {
    if (i + AHEAD < count && nodes[i + AHEAD].kind)
      __builtin_prefetch(&nest->slots[key_of(&nodes[i + AHEAD]) & nest->mask],
                         1);
    add(nest, &nodes[i], children);
  }
}

uint32_t nest_count(const Nest *nest) {
  return atomic_load_explicit(&nest->count, memory_order_relaxed);
}

void nest_clear(Nest *nest) {
  memset((void *)nest->slots, 0, (nest->mask + 1) * sizeof *nest->slots);
  atomic_store_explicit(&nest->count, 0, memory_order_relaxed);
}
