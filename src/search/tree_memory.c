/* Pages of a tree.

   Each part of a tree has an address range as long as the whole tree's limit,
   so that no part ever moves. The beginning of each is committed: the sum of
   that, in whole granules, never exceeds the limit, and nothing beyond it is
   touched. A part that has shrunk keeps its pages until another part needs
   them; then they go back to the system. Large trees use 2 MiB pages, since
   descents jump about. */
#include "search/tree_memory.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/trial.h"

static const size_t HUGE_PAGE = (size_t)2 << 20;
/* Trees of at least this size use huge pages: in smaller ones the unused ends
   of the four parts would be more than 3 % of the tree. */
static const size_t HUGE_TREE = (size_t)256 << 20;

static size_t round_up(size_t bytes, size_t granule) {
  return (bytes + granule - 1) / granule * granule;
}

void tree_memory_reserve(Tree *tree, size_t bytes) {
  bool huge = bytes >= HUGE_TREE;
  tree->granule = huge ? HUGE_PAGE : (size_t)sysconf(_SC_PAGESIZE);
  tree->limit = bytes;
  size_t range = round_up(bytes, tree->granule);
  tree->pages = memory_pages_new(range * TREE_PARTS + tree->granule);
  if (!tree->pages) {
    char why[80];
    snprintf(why, sizeof why, "no address space for a game tree of %zu MiB",
             bytes >> 20);
    trial_fail(why);
  }
  uintptr_t first = (uintptr_t)tree->pages->address;
  uint8_t *base = (uint8_t *)tree->pages->address +
                  (round_up(first, tree->granule) - first);
  if (bytes)
    madvise(base, range * TREE_PARTS, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  for (uint32_t i = 0; i < TREE_PARTS; i++)
    tree->parts[i] = (TreePart){.base = base + range * i};
}

void tree_memory_release(Tree *tree) {
  memory_pages_delete(tree->pages);
}

static size_t committed_bytes(const Tree *tree) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < TREE_PARTS; i++) bytes += tree->parts[i].committed;
  return bytes;
}

/* Gives unused pages of all parts back to the system. */
static void trim(Tree *tree) {
  for (uint32_t i = 0; i < TREE_PARTS; i++) {
    TreePart *part = &tree->parts[i];
    size_t kept = round_up(part->used, tree->granule);
    if (kept >= part->committed) continue;
    madvise(part->base + kept, part->committed - kept, MADV_DONTNEED);
    part->committed = kept;
  }
}

bool tree_memory_commit(Tree *tree, uint32_t part, size_t bytes) {
  size_t *committed = &tree->parts[part].committed;
  if (bytes <= *committed) return true;
  size_t wanted = round_up(bytes, tree->granule);
  if (committed_bytes(tree) - *committed + wanted > tree->limit) trim(tree);
  if (committed_bytes(tree) - *committed + wanted > tree->limit) return false;
  *committed = wanted;
  return true;
}
