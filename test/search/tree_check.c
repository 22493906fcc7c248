/* Stops at the first violation and describes it. */
#include "search/tree_check.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "search/tree_hash.h"

typedef struct Check {
  const Tree *tree;
  char *message;
  size_t size;
  uint8_t *alive; /* by id: 1 has a block, 2 is free */
  uint32_t edges; /* found in chains */
} Check;

static bool wrong(const Check *check, const char *what, size_t where) {
  snprintf(check->message, check->size, "%s (%zu)", what, where);
  return false;
}

static bool check_memory(const Check *check) {
  const Tree *tree = check->tree;
  static const size_t unused[TREE_PARTS] = {[TREE_BLOCKS] = TREE_FIRST_BLOCK,
                                            [TREE_OFFSETS] = sizeof(uint32_t),
                                            [TREE_EDGES] = sizeof(TreeEdge)};
  size_t committed = 0;
  for (uint32_t i = 0; i < TREE_PARTS; i++) {
    const TreePart *part = &tree->parts[i];
    committed += part->committed;
    if (part->used > part->committed && part->used > unused[i])
      return wrong(check, "a part uses more than is committed", i);
  }
  if (committed > tree->limit)
    return wrong(check, "more memory committed than allowed", committed);
  if (tree_id_last(tree) > tree_hash_ids(tree_hash_slots(tree)))
    return wrong(check, "the hash table is too full", tree_id_last(tree));
  return true;
}

static bool check_ids(Check *check) {
  const Tree *tree = check->tree;
  const uint32_t *offsets = tree_offsets(tree);
  uint32_t last = tree_id_last(tree), nodes = 0, unused = 0;
  size_t place = TREE_FIRST_BLOCK;
  for (const Node *node; (node = node_next(tree, &place));) {
    size_t start = place - node_size(tree, node);
    if (place > tree->parts[TREE_BLOCKS].used)
      return wrong(check, "a block extends beyond the end", start);
    if (node->flags & NODE_DEAD) continue;
    nodes++;
    if (!node->id || node->id > last || check->alive[node->id])
      return wrong(check, "an id is out of range or used twice", node->id);
    if ((size_t)offsets[node->id] * TREE_UNIT != start)
      return wrong(check, "an id points to another block", node->id);
    check->alive[node->id] = 1;
  }
  for (NodeId id = tree->free; id; id = offsets[id], unused++) {
    if (id > last || check->alive[id])
      return wrong(check, "a free id is out of range, in use or listed twice",
                   id);
    check->alive[id] = 2;
  }
  if (nodes != tree->count) return wrong(check, "wrong number of nodes", nodes);
  if (nodes + unused != last) return wrong(check, "ids were lost", unused);
  return true;
}

static bool check_roles(const Check *check, Node *node) {
  const uint32_t *firsts = node_firsts(node);
  uint32_t movers = 0, most = 0, main = 0;
  if (firsts[0]) return wrong(check, "wrong first action", node->id);
  for (uint32_t role = 0; role < check->tree->role_count; role++) {
    if (firsts[role + 1] < firsts[role])
      return wrong(check, "wrong order of the roles' actions", node->id);
    uint32_t count = firsts[role + 1] - firsts[role];
    movers += count > 1;
    if (count > most) main = role, most = count;
    int goal = node_goals(check->tree, node)[role];
    if (goal < 0 || goal > 100)
      return wrong(check, "a goal out of range", node->id);
  }
  if (node->movers != movers || node->main != main)
    return wrong(check, "wrong movers or main role", node->id);
  bool terminal = node->flags & NODE_TERMINAL;
  if (terminal &&
      (node_action_count(check->tree, node) || !(node->flags & NODE_PROVEN)))
    return wrong(check, "a terminal node with actions or not proven", node->id);
  if (terminal && node->flags & NODE_CLOSED)
    return wrong(check, "a closed terminal node", node->id);
  if (node->flags & NODE_LONG && !(node->flags & NODE_CLOSED))
    return wrong(check, "an open node with a list of moves", node->id);
  if (node->flags & (NODE_MARKED | NODE_DEAD))
    return wrong(check, "a flag left over from recycling", node->id);
  return true;
}

/* Returns the number of joint choices of the other roles, at most 2^64 - 1. */
static uint64_t joint_count(const Check *check, const Node *node) {
  const uint32_t *firsts = node_firsts(node);
  uint64_t product = 1;
  for (uint32_t role = 0; role < check->tree->role_count; role++)
    if (role != node->main &&
        __builtin_mul_overflow(
            product, (uint64_t)(firsts[role + 1] - firsts[role]), &product))
      return UINT64_MAX;
  return product;
}

static bool check_chain(Check *check, const Node *node, uint32_t edge) {
  const TreeEdge *edges = tree_edges(check->tree);
  uint32_t last = tree_edge_last(check->tree);
  uint64_t joints = joint_count(check, node);
  for (; edge; edge = edges[edge].next) {
    if (edge > last || check->edges++ > last)
      return wrong(check, "an edge out of range or in a cycle", node->id);
    NodeId child = edges[edge].child;
    if (!child || child > tree_id_last(check->tree) || check->alive[child] != 1)
      return wrong(check, "an edge to a missing node", node->id);
    if (edges[edge].joint >= joints)
      return wrong(check, "an edge's joint move is out of range", node->id);
    uint32_t other = edges[edge].next;
    for (; other && other <= last; other = edges[other].next)
      if (edges[other].joint == edges[edge].joint)
        return wrong(check, "two edges for one joint move", node->id);
  }
  return true;
}

static bool check_links(Check *check, Node *node) {
  uint32_t first, count;
  if (node->flags & NODE_CLOSED) return true;
  Action *all = node_actions(check->tree, node, 0, &first);
  Action *own = node_actions(check->tree, node, node->main, &count);
  for (uint32_t i = 0; i < node_action_count(check->tree, node); i++) {
    uint32_t link = all[i].child;
    bool main = &all[i] >= own && &all[i] < own + count;
    if (!main && link)
      return wrong(check, "a link of a role that is not the main one",
                   node->id);
    if (!main || !link) continue;
    if (node->movers > 1) {
      if (!check_chain(check, node, link)) return false;
    } else if (link > tree_id_last(check->tree) || check->alive[link] != 1) {
      return wrong(check, "a link to a missing node", node->id);
    }
  }
  return true;
}

static bool check_hash(const Check *check) {
  const Tree *tree = check->tree;
  const TreeSlot *table = (const void *)tree->parts[TREE_HASH].base;
  size_t entries = 0;
  for (size_t i = 0; i < tree_hash_slots(tree); i++) entries += table[i] != 0;
  if (entries != tree->count)
    return wrong(check, "wrong number of hash entries", entries);
  return true;
}

static bool check_all(Check *check, NodeId root) {
  const Tree *tree = check->tree;
  if (!check_memory(check) || !check_ids(check) || !check_hash(check))
    return false;
  if (root && (root > tree_id_last(tree) || check->alive[root] != 1))
    return wrong(check, "the root is not a node", root);
  size_t place = TREE_FIRST_BLOCK;
  for (Node *node; (node = node_next(tree, &place));) {
    if (node->flags & NODE_DEAD) continue;
    if (!check_roles(check, node) || !check_links(check, node)) return false;
    if (tree_find(tree, node->key, node_state(tree, node), node->state_words) !=
        node->id)
      return wrong(check, "a node cannot be found by its state", node->id);
  }
  uint32_t edges = 0; /* those without a child were left in a store */
  for (uint32_t i = 1; i <= tree_edge_last(tree); i++)
    edges += tree_edges(tree)[i].child != 0;
  if (check->edges != edges)
    return wrong(check, "edges that belong to no node", check->edges);
  return true;
}

bool tree_check(const Tree *tree, NodeId root, char *message, size_t size) {
  Check check = {.tree = tree, .message = message, .size = size};
  check.alive = memory_new((size_t)tree_id_last(tree) + 1);
  bool fine = check_all(&check, root);
  memory_delete(check.alive);
  return fine;
}
