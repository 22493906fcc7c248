/* Recycling: a root goes in, the tree is left with what is worth keeping.

   1. Walk: every node reachable from the root is listed once, with the node it
      was first reached from, its parent here. Blocks are visited in memory
      order, since children are nearly always younger than their parents; blocks
      reached after the walk has passed them are visited at the end. (1 GiB of
      Connect Four: 0.2 s instead of 0.9 s breadth first.)
   2. Use (pruning only): a node's use is its number of visits, then its place
      (older blocks come first), as one number; or the highest use of the nodes
      reached from it, if that is higher. So whatever is kept is reached through
      nodes that are kept, in trees leaves go first, and in cyclic graphs rarely
      used nodes go even though they lead to others that stay. The lowest use
      to keep is found by counting bytes by use, digit by digit.
   3. Cut: links to nodes that go are removed; their edges become empty.
   4. Edges from the end of their array fill the empty ones.
   5. Slide: the remaining blocks move down in order and are hashed again.
   Blocks of nodes that were opened since (tree_node.h) are dead and go, too.

   Walk and use work in the memory of the hash table, which is rebuilt in the
   end: per id 4 bytes for the list, 4 for the parent, 4 for the use and one
   bit, which is less than the table has (tree_hash.h). Times for 1 GiB are in
   test/search/tree_test.c. */
#include <string.h>

#include "base/bits.h"
#include "search/tree_hash.h"
#include "search/tree_store.h"

static const uint32_t BEHIND = 1u << 31; /* flag of a parent: visit later */

/* A use: visits (12 bits), place (19), and whether the node was reached by an
   edge, which is no part of the order but is freed with the node. */
enum {
  DIGIT_BITS = 12,
  DIGITS = 1 << DIGIT_BITS,
  VISITS_SHIFT = 32 - DIGIT_BITS,
  PLACE_SHIFT = VISITS_SHIFT - DIGIT_BITS, /* the place's higher bits */
  PLACE_BITS = VISITS_SHIFT - 1,
  BY_EDGE = 1
};
static const uint32_t USE_KEEP = UINT32_MAX - BY_EDGE; /* must stay */

typedef struct Walk {
  Tree *tree;
  uint64_t *seen;       /* set of ids */
  NodeId *list;         /* nodes reached */
  uint32_t *parent;     /* by place in the list: id, perhaps with BEHIND */
  uint32_t *use;        /* by id */
  uint32_t count;       /* length of the list */
  uint32_t offset;      /* of the block being visited */
  uint64_t place_scale; /* place = offset * place_scale >> 32 */
  size_t blocks, edges; /* bytes reached */
} Walk;

/* ---- walk ---- */

static void begin_walk(Walk *walk, Tree *tree) {
  uint32_t ids = tree_id_last(tree) + 1;
  size_t words = ids / 64 + 1;
  *walk = (Walk){
      .tree = tree, .blocks = TREE_FIRST_BLOCK, .edges = sizeof(TreeEdge)};
  walk->seen = (void *)tree->parts[TREE_HASH].base;
  memset(walk->seen, 0, words * sizeof *walk->seen);
  walk->list = (uint32_t *)(walk->seen + words);
  walk->parent = walk->list + tree->count;
  walk->use = walk->parent + tree->count;
  assert((uint8_t *)(walk->use + ids) <=
         tree->parts[TREE_HASH].base + tree->parts[TREE_HASH].used);
  walk->place_scale = ((uint64_t)1 << (32 + PLACE_BITS)) /
                      (tree->parts[TREE_BLOCKS].used / TREE_UNIT);
}

static void reach(Walk *walk, NodeId id, NodeId parent, uint32_t use) {
  if (!bits_has(walk->seen, id)) {
    bits_add(walk->seen, id);
    bool behind = tree_offsets(walk->tree)[id] < walk->offset;
    walk->list[walk->count] = id;
    walk->parent[walk->count++] = behind ? parent | BEHIND : parent;
    walk->use[id] = use;
  }
  if (use >= USE_KEEP) walk->use[id] = use;
}

/* Visits in 12 bits: exact up to 255, then 8 significant bits. */
static uint32_t visits_digit(uint32_t visits) {
  if (visits < 256) return visits;
  uint32_t exponent = 31 - (uint32_t)__builtin_clz(visits);
  return 256 + (exponent - 8) * 128 + (visits >> (exponent - 7) & 127);
}

static void raise_use(uint32_t *use, uint32_t to) {
  if (*use < (to & ~(uint32_t)BY_EDGE))
    *use = (to & ~(uint32_t)BY_EDGE) | (*use & BY_EDGE);
}

/* The actions that children hang on; a closed node has none. */
static Action *links_of(const Tree *tree, Node *node, uint32_t *count) {
  *count = 0;
  return node->flags & NODE_CLOSED
             ? NULL
             : node_actions(tree, node, node->main, count);
}

static void visit(Walk *walk, Node *node) {
  const TreeEdge *edges = tree_edges(walk->tree);
  uint32_t count;
  const Action *actions = links_of(walk->tree, node, &count);
  uint64_t place = tree_offsets(walk->tree)[node->id] * walk->place_scale >> 32;
  uint32_t use = visits_digit(node->visits) << VISITS_SHIFT;
  use |= (uint32_t)place << 1;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t link = actions[i].child, child_use = 0;
    if (actions[i].pending) use = child_use = USE_KEEP;
    if (node->movers < 2) {
      if (link) reach(walk, link, node->id, child_use);
      continue;
    }
    for (; link; link = edges[link].next) {
      reach(walk, edges[link].child, node->id, child_use | BY_EDGE);
      walk->edges += sizeof(TreeEdge);
    }
  }
  raise_use(&walk->use[node->id], use);
  node->flags |= NODE_MARKED;
  walk->blocks += node_size(walk->tree, node);
}

static void walk_from(Walk *walk, NodeId root) {
  const Tree *tree = walk->tree;
  size_t place = (size_t)tree_offsets(tree)[root] * TREE_UNIT;
  walk->offset = tree_offsets(tree)[root];
  reach(walk, root, 0, USE_KEEP);
  for (Node *node; (node = node_next(tree, &place));) {
    walk->offset = (uint32_t)(place / TREE_UNIT);
    if (!(node->flags & NODE_DEAD) && bits_has(walk->seen, node->id))
      visit(walk, node);
  }
  for (uint32_t i = 0; i < walk->count; i++)
    if (walk->parent[i] & BEHIND) visit(walk, tree_node(tree, walk->list[i]));
}

/* ---- use ---- */

/* What is needed to reach a node is at least as useful as the node. */
static void spread_use(Walk *walk) {
  for (uint32_t i = walk->count; i-- > 1;)
    raise_use(&walk->use[walk->parent[i] & ~BEHIND], walk->use[walk->list[i]]);
}

typedef struct Amount {
  size_t bytes, nodes;
} Amount;

static bool covers(const Amount *amount, const Amount *needed) {
  return amount->bytes >= needed->bytes && amount->nodes >= needed->nodes;
}

/* Among the nodes whose use begins with `prefix`, returns the next digit up to
   and including which they amount to `needed`. `freed` is the amount below the
   prefix; the amount below the returned digit is added to it. */
static uint32_t choose_digit(const Walk *walk, const Amount *needed,
                             uint32_t prefix, uint32_t shift, Amount *freed) {
  static const uint32_t MASK = DIGITS - 1;
  Amount amounts[DIGITS] = {0};
  size_t place = TREE_FIRST_BLOCK;
  for (const Node *node; (node = node_next(walk->tree, &place));) {
    uint32_t use = walk->use[node->id] >> shift;
    if (!(node->flags & NODE_MARKED) || use >> DIGIT_BITS != prefix) continue;
    bool by_edge = walk->use[node->id] & BY_EDGE;
    size_t edge = by_edge ? sizeof(TreeEdge) : 0;
    amounts[use & MASK].bytes += node_size(walk->tree, node) + edge;
    amounts[use & MASK].nodes++;
  }
  uint32_t digit = 0;
  for (; digit < MASK; digit++) {
    Amount more = {.bytes = freed->bytes + amounts[digit].bytes,
                   .nodes = freed->nodes + amounts[digit].nodes};
    if (covers(&more, needed)) break;
    *freed = more;
  }
  return digit;
}

/* Returns the lowest use to keep so that `needed` is freed; USE_KEEP if even
   freeing everything permitted is not enough. */
static uint32_t choose_least(const Walk *walk, const Amount *needed) {
  Amount freed = {0};
  if (covers(&freed, needed)) return 0;
  uint32_t visits = choose_digit(walk, needed, 0, VISITS_SHIFT, &freed);
  if (visits == DIGITS - 1) return USE_KEEP;
  uint32_t place = choose_digit(walk, needed, visits, PLACE_SHIFT, &freed);
  return (visits << VISITS_SHIFT) + ((place + 1) << PLACE_SHIFT);
}

/* ---- cut ---- */

static void empty_edges(TreeEdge *edges, uint32_t edge) {
  for (; edge; edge = edges[edge].next) edges[edge].child = 0;
}

/* Removes edges to nodes of lower use from a chain. */
static void cut_chain(const Walk *walk, uint32_t *end, uint32_t least) {
  TreeEdge *edges = tree_edges(walk->tree);
  while (*end) {
    TreeEdge *edge = &edges[*end];
    if (walk->use[edge->child] >= least) {
      end = &edge->next;
    } else {
      *end = edge->next;
      edge->child = 0;
    }
  }
}

static void cut_node(const Walk *walk, Node *node, uint32_t least) {
  if (node->flags & NODE_DEAD) return;
  bool stays = (node->flags & NODE_MARKED) && walk->use[node->id] >= least;
  if (!stays) node->flags &= (uint8_t)~NODE_MARKED;
  if (!stays && node->movers < 2) return;
  uint32_t count;
  Action *actions = links_of(walk->tree, node, &count);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t *link = &actions[i].child;
    if (!stays)
      empty_edges(tree_edges(walk->tree), *link);
    else if (node->movers > 1)
      cut_chain(walk, link, least);
    else if (*link && walk->use[*link] < least)
      *link = 0;
  }
}

static void cut(const Walk *walk, uint32_t least) {
  if (!least && !tree_edge_last(walk->tree)) return;
  size_t place = TREE_FIRST_BLOCK;
  for (Node *node; (node = node_next(walk->tree, &place));)
    cut_node(walk, node, least);
}

/* ---- edges ---- */

/* Returns where an edge is now: those beyond `last` have moved and have their
   new place in `next`. */
static uint32_t moved(const TreeEdge *edges, uint32_t edge, uint32_t last) {
  return edge > last ? edges[edge].next : edge;
}

/* Fills empty edges from the end; returns the last edge in use. */
static uint32_t pack_edges(Tree *tree) {
  TreeEdge *edges = tree_edges(tree);
  uint32_t low = 1, high = tree_edge_last(tree);
  for (;; low++, high--) {
    while (low <= high && edges[low].child) low++;
    while (low <= high && !edges[high].child) high--;
    if (low > high) break;
    edges[low] = edges[high];
    edges[high] = (TreeEdge){.next = low};
  }
  for (uint32_t i = 1; i <= high; i++)
    edges[i].next = moved(edges, edges[i].next, high);
  return high;
}

static void set_first_edges(const Tree *tree, Node *node, uint32_t last) {
  if (node->movers < 2) return;
  uint32_t count;
  Action *actions = links_of(tree, node, &count);
  for (uint32_t i = 0; i < count; i++)
    actions[i].child = moved(tree_edges(tree), actions[i].child, last);
}

/* ---- slide ---- */

static void free_node(Tree *tree, NodeId id) {
  tree_offsets(tree)[id] = tree->free;
  tree->free = id;
  tree->count--;
  tree->statistics.recycled++;
}

static void slide(Tree *tree) {
  TreePart *blocks = &tree->parts[TREE_BLOCKS];
  tree_hash_clear(tree, tree_hash_slots(tree));
  uint32_t last_edge = pack_edges(tree);
  size_t to = TREE_FIRST_BLOCK, place = to;
  for (Node *node; (node = node_next(tree, &place));) {
    size_t size = node_size(tree, node), from = place - size;
    if (!(node->flags & NODE_MARKED)) {
      if (!(node->flags & NODE_DEAD)) free_node(tree, node->id);
      continue;
    }
    node->flags &= (uint8_t)~NODE_MARKED;
    set_first_edges(tree, node, last_edge);
    tree_hash_insert(tree, node);
    tree_offsets(tree)[node->id] = (uint32_t)(to / TREE_UNIT);
    if (to < from) memmove(blocks->base + to, node, size);
    to += size;
  }
  blocks->used = to;
  tree->parts[TREE_EDGES].used = ((size_t)last_edge + 1) * sizeof(TreeEdge);
  tree->statistics.recyclings++;
}

/* ---- keep and prune ---- */

void tree_keep(Tree *tree, NodeId root) {
  Walk walk;
  tree_close_stores(tree);
  begin_walk(&walk, tree);
  walk_from(&walk, root);
  cut(&walk, 0);
  slide(tree);
}

static size_t excess(size_t amount, size_t allowed) {
  return amount > allowed ? amount - allowed : 0;
}

/* Bytes to free so that the blocks can get one more granule: a part grows by
   whole granules only. */
static size_t granule_needed(const Walk *walk) {
  const Tree *tree = walk->tree;
  const size_t others[] = {walk->edges, tree->parts[TREE_OFFSETS].used,
                           tree->parts[TREE_HASH].used};
  size_t granule = tree->granule, granules = 1;
  for (int i = 0; i < 3; i++) granules += (others[i] + granule - 1) / granule;
  return excess(granules * granule + walk->blocks,
                tree->limit / granule * granule);
}

/* How much of the reached nodes must go so that `share` is free and something
   fits again. The hash table limits the number of ids unless it can be doubled
   within what will be free; if it cannot, that share of the ids must be freed
   as well. */
static Amount amount_needed(const Walk *walk, double share) {
  const Tree *tree = walk->tree;
  size_t all = tree->limit + sizeof(Tree);
  size_t used = sizeof(Tree) + walk->blocks + walk->edges +
                tree->parts[TREE_OFFSETS].used + tree->parts[TREE_HASH].used;
  size_t allowed = (size_t)((1 - share) * (double)all);
  size_t least = granule_needed(walk), slots = tree_hash_slots(tree);
  Amount needed = {.bytes = excess(used, allowed)};
  if (needed.bytes < least) needed.bytes = least;
  size_t growth = slots * sizeof(TreeSlot) + TREE_PARTS * tree->granule;
  if ((used < allowed ? used : allowed) + growth <= all) return needed;
  size_t ids = (size_t)((1 - share) * (double)tree_hash_ids(slots));
  needed.nodes = excess(walk->count, ids);
  return needed;
}

bool tree_prune(Tree *tree, NodeId root, double share) {
  Walk walk;
  tree_close_stores(tree);
  begin_walk(&walk, tree);
  walk_from(&walk, root);
  spread_use(&walk);
  Amount needed = amount_needed(&walk, share);
  uint32_t least = choose_least(&walk, &needed);
  cut(&walk, least);
  slide(tree);
  return least != USE_KEEP;
}
