/* The game tree against its slow twin, and at its limits: no memory, deep and
   cyclic graphs, more joint moves than fit into 64 bits.

   Processor time of recycling Connect Four nodes, one core of a busy machine:
   tree_prune to 30 % free takes about 0.65 s for each GiB (four million nodes).
   In a search whose tree is always full, that is 5 % of its time. */
#include <sys/mman.h>
#include <unistd.h>

#include "search/tree_check.h"
#include "search/tree_twin.h"

static void check(const Tree *tree, NodeId root) {
  char message[200] = "";
  if (!tree_check(tree, root, message, sizeof message)) fail_msg("%s", message);
}

/* Returns the bytes of all touched pages. */
static size_t resident(const Tree *tree) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  size_t pages = (tree->pages->size + page - 1) / page, touched = 0;
  unsigned char *in_core = memory_new(pages);
  assert_int_equal(mincore(tree->pages->address, tree->pages->size, in_core),
                   0);
  for (size_t i = 0; i < pages; i++) touched += in_core[i] & 1;
  memory_delete(in_core);
  return touched * page;
}

/* ---- random graphs ---- */

/* The first node that is not terminal becomes the root. */
static void plant(Twin *twin) {
  while (!twin->nodes.count || vector_last(&twin->nodes).terminal ||
         vector_last(&twin->nodes).closed)
    assert_true(twin_add(twin));
  twin->root = twin->nodes.count - 1;
}

static void grow(Twin *twin, uint32_t steps) {
  for (uint32_t i = 0; i < steps; i++) {
    uint32_t what = twin_below(twin, 5);
    if (what == 0 && !twin_add(twin)) break;
    if (what == 1) twin_visit(twin);
    if (what == 2) twin_open(twin);
    if (what >= 3) twin_link(twin);
  }
}

/* Marks the nodes that pruning must keep: the root, nodes with pending actions
   and the children of these actions. */
static void protect(const Twin *twin, const bool *reached, bool *stay) {
  stay[twin->root] = true;
  for (uint32_t i = 0; i < twin->nodes.count; i++) {
    const TwinNode *node = &twin->nodes.data[i];
    if (!reached[i] || node->terminal) continue;
    for (uint32_t joint = 0; joint < twin_joints(twin, node); joint++) {
      if (!node->pending[twin_main_action(twin, node, joint)]) continue;
      stay[i] = true;
      uint32_t child = node->children[joint];
      if (child) stay[child - 1] = true;
    }
  }
}

/* Returns true if a child stays: the node may have been kept to reach it. */
static bool leads_on(const Twin *twin, const TwinNode *node, const bool *stay) {
  if (node->terminal) return false;
  for (uint32_t joint = 0; joint < twin_joints(twin, node); joint++) {
    uint32_t child = node->children[joint];
    if (child && stay[child - 1]) return true;
  }
  return false;
}

/* Nodes that went were unreachable, or have no more visits than any that stayed
   for its own sake. */
static void check_choice(const Twin *twin, const bool *reached,
                         const bool *must, const bool *stay) {
  uint32_t most_gone = 0, least_kept = UINT32_MAX;
  for (uint32_t i = 0; i < twin->nodes.count; i++) {
    const TwinNode *node = &twin->nodes.data[i];
    if (!node->id) continue;
    assert_true(reached[i] || !stay[i]);
    assert_true(stay[i] || !must[i]);
    uint32_t visits = node->visits;
    if (reached[i] && !stay[i] && visits > most_gone) most_gone = visits;
    if (stay[i] && !must[i] && !leads_on(twin, node, stay) &&
        visits < least_kept)
      least_kept = visits;
  }
  /* visits are compared with eight significant bits */
  assert_true(most_gone - most_gone / 128 <= least_kept);
}

static bool prune(Twin *twin, double share) {
  uint32_t count = twin->nodes.count;
  bool *reached = memory_new(count), *must = memory_new(count);
  bool *stay = memory_new(count), *left = memory_new(count);
  twin_reach(twin, reached);
  protect(twin, reached, must);
  bool freed = tree_prune(twin->tree, twin->nodes.data[twin->root].id, share);
  size_t most = (size_t)((1 - share) * (double)twin->bytes);
  if (freed) assert_true(tree_bytes(twin->tree) <= most);
  twin_survey(twin, stay);
  check_choice(twin, reached, must, stay);
  twin_forget(twin, stay);
  twin_reach(twin, left);
  for (uint32_t i = 0; i < count; i++) assert_int_equal(stay[i], left[i]);
  memory_delete(reached);
  memory_delete(must);
  memory_delete(stay);
  memory_delete(left);
  return freed;
}

/* Moves the root to a child, as after a real move. */
static void advance(Twin *twin) {
  const TwinNode *node = &twin->nodes.data[twin->root];
  for (uint32_t joint = 0; joint < twin_joints(twin, node); joint++) {
    uint32_t child = node->children[joint];
    const TwinNode *next = child ? &twin->nodes.data[child - 1] : node;
    if (!child || next->terminal || next->closed) continue;
    twin->root = child - 1;
    return;
  }
}

static void test_random_graphs(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 60; seed++) {
    Twin twin;
    twin_init(&twin, 1 + (uint32_t)seed % TWIN_ROLES, 1 << 20, seed);
    plant(&twin);
    for (uint32_t round = 0; round < 8; round++) {
      grow(&twin, 400);
      twin_compare(&twin);
      if (round % 2) advance(&twin);
      if (round % 4 < 2)
        twin_keep(&twin);
      else
        prune(&twin, 0.93 + 0.01 * (double)round);
      twin_compare(&twin);
    }
    twin_free(&twin);
  }
}

/* Keeps the memory full through many rounds. */
static void load(size_t bytes, uint32_t rounds, uint64_t seed) {
  Twin twin;
  twin_init(&twin, 1 + (uint32_t)seed % TWIN_ROLES, bytes, seed);
  plant(&twin);
  for (uint32_t round = 0; round < rounds; round++) {
    grow(&twin, 1000);
    assert_true(tree_bytes(twin.tree) <= bytes);
    assert_true(resident(twin.tree) + sizeof(Tree) <= bytes);
    while (twin.alive < 100000 && twin_add(&twin)) {
      twin_link(&twin);
      twin_link(&twin);
    }
    twin_compare(&twin);
    twin_end_pending(&twin);
    assert_true(prune(&twin, 0.2 + 0.1 * (double)(round % 5)));
    twin_compare(&twin);
    assert_true(resident(twin.tree) + sizeof(Tree) <= bytes);
    assert_true(twin_add(&twin));
  }
  assert_int_equal(twin.tree->statistics.recyclings, rounds);
  assert_int_equal(twin.tree->statistics.added - twin.tree->statistics.recycled,
                   twin.alive);
  twin_free(&twin);
}

static void test_full_memory(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 8; seed++) load(64 << 10, 12, seed);
  for (uint64_t seed = 0; seed < 2; seed++) load(256 << 10, 6, 1 + seed);
  load(1 << 20, 4, 2);
}

/* ---- limits ---- */

static NodeId add(Tree *tree, uint64_t key, const uint32_t *counts) {
  static const uint32_t moves[4096];
  NodeSeed seed = {.key = key,
                   .state = &key,
                   .state_words = 1,
                   .move_counts = counts,
                   .moves = moves};
  return tree_add(tree, NULL, &seed);
}

static void test_any_size(void **state) {
  (void)state;
  const uint32_t counts[] = {2, 2};
  uint32_t before = 0;
  for (size_t bytes = 0; bytes < 80 << 10; bytes += 1111) {
    Tree *tree = tree_new(2, bytes);
    uint32_t count = 0;
    NodeId first = 0, last = 0;
    for (NodeId id; (id = add(tree, count, counts)); count++) {
      Node *parent = last ? tree_node(tree, last) : NULL;
      if (parent && !tree_link(tree, NULL, parent, (uint32_t[]){1, 1}, id))
        break;
      if (!first) first = id;
      last = id;
    }
    check(tree, first);
    assert_true(resident(tree) + sizeof(Tree) <= bytes || !bytes);
    assert_true(tree_bytes(tree) <= bytes || !count);
    assert_true(count >= before);
    before = count;
    if (count) {
      tree_keep(tree, first);
      check(tree, first);
      assert_false(tree_prune(tree, first, 1));
      assert_int_equal(tree_count(tree), 1);
      check(tree, first);
    }
    tree_delete(tree);
  }
  assert_true(before > 200);
}

static void test_ids_reused(void **state) {
  (void)state;
  const uint32_t counts[] = {3};
  Tree *tree = tree_new(1, 1 << 20);
  NodeId highest = 0, root = 0;
  for (uint64_t round = 0; round < 5; round++) {
    root = add(tree, round * 1000, counts);
    for (uint64_t i = 1; i < 500; i++) {
      NodeId id = add(tree, round * 1000 + i, counts);
      if (!round && id > highest) highest = id;
      assert_true(id && id <= highest + 1); /* plus the last root */
    }
    tree_keep(tree, root);
    assert_int_equal(tree_count(tree), 1);
    assert_int_equal(tree_node(tree, root)->key, round * 1000);
    check(tree, root);
  }
  tree_clear(tree);
  assert_int_equal(tree_count(tree), 0);
  assert_int_equal(tree_find(tree, 4000, (uint64_t[]){4000}, 1), 0);
  check(tree, 0);
  assert_int_equal(add(tree, 1, counts), 1);
  check(tree, 1);
  tree_delete(tree);
}

/* A chain of nodes closed to a ring; children younger or older than parents. */
static void test_deep(void **state) {
  (void)state;
  enum { DEPTH = 200000 };
  const uint32_t counts[] = {2};
  for (int older = 0; older < 2; older++) {
    Tree *tree = tree_new(1, 64 << 20);
    NodeId *ids = memory_new(DEPTH * sizeof *ids);
    for (uint64_t i = 0; i < DEPTH; i++) ids[i] = add(tree, i, counts);
    for (uint32_t i = 0; i < DEPTH; i++) {
      uint32_t next = (older ? i + DEPTH - 1 : i + 1) % DEPTH;
      Node *node = tree_node(tree, ids[i]);
      assert_true(tree_link(tree, NULL, node, (uint32_t[]){1}, ids[next]));
    }
    tree_keep(tree, ids[DEPTH / 2]);
    assert_int_equal(tree_count(tree), DEPTH);
    assert_true(tree_prune(tree, ids[DEPTH / 2], 0.9));
    assert_in_range(tree_count(tree), 1, DEPTH / 2);
    check(tree, ids[DEPTH / 2]);
    memory_delete(ids);
    tree_delete(tree);
  }
}

static void test_joint_moves(void **state) {
  (void)state;
  const uint32_t counts[] = {3, 1, 4, 2}, one[] = {1, 1, 1, 1};
  Tree *tree = tree_new(4, 1 << 20);
  NodeId root = add(tree, 0, counts);
  assert_int_equal(tree_node(tree, root)->main, 2);
  assert_int_equal(tree_node(tree, root)->movers, 3);
  for (uint32_t i = 0; i < 24; i++) {
    uint32_t choices[] = {i % 3, 0, i / 3 % 4, i / 12};
    Node *node = tree_node(tree, root);
    assert_int_equal(tree_child(tree, node, choices), 0);
    NodeId child = add(tree, 1 + i, one);
    assert_true(tree_link(tree, NULL, tree_node(tree, root), choices, child));
  }
  /* linking again redirects an edge */
  uint32_t again[] = {1, 0, 1, 1};
  assert_true(tree_link(tree, NULL, tree_node(tree, root), again, root));
  for (uint32_t i = 0; i < 24; i++) {
    uint32_t choices[] = {i % 3, 0, i / 3 % 4, i / 12};
    NodeId child = tree_child(tree, tree_node(tree, root), choices);
    bool other = !memcmp(choices, again, sizeof again);
    assert_int_equal(tree_node(tree, child)->key, other ? 0 : 1 + i);
  }
  check(tree, root);
  assert_int_equal(tree->statistics.linked, 25);
  tree_keep(tree, root);
  assert_int_equal(tree_count(tree), 24);
  check(tree, root);
  tree_delete(tree);
}

/* Nine roles with 257 moves: the joint moves of eight do not fit into 64
   bits. */
static void test_too_many_joint_moves(void **state) {
  (void)state;
  uint32_t counts[9], low[9] = {0}, high[9];
  for (uint32_t i = 0; i < 9; i++) counts[i] = 257, high[i] = 256;
  Tree *tree = tree_new(9, 1 << 20);
  NodeId root = add(tree, 0, counts), child = add(tree, 1, counts);
  Node *node = tree_node(tree, root);
  low[5] = 200;
  assert_true(tree_link(tree, NULL, node, low, child));
  assert_int_equal(tree_child(tree, node, low), child);
  assert_false(tree_link(tree, NULL, node, high, child));
  assert_int_equal(tree_child(tree, node, high), 0);
  check(tree, root);
  tree_delete(tree);
}

/* Equal keys with different states; states of no words. */
static void test_states(void **state) {
  (void)state;
  const uint32_t counts[] = {1}, moves[] = {7};
  uint64_t words[] = {1, 2, 3};
  NodeSeed seed = {.key = 5,
                   .state = words,
                   .state_words = 3,
                   .move_counts = counts,
                   .moves = moves};
  Tree *tree = tree_new(1, 1 << 20);
  NodeId first = tree_add(tree, NULL, &seed);
  words[2] = 4;
  assert_int_equal(tree_find(tree, 5, words, 3), 0);
  NodeId second = tree_add(tree, NULL, &seed);
  assert_int_equal(tree_find(tree, 5, words, 3), second);
  assert_int_equal(tree_find(tree, 5, words, 2), 0);
  assert_int_equal(tree_find(tree, 6, words, 3), 0);
  words[2] = 3;
  assert_int_equal(tree_find(tree, 5, words, 3), first);
  seed.state = NULL;
  seed.state_words = 0;
  assert_int_equal(tree_find(tree, 5, NULL, 0), 0);
  NodeId third = tree_add(tree, NULL, &seed);
  assert_int_equal(tree_find(tree, 5, NULL, 0), third);
  check(tree, first);
  tree_delete(tree);
}

/* A closed node takes little room and becomes any other when it is opened. */
static void test_closed(void **state) {
  (void)state;
  const uint32_t counts[] = {3, 2};
  uint64_t words[] = {6, 7};
  for (uint32_t large = 0; large < 2; large++) {
    uint32_t moves[] = {4, 3, 2, 1, large ? UINT32_MAX : UINT16_MAX};
    NodeSeed seed = {.key = 5,
                     .state = words,
                     .state_words = 2,
                     .move_counts = counts,
                     .moves = moves,
                     .closed = true};
    Tree *tree = tree_new(2, 1 << 20);
    tree_use(tree, 1u << COLUMN_bounds);
    NodeId root = tree_add(tree, NULL, &seed);
    const Node *node = tree_node(tree, root);
    assert_int_equal(node->flags,
                     large ? NODE_CLOSED | NODE_LONG : NODE_CLOSED);
    assert_int_equal(node_action_count(tree, node), 5);
    assert_true(node_size(tree, node) <= 48 + (large ? 24 : 16) + 16);
    assert_int_equal(tree_find(tree, 5, words, 2), root);
    check(tree, root);
    assert_non_null(tree_open(tree, NULL, tree_node(tree, root)));
    assert_non_null(tree_open(tree, NULL, tree_node(tree, root)));
    assert_int_equal(tree_count(tree), 1);
    assert_int_equal(tree_find(tree, 5, words, 2), root);
    uint32_t count;
    const Action *actions =
        node_actions(tree, tree_node(tree, root), 1, &count);
    assert_int_equal(count, 2);
    assert_int_equal(actions[0].move, 1);
    assert_int_equal(actions[1].move, moves[4]);
    check(tree, root);
    size_t before = tree_bytes(tree);
    tree_keep(tree, root); /* the dead block goes */
    assert_true(tree_bytes(tree) < before);
    check(tree, root);
    tree_delete(tree);
  }
}

/* ---- pruning ---- */

/* Of a root's many leaves, those with the fewest visits go. */
static void test_prune_order(void **state) {
  (void)state;
  enum { LEAVES = 2000 };
  const uint32_t counts[] = {LEAVES}, leaf_counts[] = {4};
  Tree *tree = tree_new(1, 1 << 20);
  NodeId root = add(tree, 0, counts), ids[LEAVES];
  for (uint32_t i = 0; i < LEAVES; i++) {
    ids[i] = add(tree, 1 + i, leaf_counts);
    Node *node = tree_node(tree, root);
    assert_true(tree_link(tree, NULL, node, (uint32_t[]){i}, ids[i]));
    tree_node(tree, ids[i])->visits = i * 7919 % 100;
  }
  size_t used = tree_bytes(tree), all = 1 << 20;
  double half = 1 - (double)used / (double)all + 0.25;
  assert_true(tree_prune(tree, root, half));
  size_t wanted = (size_t)((1 - half) * (double)all);
  assert_in_range(tree_bytes(tree), wanted - 2048, wanted);
  uint32_t least = 100, most = 0;
  for (uint32_t i = 0; i < LEAVES; i++) {
    uint32_t visits = i * 7919 % 100;
    NodeId id = tree_child(tree, tree_node(tree, root), (uint32_t[]){i});
    assert_true(!id || id == ids[i]);
    if (id && visits < least) least = visits;
    if (!id && visits > most) most = visits;
  }
  assert_true(most == least || most + 1 == least);
  check(tree, root);
  /* enough is free now: nothing goes */
  uint32_t count = tree_count(tree);
  assert_true(tree_prune(tree, root, half));
  assert_int_equal(tree_count(tree), count);
  tree_delete(tree);
}

/* Of equal nodes the oldest go, and no more than necessary; also if the
   children hang on edges. */
static void test_prune_oldest(void **state) {
  (void)state;
  enum { SIDE = 40, LEAVES = SIDE * SIDE };
  for (uint32_t movers = 1; movers <= 2; movers++) {
    const uint32_t counts[] = {movers == 1 ? LEAVES : SIDE,
                               movers == 1 ? 1 : SIDE};
    Tree *tree = tree_new(2, 1 << 20);
    NodeId root = add(tree, 0, counts);
    for (uint32_t i = 0; i < LEAVES; i++) {
      NodeId id = add(tree, 1 + i, (uint32_t[]){2, 1});
      Node *node = tree_node(tree, root);
      uint32_t choices[] = {i % counts[0], i / counts[0]};
      assert_true(tree_link(tree, NULL, node, choices, id));
    }
    size_t wanted = tree_bytes(tree) - tree_bytes(tree) / 4;
    double share = 1 - (double)wanted / (1 << 20);
    assert_true(tree_prune(tree, root, share));
    assert_in_range(tree_bytes(tree), wanted - 1024, wanted);
    bool kept = false;
    for (uint64_t i = 0; i < LEAVES; i++) {
      NodeId id = tree_find(tree, 1 + i, (uint64_t[]){1 + i}, 1);
      assert_true(id || !kept);
      kept = id != 0;
    }
    assert_true(kept);
    check(tree, root);
    tree_delete(tree);
  }
}

/* Whichever was full, blocks or hash table, has room after pruning. */
static void test_room_after_pruning(void **state) {
  (void)state;
  const uint32_t counts[] = {2};
  for (size_t bytes = 60 << 10; bytes < 240 << 10; bytes += 4096) {
    Tree *tree = tree_new(1, bytes);
    uint32_t count = 0;
    NodeId ids[2048];
    while ((ids[count] = add(tree, count, counts))) {
      uint32_t parent = (count - 1) / 2;
      if (count)
        tree_link(tree, NULL, tree_node(tree, ids[parent]),
                  (uint32_t[]){(count - 1) % 2}, ids[count]);
      count++;
    }
    assert_true(tree_prune(tree, ids[0], 0.02));
    assert_in_range(tree_count(tree), count / 2, count - 1);
    assert_true(add(tree, count, counts));
    check(tree, ids[0]);
    tree_delete(tree);
  }
}

/* Pages of recycled nodes are used for edges. */
static void test_pages_reused(void **state) {
  (void)state;
  enum { SIDE = 50 };
  const uint32_t counts[] = {SIDE, SIDE}, one[] = {1, 1};
  size_t bytes = 64 << 10;
  Tree *tree = tree_new(2, bytes);
  NodeId root = add(tree, 0, counts);
  for (uint64_t i = 1; add(tree, i, one);) i++;
  tree_keep(tree, root);
  for (uint32_t i = 0; i < SIDE * SIDE / 2; i++)
    assert_true(tree_link(tree, NULL, tree_node(tree, root),
                          (uint32_t[]){i % SIDE, i / SIDE}, root));
  assert_true(resident(tree) + sizeof(Tree) <= bytes);
  check(tree, root);
  tree_delete(tree);
}

/* Memory is committed ahead of use, in small steps and within the limit. */
static void test_ahead(void **state) {
  (void)state;
  const uint32_t counts[] = {20};
  size_t bytes = 8 << 20, ahead = 0;
  Tree *tree = tree_new(1, bytes);
  uint32_t count = 0;
  for (NodeId id; (id = add(tree, count, counts)); count++) {
    TreeRange range = tree_ahead(tree);
    assert_true(range.bytes <= bytes / 16 + tree->granule);
    assert_int_equal(tree->touching, range.bytes > 0);
    tree_touch(range);
    if (range.bytes) memset(range.base, 1, range.bytes);
    tree_touched(tree, range);
    assert_int_equal(tree->touching, 0);
    ahead += range.bytes;
    if (count == 100)
      assert_true(resident(tree) <= 2 * tree_bytes(tree) + 65536);
  }
  assert_true(ahead > bytes / 2 && ahead <= bytes);
  assert_true(resident(tree) + sizeof(Tree) <= bytes);
  check(tree, 1);
  tree_delete(tree);
}

/* While a range is being touched, no page goes back to the system. */
static void test_ahead_and_full(void **state) {
  (void)state;
  const uint32_t counts[] = {20};
  size_t bytes = 1 << 20;
  Tree *tree = tree_new(1, bytes);
  TreeRange range = {0};
  uint32_t count = 0;
  while (!range.bytes && add(tree, count++, counts)) range = tree_ahead(tree);
  assert_true(range.bytes);
  while (add(tree, count, counts)) count++;
  assert_true(resident(tree) + sizeof(Tree) <= bytes);
  tree_touch(range);
  assert_true(resident(tree) + sizeof(Tree) <= bytes);
  tree_touched(tree, range);
  check(tree, 1);
  tree_delete(tree);
}

/* A rarely visited node stays if it is the only way to a useful one, and goes
   if there is another way. */
static void test_prune_links(void **state) {
  (void)state;
  const uint32_t counts[] = {3};
  for (uint32_t otherwise = 0; otherwise < 2; otherwise++) {
    Tree *tree = tree_new(1, 1 << 20);
    NodeId root = add(tree, 0, counts), seldom = add(tree, 1, counts);
    NodeId often = add(tree, 2, counts), pending = add(tree, 3, counts);
    NodeId leaf = add(tree, 4, counts);
    tree_node(tree, root)->visits = 1000;
    tree_node(tree, often)->visits = 900;
    tree_node(tree, seldom)->visits = 5;
    Node *node = tree_node(tree, root);
    uint32_t count;
    tree_link(tree, NULL, node, (uint32_t[]){1}, seldom);
    tree_link(tree, NULL, node, (uint32_t[]){2}, pending);
    if (otherwise) tree_link(tree, NULL, node, (uint32_t[]){0}, often);
    tree_link(tree, NULL, tree_node(tree, seldom), (uint32_t[]){2}, often);
    tree_link(tree, NULL, tree_node(tree, often), (uint32_t[]){0}, seldom);
    node = tree_node(tree, pending);
    tree_link(tree, NULL, node, (uint32_t[]){1}, leaf);
    node_actions(tree, node, 0, &count)[1].pending = 1;
    NodeId extra = add(tree, 5, counts);
    tree_link(tree, NULL, tree_node(tree, leaf), (uint32_t[]){1}, extra);
    /* free a little, so that one node goes; then as much as possible */
    size_t size = tree_bytes(tree) - sizeof(uint64_t);
    double share = 1 - (double)size / (1 << 20);
    assert_true(tree_prune(tree, root, share));
    assert_int_equal(tree_count(tree), 5);
    assert_int_equal(tree_find(tree, 5, (uint64_t[]){5}, 1), 0);
    assert_int_equal(tree_child(tree, tree_node(tree, leaf), (uint32_t[]){1}),
                     0);
    size = tree_bytes(tree) - sizeof(uint64_t);
    share = 1 - (double)size / (1 << 20);
    assert_true(tree_prune(tree, root, share));
    assert_int_equal(tree_count(tree), otherwise ? 4 : 3);
    bool left = tree_find(tree, 2, (uint64_t[]){2}, 1) != 0;
    assert_int_equal(left, otherwise);
    assert_false(tree_prune(tree, root, 1));
    assert_int_equal(tree_count(tree), 3);
    check(tree, root);
    tree_delete(tree);
  }
}

/* tree_check finds broken trees. */
static void test_check(void **state) {
  (void)state;
  const uint32_t counts[] = {2, 1};
  char message[200];
  Tree *tree = tree_new(2, 1 << 20);
  NodeId root = add(tree, 0, counts), child = add(tree, 1, counts);
  Node *node = tree_node(tree, root);
  uint32_t count;
  assert_true(tree_link(tree, NULL, node, (uint32_t[]){1, 0}, child));
  Action *actions = node_actions(tree, node, 0, &count);
  assert_true(tree_check(tree, root, message, sizeof message));
  assert_false(tree_check(tree, 3, message, sizeof message));
  actions[0].child = 9;
  assert_false(tree_check(tree, root, message, sizeof message));
  actions[0].child = 0;
  actions[2].child = child;
  assert_false(tree_check(tree, root, message, sizeof message));
  actions[2].child = 0;
  node->key = 7;
  assert_false(tree_check(tree, root, message, sizeof message));
  node->key = 0;
  node->main = 1;
  assert_false(tree_check(tree, root, message, sizeof message));
  node->main = 0;
  node->flags = NODE_MARKED;
  assert_false(tree_check(tree, root, message, sizeof message));
  node->flags = 0;
  assert_true(tree_check(tree, root, message, sizeof message));
  tree_delete(tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_full_memory),
      cmocka_unit_test(test_any_size),
      cmocka_unit_test(test_ids_reused),
      cmocka_unit_test(test_deep),
      cmocka_unit_test(test_joint_moves),
      cmocka_unit_test(test_too_many_joint_moves),
      cmocka_unit_test(test_states),
      cmocka_unit_test(test_closed),
      cmocka_unit_test(test_prune_order),
      cmocka_unit_test(test_prune_oldest),
      cmocka_unit_test(test_room_after_pruning),
      cmocka_unit_test(test_pages_reused),
      cmocka_unit_test(test_ahead),
      cmocka_unit_test(test_ahead_and_full),
      cmocka_unit_test(test_prune_links),
      cmocka_unit_test(test_check),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
