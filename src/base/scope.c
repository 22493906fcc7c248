/* Each block has a header in front: its size, and its place in the ring of the
   scope that it was allocated in. Scopes nest; the blocks of one that is kept
   join the outer one's ring. What is allocated outside scopes is in no ring.

   Bytes are counted by thread, not by scope: a scope's limit becomes a limit of
   the thread's count when the scope is entered, so allocating costs the same
   however deep scopes are nested. */
#include "base/scope.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { HEADER = sizeof(ScopeBlock) };

static _Thread_local Scope *innermost;
/* bytes that this thread allocated and did not release, with headers */
static _Thread_local int64_t used;
static _Thread_local bool beyond_limit; /* the last request was */

/* ---- rings ---- */

static void lock(Scope *scope) {
  if (scope->shared) pthread_mutex_lock(&scope->lock);
}

static void unlock(Scope *scope) {
  if (scope->shared) pthread_mutex_unlock(&scope->lock);
}

static void link_block(ScopeBlock *block, Scope *scope) {
  ScopeBlock *ring = &scope->ring;
  lock(scope);
  block->scope = scope;
  block->older = ring;
  block->newer = ring->newer;
  ring->newer->older = block;
  ring->newer = block;
  unlock(scope);
}

static void unlink_block(ScopeBlock *block) {
  Scope *scope = block->scope;
  if (!scope) return;
  lock(scope);
  block->older->newer = block->newer;
  block->newer->older = block->older;
  block->scope = NULL;
  unlock(scope);
}

/* ---- blocks ---- */

static void set_size(ScopeBlock *block, size_t size) {
  block->size = size & (((uint64_t)1 << 56) - 1);
}

bool scope_allows(size_t size) {
  beyond_limit = innermost && used + (int64_t)size + HEADER > innermost->most;
  return !beyond_limit;
}

void *scope_add(ScopeBlock *block, size_t size, ScopeKind kind) {
  *block = (ScopeBlock){.kind = kind & 0xff};
  set_size(block, size);
  if (innermost) link_block(block, innermost);
  used += (int64_t)size + HEADER;
  return block + 1;
}

/* The block may move: its neighbours in the ring have to learn where to. */
static ScopeBlock *resize_linked(ScopeBlock *block, size_t size) {
  Scope *scope = block->scope;
  lock(scope);
  ScopeBlock *moved = realloc(block, HEADER + size);
  if (moved) moved->older->newer = moved->newer->older = moved;
  unlock(scope);
  return moved;
}

ScopeBlock *scope_resize(ScopeBlock *block, size_t size) {
  size_t before = block->size;
  block =
      block->scope ? resize_linked(block, size) : realloc(block, HEADER + size);
  if (!block) return NULL;
  set_size(block, size);
  used += (int64_t)size - (int64_t)before;
  return block;
}

void scope_delete(ScopeBlock *block) {
  unlink_block(block);
  used -= (int64_t)block->size + HEADER;
  if (block->kind == SCOPE_PAGES) {
    const ScopePages *pages = (const ScopePages *)(block + 1);
    if (pages->address) munmap(pages->address, pages->size);
  }
  free((char *)block -
       (block->kind == SCOPE_ALIGNED ? SCOPE_ALIGNMENT - HEADER : 0));
}

/* ---- scopes ---- */

void scope_init(Scope *scope, size_t limit, bool shared) {
  *scope = (Scope){.limit = limit, .shared = shared};
  scope->ring.older = scope->ring.newer = &scope->ring;
  if (shared) pthread_mutex_init(&scope->lock, NULL);
}

void scope_enter(Scope *scope) {
  scope->outer = innermost;
  scope->before = used;
  scope->most = scope->limit < INT64_MAX / 2
                    ? used + (int64_t)scope->limit - scope->held
                    : INT64_MAX;
  if (innermost && innermost->most < scope->most) scope->most = innermost->most;
  innermost = scope;
}

void scope_leave(Scope *scope) {
  innermost = scope->outer;
  scope->held += used - scope->before;
}

void scope_keep(Scope *scope) {
  while (scope->ring.newer != &scope->ring) {
    ScopeBlock *block = scope->ring.newer;
    unlink_block(block);
    if (innermost) link_block(block, innermost);
  }
}

void scope_release(Scope *scope) {
  while (scope->ring.newer != &scope->ring) scope_delete(scope->ring.newer);
  scope->held = 0;
}

void scope_adopt(int64_t bytes) {
  used += bytes;
}

size_t scope_left(void) {
  if (!innermost || innermost->most == INT64_MAX) return SIZE_MAX;
  return innermost->most > used ? (size_t)(innermost->most - used) : 0;
}

bool scope_beyond_limit(void) {
  return beyond_limit;
}
