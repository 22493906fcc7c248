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
#include "search/tree_hash.h"

static const size_t HUGE_PAGE = (size_t)2 << 20;
/* Trees of at least this size use huge pages: in smaller ones the unused ends
   of the four parts would be more than 3 % of the tree. */
static const size_t HUGE_TREE = (size_t)256 << 20;

/* What is committed ahead of use at once: a stop of a few milliseconds where
   the system takes long. */
static const size_t AHEAD = (size_t)4 << 20;

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

/* Gives unused pages of all parts back to the system, unless another thread is
   touching some. */
static void trim(Tree *tree) {
  if (tree->touching) return;
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

/* ---- ahead of use ---- */

/* How much of a part should be committed: the table's size doubles when it is
   full, so the next one is committed step by step while the second half of this
   one fills up. */
static size_t wanted_soon(const Tree *tree, uint32_t part, size_t step) {
  size_t used = tree->parts[part].used;
  if (part != TREE_HASH) return used + (used / 2 < step ? used / 2 : step);
  size_t ids = tree_hash_ids(tree_hash_slots(tree)), last = tree_id_last(tree);
  return last <= ids / 2 ? used : used + used / (ids / 2) * (last - ids / 2);
}

static TreeRange commit_ahead(Tree *tree) {
  const size_t granule = tree->granule, limit = tree->limit / 4 * 3;
  size_t step = tree->limit / 16 < AHEAD ? tree->limit / 16 : AHEAD;
  for (uint32_t i = 0; i < TREE_PARTS; i++) {
    TreePart *part = &tree->parts[i];
    size_t from = part->committed, to = wanted_soon(tree, i, step);
    if (to < from + step / 2) continue;
    to = round_up(to < from + step ? to : from + step, granule);
    if (committed_bytes(tree) - from + to > limit) continue;
    part->committed = to;
    tree->touching++;
    return (TreeRange){.base = part->base + from, .bytes = to - from};
  }
  return (TreeRange){0};
}

TreeRange tree_ahead(Tree *tree) {
  if (tree->shared) pthread_mutex_lock(&tree->mutex);
  TreeRange range = commit_ahead(tree);
  if (tree->shared) pthread_mutex_unlock(&tree->mutex);
  return range;
}

/* A system that does not know the call provides the pages when they are
   used. */
void tree_touch(TreeRange range) {
#ifdef MADV_POPULATE_WRITE
  if (range.bytes) madvise(range.base, range.bytes, MADV_POPULATE_WRITE);
#endif
}

void tree_touched(Tree *tree, TreeRange range) {
  if (!range.bytes) return;
  if (tree->shared) pthread_mutex_lock(&tree->mutex);
  tree->touching--;
  if (tree->shared) pthread_mutex_unlock(&tree->mutex);
}
