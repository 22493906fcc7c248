/* Several threads in one tree: they add the same states in different orders,
   open nodes, link them, count visits, until there is no room; nothing is there
   twice, nothing is lost. */
#include <pthread.h>

#include "base/random.h"
#include "search/tree_check.h"
#include "search/tree_share.h"
#include "support/unit.h"

enum { THREADS = 4, STATES = 3000, MOVES = 3 };

typedef struct Party Party;

typedef struct Guest {
  Party *party;
  uint32_t number;
  pthread_t thread;
  NodeId ids[STATES]; /* 0: no room */
} Guest;

struct Party {
  Tree *tree;
  NodeId root;
  uint32_t roles;
  TreeStore stores[THREADS];
  Guest guests[THREADS];
};

static NodeId put(Party *party, TreeStore *store, uint64_t state) {
  static const uint32_t moves[] = {1, 2, 3, 4, 5, 6};
  static const uint32_t counts[] = {MOVES, MOVES};
  uint64_t words[] = {state, ~state};
  NodeSeed seed = {.key = state / 2, /* two states have one key */
                   .state = words,
                   .state_words = 2,
                   .move_counts = counts,
                   .moves = moves,
                   .closed = true};
  NodeId id = tree_find(party->tree, seed.key, words, 2);
  return id ? id : tree_add(party->tree, store, &seed);
}

/* Opens the root's child, counts a visit, links a state. */
static void visit(Party *party, TreeStore *store, NodeId parent, NodeId child,
                  uint32_t choice) {
  const uint32_t choices[] = {choice % MOVES, choice / MOVES % MOVES};
  Node *node = tree_lock(party->tree, parent);
  Node *open = tree_open(party->tree, store, node);
  if (open) {
    open->visits++;
    node_all(party->tree, open)[choices[0]].visits++;
    tree_link(party->tree, store, open, choices, child);
  }
  tree_unlock(party->tree, open ? open : node);
}

static void *celebrate(void *argument) {
  Guest *guest = argument;
  Party *party = guest->party;
  TreeStore *store = &party->stores[guest->number];
  uint32_t order[STATES];
  Random random;
  random_seed(&random, guest->number);
  for (uint32_t i = 0; i < STATES; i++) order[i] = i;
  for (uint32_t i = STATES; i > 1; i--) {
    uint32_t k = random_below(&random, i), kept = order[i - 1];
    order[i - 1] = order[k];
    order[k] = kept;
  }
  for (uint32_t i = 0; i < STATES; i++) {
    NodeId id = put(party, store, 1 + order[i]);
    guest->ids[order[i]] = id;
    if (id) visit(party, store, party->root, id, order[i]);
    if (id && i) visit(party, store, id, party->root, order[i]);
  }
  return NULL;
}

static void celebrate_all(Party *party, uint32_t roles, size_t bytes,
                          uint32_t spare) {
  party->tree = tree_new(roles, bytes);
  party->roles = roles;
  party->root = put(party, NULL, 0);
  tree_share(party->tree, party->stores, THREADS, spare);
  for (uint32_t i = 0; i < THREADS; i++) {
    Guest *guest = &party->guests[i];
    guest->party = party;
    guest->number = i;
    assert_int_equal(pthread_create(&guest->thread, NULL, celebrate, guest), 0);
  }
  for (uint32_t i = 0; i < THREADS; i++)
    pthread_join(party->guests[i].thread, NULL);
}

static void check(Party *party) {
  char message[200];
  if (!tree_check(party->tree, party->root, message, sizeof message))
    fail_msg("%s", message);
}

/* Every thread found the same node for a state, and no other has it. */
static uint32_t check_ids(Party *party) {
  static uint8_t taken[THREADS * STATES + THREADS * TREE_STORE_IDS + 2];
  uint32_t found = 0;
  memset(taken, 0, sizeof taken);
  for (uint32_t i = 0; i < STATES; i++) {
    NodeId id = 0;
    for (uint32_t k = 0; k < THREADS; k++) {
      NodeId other = party->guests[k].ids[i];
      if (id && other) assert_int_equal(other, id);
      if (other) id = other;
    }
    if (!id) continue;
    assert_true(id < sizeof taken && !taken[id]++);
    found++;
  }
  return found;
}

static void test_share(void **state) {
  (void)state;
  for (uint32_t roles = 1; roles <= 2; roles++) {
    static Party party;
    celebrate_all(&party, roles, 8 << 20, 2 * STATES);
    assert_int_equal(check_ids(&party), STATES);
    assert_int_equal(tree_count(party.tree), STATES + 1);
    tree_unshare(party.tree);
    assert_int_equal(tree_count(party.tree), STATES + 1);
    Node *root = tree_node(party.tree, party.root);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < MOVES; i++)
      sum += node_all(party.tree, root)[i].visits;
    assert_true(root->visits >= THREADS * STATES);
    assert_int_equal(sum, root->visits);
    check(&party);
    tree_keep(party.tree, party.root);
    check(&party);
    assert_true(put(&party, NULL, STATES + 1));
    check(&party);
    tree_delete(party.tree);
  }
}

/* Where there is no room some states are missing; after pruning there is room
   again, for threads too. */
static void test_full(void **state) {
  (void)state;
  for (uint32_t roles = 1; roles <= 2; roles++) {
    static Party party;
    celebrate_all(&party, roles, 256 << 10, 1500);
    uint32_t found = check_ids(&party);
    assert_true(found > 100 && found < STATES);
    assert_true(tree_prune(party.tree, party.root, 0.3));
    check(&party);
    uint32_t count = tree_count(party.tree);
    assert_true(count < found);
    assert_true(put(&party, &party.stores[1], STATES + 1));
    assert_int_equal(tree_count(party.tree), count + 1);
    tree_unshare(party.tree);
    check(&party);
    assert_true(tree_bytes(party.tree) <= 256 << 10);
    tree_delete(party.tree);
  }
}

/* A table that is too small says so, grows, and knows what it knew. */
static void test_cramped(void **state) {
  (void)state;
  static Party party;
  celebrate_all(&party, 1, 8 << 20, 10);
  uint32_t found = check_ids(&party);
  assert_true(found < STATES);
  assert_true(tree_cramped(party.tree));
  party.tree->spare = STATES;
  assert_true(tree_relieve(party.tree));
  assert_false(tree_cramped(party.tree));
  for (uint32_t i = 0; i < STATES; i++)
    assert_true(put(&party, &party.stores[i % THREADS], 1 + i));
  assert_int_equal(tree_count(party.tree), STATES + 1);
  tree_unshare(party.tree);
  check(&party);
  tree_delete(party.tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_share),
                                     cmocka_unit_test(test_full),
                                     cmocka_unit_test(test_cramped)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
