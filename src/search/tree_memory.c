/* Pages and hash table of a tree.

   Every part of a tree has a range of addresses as long as all memory that the
   tree may have, so that no part ever moves. Of each the beginning is
   committed: the sum of that, in whole granules, never exceeds the limit, and
   nothing behind it is touched. A part that shrank keeps its pages until
   another wants them; then they go back to the system. Large trees are made of
   2 MiB pages, since descents jump about.

   The hash table is open, with linear probing, at most 5/8 full. An entry has
   32 bits of the mixed key beside the id, so that a miss touches no node.
   Single nodes are never removed from it: recycling builds it anew. */
#include "search/tree_memory.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/trial.h"

static const size_t HUGE_PAGE = (size_t)2 << 20;
/* Trees at least as large as this have huge pages: below, the unused ends of
   four parts would be more than 3 % of the tree. */
static const size_t HUGE_TREE = (size_t)256 << 20;

static size_t round_up(size_t bytes, size_t granule) {
  return (bytes + granule - 1) / granule * granule;
}

void tree_reserve(Tree *tree, size_t bytes) {
  bool huge = bytes >= HUGE_TREE;
  tree->granule = huge ? HUGE_PAGE : (size_t)sysconf(_SC_PAGESIZE);
  tree->limit = bytes;
  size_t range = round_up(bytes, tree->granule);
  tree->pages = memory_pages_new(range * TREE_PARTS + tree->granule);
  if (!tree->pages) trial_fail("no address space for a game tree");
  uintptr_t first = (uintptr_t)tree->pages->address;
  uint8_t *base = (uint8_t *)tree->pages->address +
                  (round_up(first, tree->granule) - first);
  if (bytes)
    madvise(base, range * TREE_PARTS, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  for (uint32_t i = 0; i < TREE_PARTS; i++)
    tree->parts[i] = (TreePart){.base = base + range * i};
}

void tree_release(Tree *tree) {
  memory_pages_delete(tree->pages);
}

static size_t committed_bytes(const Tree *tree) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < TREE_PARTS; i++) bytes += tree->parts[i].committed;
  return bytes;
}

/* Give back what no part uses. */
static void trim(Tree *tree) {
  for (uint32_t i = 0; i < TREE_PARTS; i++) {
    TreePart *part = &tree->parts[i];
    size_t kept = round_up(part->used, tree->granule);
    if (kept >= part->committed) continue;
    madvise(part->base + kept, part->committed - kept, MADV_DONTNEED);
    part->committed = kept;
  }
}

bool tree_commit(Tree *tree, uint32_t part, size_t bytes) {
  size_t *committed = &tree->parts[part].committed;
  if (bytes <= *committed) return true;
  size_t wanted = round_up(bytes, tree->granule);
  if (committed_bytes(tree) - *committed + wanted > tree->limit) trim(tree);
  if (committed_bytes(tree) - *committed + wanted > tree->limit) return false;
  *committed = wanted;
  return true;
}

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

void tree_hash_insert(Tree *tree, const Node *node) {
  TreeSlot *table = (void *)tree->parts[TREE_HASH].base;
  size_t mask = tree_hash_slots(tree) - 1;
  uint64_t mixed = hash_mix(node->key);
  size_t i = mixed & mask;
  while (table[i].id) i = (i + 1) & mask;
  table[i] = (TreeSlot){.tag = (uint32_t)(mixed >> 32), .id = node->id};
}

void tree_prefetch_key(const Tree *tree, uint64_t key) {
  const TreeSlot *table = (const void *)tree->parts[TREE_HASH].base;
  size_t slots = tree_hash_slots(tree);
  if (slots) __builtin_prefetch(table + (hash_mix(key) & (slots - 1)));
}

NodeId tree_find(const Tree *tree, uint64_t key, const uint64_t *state,
                 uint32_t words) {
  const TreeSlot *table = (const void *)tree->parts[TREE_HASH].base;
  size_t slots = tree_hash_slots(tree), mask = slots - 1;
  if (!slots) return 0;
  uint64_t mixed = hash_mix(key);
  for (size_t i = mixed & mask; table[i].id; i = (i + 1) & mask) {
    if (table[i].tag != mixed >> 32) continue;
    const Node *node = tree_node(tree, table[i].id);
    if (node->key == key && node->state_words == words &&
        (!words ||
         !memcmp(node_state(tree, node), state, words * sizeof *state)))
      return node->id;
  }
  return 0;
}
