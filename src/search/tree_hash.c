/* An open-addressing table with linear probing, at most 5/8 full. An entry has
   32 bits of the mixed key beside the id, so that a miss touches no node.
   Single nodes are never removed: recycling rebuilds the table. It is not a
   base/map because it lives in the tree's memory, which recycling borrows. */
#include "search/tree_hash.h"

#include <string.h>

#include "base/hash.h"
#include "search/tree_memory.h"

enum { FIRST_SLOTS = 64 };

static const uint64_t tag_mask = ~(uint64_t)UINT32_MAX;

size_t tree_hash_slots(const Tree *tree) {
  return tree->parts[TREE_HASH].used / sizeof(TreeSlot);
}

size_t tree_hash_ids(size_t slots) {
  return slots / 8 * 5;
}

void tree_hash_clear(Tree *tree, size_t slots) {
  TreePart *part = &tree->parts[TREE_HASH];
  part->used = slots * sizeof(TreeSlot);
  memset(part->base, 0, part->used);
}

static TreeSlot slot_of(uint64_t mixed, NodeId id) {
  return (mixed & tag_mask) | id;
}

void tree_hash_insert(Tree *tree, const Node *node) {
  TreeSlot *table = (void *)tree->parts[TREE_HASH].base;
  size_t mask = tree_hash_slots(tree) - 1;
  uint64_t mixed = hash_mix(node->key);
  size_t i = mixed & mask;
  while (table[i]) i = (i + 1) & mask;
  table[i] = slot_of(mixed, node->id);
}

void tree_prefetch_key(const Tree *tree, uint64_t key) {
  const TreeSlot *table = (const void *)tree->parts[TREE_HASH].base;
  size_t slots = tree_hash_slots(tree);
  if (slots) __builtin_prefetch(table + (hash_mix(key) & (slots - 1)));
}

static bool has_state(const Tree *tree, const Node *node, const uint64_t *state,
                      uint32_t words) {
  return node->state_words == words &&
         (!words ||
          !memcmp(node_state(tree, node), state, words * sizeof *state));
}

/* Without `any`, the state must be equal, too. */
static NodeId find(const Tree *tree, uint64_t key, bool any,
                   const uint64_t *state, uint32_t words) {
  const TreeSlot *table = (const void *)tree->parts[TREE_HASH].base;
  size_t slots = tree_hash_slots(tree), mask = slots - 1;
  if (!slots) return 0;
  uint64_t mixed = hash_mix(key);
  for (size_t i = mixed & mask;; i = (i + 1) & mask) {
    TreeSlot slot = __atomic_load_n(&table[i], __ATOMIC_ACQUIRE);
    if (!slot) return 0;
    if ((slot ^ mixed) & tag_mask) continue;
    const Node *node = tree_node(tree, (NodeId)slot);
    if (node->key == key && (any || has_state(tree, node, state, words)))
      return node->id;
  }
}

/* Both of two threads that add the same state come to the same empty slot, and
   one of them is the first there: slots are never emptied again. */
NodeId tree_hash_join(Tree *tree, const Node *node) {
  TreeSlot *table = (void *)tree->parts[TREE_HASH].base;
  size_t mask = tree_hash_slots(tree) - 1;
  uint64_t mixed = hash_mix(node->key);
  const uint64_t *state = node_state(tree, node);
  for (size_t i = mixed & mask;; i = (i + 1) & mask) {
    TreeSlot slot = __atomic_load_n(&table[i], __ATOMIC_ACQUIRE);
    if (!slot &&
        __atomic_compare_exchange_n(&table[i], &slot, slot_of(mixed, node->id),
                                    false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return node->id;
    if ((slot ^ mixed) & tag_mask) continue;
    const Node *other = tree_node(tree, (NodeId)slot);
    if (other->key == node->key &&
        has_state(tree, other, state, node->state_words))
      return other->id;
  }
}

bool tree_hash_grow(Tree *tree) {
  size_t slots = tree_hash_slots(tree), place = TREE_FIRST_BLOCK;
  slots = slots ? slots * 2 : FIRST_SLOTS;
  if (!tree_memory_commit(tree, TREE_HASH, slots * sizeof(TreeSlot)))
    return false;
  tree_hash_clear(tree, slots);
  for (const Node *node; (node = node_next(tree, &place));)
    if (!(node->flags & NODE_DEAD)) tree_hash_insert(tree, node);
  return true;
}

NodeId tree_find(const Tree *tree, uint64_t key, const uint64_t *state,
                 uint32_t words) {
  return find(tree, key, false, state, words);
}

NodeId tree_find_key(const Tree *tree, uint64_t key) {
  return find(tree, key, true, NULL, 0);
}
