/* What is left of a store's blocks is a gap (tree_node.h) at any time, so that
   the blocks of a tree can be listed whatever its threads have taken. Edges
   that are left have no child, as those that were cut. */
#include "search/tree_store.h"

#include "search/tree_hash.h"
#include "search/tree_memory.h"

/* ---- blocks ---- */

static void mark_gap(const Tree *tree, const TreeStore *store) {
  if (store->place == store->end) return;
  void *block = tree->parts[TREE_BLOCKS].base + store->place;
  Node *gap = block;
  gap->id = 0;
  gap->visits = (uint32_t)((store->end - store->place) / TREE_UNIT);
}

static bool take_bytes(Tree *tree, TreeStore *store, size_t bytes) {
  TreePart *blocks = &tree->parts[TREE_BLOCKS];
  if (!tree_memory_commit(tree, TREE_BLOCKS, blocks->used + bytes))
    return false;
  store->place = blocks->used;
  store->end = blocks->used += bytes;
  mark_gap(tree, store);
  return true;
}

Node *tree_store_block(Tree *tree, TreeStore *store, size_t size) {
  if (store->end - store->place < size) {
    pthread_mutex_lock(&tree->mutex);
    bool taken = (size < tree->store_bytes &&
                  take_bytes(tree, store, tree->store_bytes)) ||
                 take_bytes(tree, store, size);
    pthread_mutex_unlock(&tree->mutex);
    if (!taken) return NULL;
  }
  return (void *)(tree->parts[TREE_BLOCKS].base + store->place);
}

void tree_store_use(Tree *tree, TreeStore *store, size_t size) {
  store->place += size;
  mark_gap(tree, store);
}

/* ---- ids ---- */

static void take_ids(Tree *tree, TreeStore *store) {
  uint32_t *offsets = tree_offsets(tree);
  size_t *used = &tree->parts[TREE_OFFSETS].used;
  size_t most = tree_hash_ids(tree_hash_slots(tree));
  while (store->id_count < TREE_STORE_IDS && tree->free) {
    store->ids[store->id_count++] = tree->free;
    tree->free = offsets[tree->free];
  }
  while (store->id_count < TREE_STORE_IDS && tree_id_last(tree) < most &&
         tree_memory_commit(tree, TREE_OFFSETS, *used + sizeof(uint32_t))) {
    *used += sizeof(uint32_t);
    store->ids[store->id_count++] = tree_id_last(tree);
  }
  if (!tree->free && tree_id_last(tree) + tree->spare > most)
    __atomic_store_n(&tree->cramped, true, __ATOMIC_RELAXED);
}

NodeId tree_store_id(Tree *tree, TreeStore *store) {
  if (!store->id_count) {
    pthread_mutex_lock(&tree->mutex);
    take_ids(tree, store);
    pthread_mutex_unlock(&tree->mutex);
  }
  return store->id_count ? store->ids[--store->id_count] : 0;
}

NodeId tree_store_insert(Tree *tree, TreeStore *store, Node *node) {
  NodeId own = node->id, id = tree_hash_join(tree, node);
  if (id == own) {
    store->added++;
    return id;
  }
  store->ids[store->id_count++] = own;
  store->place -= node_size(tree, node);
  mark_gap(tree, store);
  return id;
}

/* ---- edges ---- */

static void take_edges(Tree *tree, TreeStore *store) {
  size_t *used = &tree->parts[TREE_EDGES].used;
  store->edge = store->edge_end = tree_edge_last(tree) + 1;
  while (store->edge_end - store->edge < TREE_STORE_EDGES &&
         tree_memory_commit(tree, TREE_EDGES, *used + sizeof(TreeEdge))) {
    tree_edges(tree)[store->edge_end++] = (TreeEdge){0};
    *used += sizeof(TreeEdge);
  }
}

uint32_t tree_store_edge(Tree *tree, TreeStore *store) {
  if (store->edge == store->edge_end) {
    pthread_mutex_lock(&tree->mutex);
    take_edges(tree, store);
    pthread_mutex_unlock(&tree->mutex);
  }
  return store->edge < store->edge_end ? store->edge++ : 0;
}

/* ---- giving back ---- */

static void close_store(Tree *tree, TreeStore *store) {
  uint32_t *offsets = tree_offsets(tree);
  while (store->id_count) {
    NodeId id = store->ids[--store->id_count];
    offsets[id] = tree->free;
    tree->free = id;
  }
  tree->count += (uint32_t)store->added;
  tree->statistics.added += store->added;
  tree->statistics.linked += store->linked;
  *store = (TreeStore){0};
}

void tree_close_stores(Tree *tree) {
  for (uint32_t i = 0; i < tree->store_count; i++)
    close_store(tree, &tree->stores[i]);
}
