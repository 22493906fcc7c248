/* The game tree: node seeds go in, a transposition graph comes out.

   Blocks lie side by side in order of creation and never change size; recycling
   (tree_recycle.c) keeps the order. A node's children hang on the actions of
   its main role: directly if no other role has a choice, else in a chain of
   edges, oldest first (the oldest are visited most), each with the choices of
   the other roles as a number in mixed radix. Edges are allocated at the end of
   their array and released only by recycling. */
#include "search/tree.h"

#include <string.h>

#include "base/memory.h"
#include "search/tree_hash.h"
#include "search/tree_memory.h"
#include "search/tree_store.h"

enum { ROLES_MOST = 255 };

static const size_t BYTES_MOST = ((size_t)1 << 32) * TREE_UNIT;

Tree *tree_new(uint32_t role_count, size_t bytes) {
  assert(role_count <= ROLES_MOST);
  Tree *tree = memory_new(sizeof(Tree));
  bytes = bytes > sizeof(Tree) ? bytes - sizeof(Tree) : 0;
  tree_memory_reserve(tree, bytes < BYTES_MOST ? bytes : BYTES_MOST);
  tree->role_count = role_count;
  size_t header = sizeof(Node) + (role_count + 1) * sizeof(uint32_t) +
                  role_count * sizeof(int8_t);
  tree->header = (uint32_t)((header + TREE_UNIT - 1) / TREE_UNIT * TREE_UNIT);
  tree_use(tree, 0);
  tree_clear(tree);
  return tree;
}

void tree_use(Tree *tree, uint32_t columns) {
  static const uint32_t sizes[] = {
#define COLUMN(name, type, first) sizeof(type),
      TREE_COLUMNS(COLUMN)
#undef COLUMN
  };
  assert(!tree->count);
  tree->columns = columns | 1u << COLUMN_all;
  tree->per_action = 0;
  for (uint32_t i = 0; i < COLUMN_COUNT; i++) {
    tree->before[i] = tree->per_action;
    if (tree->columns & 1u << i) tree->per_action += sizes[i];
  }
}

void tree_delete(Tree *tree) {
  if (!tree) return;
  tree_memory_release(tree);
  memory_delete(tree);
}

void tree_clear(Tree *tree) {
  tree->parts[TREE_BLOCKS].used = TREE_FIRST_BLOCK;
  tree->parts[TREE_OFFSETS].used = sizeof(uint32_t);
  tree->parts[TREE_EDGES].used = sizeof(TreeEdge);
  tree->parts[TREE_HASH].used = 0;
  tree->count = 0;
  tree->free = 0;
}

/* ---- new nodes ---- */

/* Makes room in the hash table for one more id. */
static bool hash_room(Tree *tree) {
  return tree_id_last(tree) < tree_hash_ids(tree_hash_slots(tree)) ||
         tree_hash_grow(tree);
}

/* Returns an unused id, or 0 if there is no room. */
static NodeId take_id(Tree *tree) {
  uint32_t *offsets = tree_offsets(tree);
  NodeId id = tree->free;
  if (id) {
    tree->free = offsets[id];
    return id;
  }
  size_t *used = &tree->parts[TREE_OFFSETS].used;
  if (!hash_room(tree) ||
      !tree_memory_commit(tree, TREE_OFFSETS, *used + sizeof(uint32_t)))
    return 0;
  *used += sizeof(uint32_t);
  return tree_id_last(tree);
}

/* Sets the roles' first actions, the main role and the number of movers. */
static void set_roles(const Tree *tree, Node *node, const uint32_t *counts) {
  uint32_t *firsts = node_firsts(node), most = 0;
  firsts[0] = 0;
  for (uint32_t role = 0; role < tree->role_count; role++) {
    uint32_t count = counts ? counts[role] : 0;
    firsts[role + 1] = firsts[role] + count;
    node->movers = (uint8_t)(node->movers + (count > 1));
    if (count <= most) continue;
    most = count;
    node->main = (uint8_t)role;
  }
}

/* Sets the first values of all columns. */
static void set_columns(const Tree *tree, const Node *node) {
  uint32_t count = node_action_count(tree, node);
#define COLUMN(name, type, first) \
  if (tree->columns & 1u << COLUMN_##name) { \
    static const type value = first; \
    type *column = node_##name(tree, node); \
    assert((uintptr_t)column % _Alignof(type) == 0); \
    for (uint32_t i = 0; i < count; i++) column[i] = value; \
  }
  TREE_COLUMNS(COLUMN)
#undef COLUMN
}

/* The list of a closed node's moves. */
static void list_moves(const Tree *tree, Node *node, const uint32_t *moves) {
  uint32_t count = node_action_count(tree, node);
  void *list = (uint8_t *)node + tree->header;
  if (node->flags & NODE_LONG)
    memcpy(list, moves, count * sizeof *moves);
  else
    for (uint32_t i = 0; i < count; i++)
      ((uint16_t *)list)[i] = (uint16_t)moves[i];
}

static uint32_t listed_move(const Tree *tree, const Node *node, uint32_t at) {
  const void *list = (const uint8_t *)node + tree->header;
  return node->flags & NODE_LONG ? ((const uint32_t *)list)[at]
                                 : ((const uint16_t *)list)[at];
}

static void set_state(const Tree *tree, Node *node, const uint64_t *state) {
  size_t place =
      node_state_place(tree, node->flags, node_action_count(tree, node));
  if (node->state_words)
    memcpy((uint8_t *)node + place, state, node->state_words * sizeof *state);
}

static void fill(const Tree *tree, Node *node, const NodeSeed *seed) {
  uint32_t count = node_action_count(tree, node);
  if (node->flags & NODE_CLOSED) {
    list_moves(tree, node, seed->moves);
  } else {
    set_columns(tree, node);
    Action *actions = node_all(tree, node);
    for (uint32_t i = 0; i < count; i++) actions[i].move = seed->moves[i];
  }
  set_state(tree, node, seed->state);
  int8_t *goals = node_goals(tree, node);
  for (uint32_t role = 0; role < tree->role_count; role++)
    goals[role] = (int8_t)(seed->goals ? seed->goals[role] : 0);
}

static uint8_t first_flags(const NodeSeed *seed, uint32_t actions) {
  if (seed->goals) return NODE_TERMINAL | NODE_PROVEN;
  if (!seed->closed) return 0;
  uint32_t all = 0;
  for (uint32_t i = 0; i < actions; i++) all |= seed->moves[i];
  return all > UINT16_MAX ? NODE_CLOSED | NODE_LONG : NODE_CLOSED;
}

/* Returns a new block's place, or NULL if there is no room. */
static Node *block_room(Tree *tree, TreeStore *store, uint32_t flags,
                        uint32_t actions, uint32_t words) {
  const TreePart *blocks = &tree->parts[TREE_BLOCKS];
  size_t size =
      node_state_place(tree, flags, actions) + (size_t)words * sizeof(uint64_t);
  if (store) return tree_store_block(tree, store, size);
  if (!tree_memory_commit(tree, TREE_BLOCKS, blocks->used + size)) return NULL;
  return (void *)(blocks->base + blocks->used);
}

/* Makes the block at the end, which has been filled, that of its node. */
static void take_block(Tree *tree, TreeStore *store, const Node *node) {
  TreePart *blocks = &tree->parts[TREE_BLOCKS];
  size_t size = node_size(tree, node);
  size_t place = store ? store->place : blocks->used;
  if (store)
    tree_store_use(tree, store, size);
  else
    blocks->used += size;
  __atomic_store_n(&tree_offsets(tree)[node->id], (uint32_t)(place / TREE_UNIT),
                   __ATOMIC_RELEASE);
}

static NodeId insert(Tree *tree, TreeStore *store, Node *node) {
  if (store) return tree_store_insert(tree, store, node);
  tree_hash_insert(tree, node);
  tree->count++;
  tree->statistics.added++;
  return node->id;
}

NodeId tree_add(Tree *tree, TreeStore *store, const NodeSeed *seed) {
  uint32_t actions = 0;
  if (seed->move_counts)
    for (uint32_t role = 0; role < tree->role_count; role++)
      actions += seed->move_counts[role];
  uint8_t flags = first_flags(seed, actions);
  Node *node = block_room(tree, store, flags, actions, seed->state_words);
  NodeId id = !node ? 0 : store ? tree_store_id(tree, store) : take_id(tree);
  if (!id) return 0;
  *node = (Node){.exact = -1,
                 .key = seed->key,
                 .id = id,
                 .state_words = seed->state_words,
                 .flags = flags};
  set_roles(tree, node, seed->move_counts);
  fill(tree, node, seed);
  take_block(tree, store, node);
  return insert(tree, store, node);
}

Node *tree_open(Tree *tree, TreeStore *store, Node *closed) {
  if (!(closed->flags & NODE_CLOSED)) return closed;
  uint32_t count = node_action_count(tree, closed);
  uint8_t flags = closed->flags & (uint8_t) ~(NODE_CLOSED | NODE_LONG);
  Node *node = block_room(tree, store, flags, count, closed->state_words);
  if (!node) return NULL;
  memcpy(node, closed, offsetof(Node, lock));
  memcpy(node + 1, closed + 1, tree->header - sizeof *node);
  node->flags = flags;
  node->lock = tree->shared;
  set_columns(tree, node);
  Action *actions = node_all(tree, node);
  for (uint32_t i = 0; i < count; i++)
    actions[i].move = listed_move(tree, closed, i);
  set_state(tree, node, node_state(tree, closed));
  take_block(tree, store, node);
  uint8_t dead = (closed->flags & (NODE_CLOSED | NODE_LONG)) | NODE_DEAD;
  __atomic_store_n(&closed->flags, dead, __ATOMIC_RELEASE);
  if (tree->shared) node_unlock(closed);
  return node;
}

/* ---- children ---- */

/* The other roles' choices in mixed radix; returns false if that exceeds 64
   bits. */
static bool joint_number(const Tree *tree, const Node *node,
                         const uint32_t *choices, uint64_t *joint) {
  const uint32_t *firsts = node_firsts(node);
  *joint = 0;
  for (uint32_t role = 0; role < tree->role_count; role++) {
    uint64_t count = firsts[role + 1] - firsts[role];
    assert(choices[role] < count);
    if (role != node->main &&
        (__builtin_mul_overflow(*joint, count, joint) ||
         __builtin_add_overflow(*joint, (uint64_t)choices[role], joint)))
      return false;
  }
  return true;
}

NodeId tree_edge_child(const Tree *tree, Node *node, uint32_t edge,
                       const uint32_t *choices) {
  const TreeEdge *edges = tree_edges(tree);
  uint64_t joint;
  if (!joint_number(tree, node, choices, &joint)) return 0;
  while (edge && edges[edge].joint != joint) edge = edges[edge].next;
  return edge ? edges[edge].child : 0;
}

/* Returns a new edge, or 0 if there is no room. */
static uint32_t take_edge(Tree *tree) {
  size_t *used = &tree->parts[TREE_EDGES].used;
  if (!tree_memory_commit(tree, TREE_EDGES, *used + sizeof(TreeEdge))) return 0;
  *used += sizeof(TreeEdge);
  return tree_edge_last(tree);
}

static uint32_t add_edge(Tree *tree, TreeStore *store, uint64_t joint,
                         NodeId child) {
  uint32_t edge = store ? tree_store_edge(tree, store) : take_edge(tree);
  if (!edge) return 0;
  tree_edges(tree)[edge] = (TreeEdge){.joint = joint, .child = child};
  return edge;
}

static bool link_edge(Tree *tree, TreeStore *store, Node *node,
                      const uint32_t *choices, uint32_t *first, NodeId child) {
  TreeEdge *edges = tree_edges(tree);
  uint64_t joint;
  if (!joint_number(tree, node, choices, &joint)) return false;
  uint32_t *end = first;
  while (*end && edges[*end].joint != joint) end = &edges[*end].next;
  if (*end)
    edges[*end].child = child;
  else
    *end = add_edge(tree, store, joint, child);
  return *end != 0;
}

bool tree_link(Tree *tree, TreeStore *store, Node *node,
               const uint32_t *choices, NodeId child) {
  uint32_t count, main = node->main;
  Action *action = node_actions(tree, node, main, &count) + choices[main];
  assert(child && choices[main] < count);
  if (node->movers < 2)
    action->child = child;
  else if (!link_edge(tree, store, node, choices, &action->child, child))
    return false;
  *(store ? &store->linked : &tree->statistics.linked) += 1;
  return true;
}

/* ---- prefetching ---- */

/* Of an open node whose actions have been chosen before, selection reads the
   bounds, else it lists those that are left. */
void tree_prefetch_actions(const Tree *tree, NodeId id) {
  enum { LINE = 64 };
  const Node *node = tree_node(tree, id);
  const uint8_t *first = (const uint8_t *)node + tree->header;
  uint32_t count = node_action_count(tree, node);
  bool bounds = tree->columns & 1u << COLUMN_bounds &&
                (tree->shared || node->visits + node->pending >= count);
  size_t bytes =
      node_flags(node) & NODE_CLOSED
          ? node_size(tree, node) - tree->header
          : count * (bounds ? sizeof(ActionBound)
                            : tree->before[COLUMN_all] + sizeof(Action));
  for (size_t i = 0; i < bytes; i += LINE) __builtin_prefetch(first + i);
}

/* ---- figures ---- */

size_t tree_bytes(const Tree *tree) {
  size_t bytes = sizeof(Tree);
  for (uint32_t i = 0; i < TREE_PARTS; i++) bytes += tree->parts[i].used;
  return bytes;
}
