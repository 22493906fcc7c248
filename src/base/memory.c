/* What the C library returns gets a header, and is in the innermost scope. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/trial.h"

enum { HEADER = sizeof(ScopeBlock), ALIGNMENT = SCOPE_ALIGNMENT };

static void check(size_t size) {
  trial_check();
  if (size >= PTRDIFF_MAX / 2 || !scope_allows(size))
    trial_fail("out of memory");
}

static void *begin(void *raw, size_t offset, size_t size, ScopeKind kind) {
  if (!raw) trial_fail("out of memory");
  return scope_add((ScopeBlock *)((char *)raw + offset), size, kind);
}

void *memory_new(size_t size) {
  check(size);
  return begin(calloc(1, HEADER + size), 0, size, SCOPE_PLAIN);
}

void *memory_new_aligned(size_t size) {
  check(size);
  size_t whole = (ALIGNMENT + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  void *raw = aligned_alloc(ALIGNMENT, whole);
  if (raw) memset(raw, 0, whole);
  return begin(raw, ALIGNMENT - HEADER, size, SCOPE_ALIGNED);
}

void *memory_resize(void *data, size_t size) {
  if (!data) return memory_new(size);
  ScopeBlock *block = (ScopeBlock *)data - 1;
  if (size > block->size) check(size - block->size);
  block = scope_resize(block, size);
  if (!block) trial_fail("out of memory");
  return block + 1;
}

void memory_delete(void *data) {
  if (data) scope_delete((ScopeBlock *)data - 1);
}

ScopePages *memory_pages_new(size_t size) {
  check(sizeof(ScopePages));
  ScopePages *pages =
      begin(calloc(1, HEADER + sizeof *pages), 0, sizeof *pages, SCOPE_PAGES);
  void *address = mmap(NULL, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) {
    memory_delete(pages);
    return NULL;
  }
  *pages = (ScopePages){address, size};
  return pages;
}

void *memory_large_pages_new(size_t size, ScopePages **pages) {
  enum { LARGE = 2 << 20 };
  size_t spare = size >= LARGE ? LARGE : 0;
  *pages = memory_pages_new(size + spare);
  if (!*pages) return NULL;
  uintptr_t start = (uintptr_t)(*pages)->address;
  if (spare) {
    start = (start + LARGE - 1) & ~(uintptr_t)(LARGE - 1);
    madvise((void *)start, size, MADV_HUGEPAGE);
  }
  return (void *)start;
}

void memory_pages_delete(ScopePages *pages) {
  memory_delete(pages);
}
