#include "search/tree_share.h"

#include <sched.h>

#include "search/tree_hash.h"
#include "search/tree_store.h"

/* Of blocks that a store takes at once: at most, and as a share of the tree. */
static const size_t STORE_BYTES = (size_t)64 << 10;
enum { STORE_SHARE = 64 };

/* ---- sharing ---- */

void tree_share(Tree *tree, TreeStore *stores, uint32_t count, uint32_t spare) {
  pthread_mutex_init(&tree->mutex, NULL);
  tree->stores = stores;
  tree->store_count = count;
  tree->spare = spare + count * TREE_STORE_IDS;
  size_t bytes = tree->limit / STORE_SHARE / count;
  tree->store_bytes = bytes < STORE_BYTES ? bytes : STORE_BYTES;
  tree->store_bytes -= tree->store_bytes % TREE_UNIT;
  for (uint32_t i = 0; i < count; i++) stores[i] = (TreeStore){0};
  tree->shared = true;
  tree_relieve(tree);
}

void tree_unshare(Tree *tree) {
  tree_close_stores(tree);
  tree->shared = false;
  tree->store_count = 0;
  tree->stores = NULL;
  pthread_mutex_destroy(&tree->mutex);
}

bool tree_relieve(Tree *tree) {
  bool room = true;
  while (room && !tree->free &&
         tree_id_last(tree) + tree->spare >
             tree_hash_ids(tree_hash_slots(tree)))
    room = tree_hash_grow(tree);
  tree->cramped = false;
  return room;
}

/* ---- locks ---- */

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

/* Waits until the lock is free, and takes it. After a while whoever has it may
   need this processor to go on. */
void tree_wait(Tree *tree, Node *node) {
  enum { SPINS = 64 };
  uint32_t spins = 0;
  __atomic_fetch_add(&tree->statistics.waits, 1, __ATOMIC_RELAXED);
  do {
    while (__atomic_load_n(&node->lock, __ATOMIC_RELAXED))
      if (++spins % SPINS)
        pause_briefly();
      else
        sched_yield();
  } while (__atomic_exchange_n(&node->lock, 1, __ATOMIC_ACQUIRE));
}
