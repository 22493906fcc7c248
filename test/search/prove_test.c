/* Exact values: by hand for one, two and three roles and for simultaneous
   moves, and on random games against exhaustive minimax. */
#include "search/prove.h"

#include "base/random.h"
#include "support/unit.h"

enum { ROLES_MOST = 3, POSITIONS = 60, CHILDREN_MOST = 27 };

/* Every role wants its own goal. */
static Aim own_goals(const Tree *tree, int *best) {
  return (Aim){
      .own = 1, .step = 1, .role_count = tree->role_count, .best = best};
}

static NodeId add(Tree *tree, const uint32_t *counts, const int *goals) {
  static const uint32_t moves[16];
  uint64_t key = tree_count(tree);
  NodeSeed seed = {.key = key,
                   .state = &key,
                   .state_words = 1,
                   .move_counts = counts,
                   .moves = moves,
                   .goals = goals};
  NodeId id = tree_add(tree, NULL, &seed);
  assert_true(id);
  return id;
}

/* Links a terminal child with these goals. */
static void end(Tree *tree, NodeId id, const uint32_t *choices,
                const int *goals) {
  NodeId child = add(tree, NULL, goals);
  assert_true(tree_link(tree, NULL, tree_node(tree, id), choices, child));
}

static bool prove(Tree *tree, NodeId id) {
  int hundred[ROLES_MOST] = {100, 100, 100};
  Aim aim = own_goals(tree, hundred);
  return prove_node(tree, tree_node(tree, id), &aim);
}

static void expect_goals(Tree *tree, NodeId id, const int *goals) {
  Node *node = tree_node(tree, id);
  assert_true(node->flags & NODE_PROVEN);
  for (uint32_t role = 0; role < tree->role_count; role++)
    assert_int_equal(node_goals(tree, node)[role], goals[role]);
}

static Action *action(Tree *tree, NodeId id, uint32_t role, uint32_t choice) {
  uint32_t count;
  return node_actions(tree, tree_node(tree, id), role, &count) + choice;
}

#define CHOICES(...) ((const uint32_t[]){__VA_ARGS__})
#define GOALS(...) ((const int[]){__VA_ARGS__})

/* ---- by hand ---- */

static void test_one_role(void **state) {
  (void)state;
  Tree *tree = tree_new(1, 1 << 20);
  NodeId root = add(tree, CHOICES(3), NULL);
  assert_false(prove(tree, root));
  end(tree, root, CHOICES(0), GOALS(30));
  end(tree, root, CHOICES(2), GOALS(60));
  assert_false(prove(tree, root)); /* the third might be 100 */
  assert_int_equal(action(tree, root, 0, 0)->exact, 30);
  assert_int_equal(action(tree, root, 0, 1)->exact, -1);
  assert_int_equal(action(tree, root, 0, 2)->exact, 60);
  int sixty = 60; /* unless the rules have no higher goal */
  Aim aim = own_goals(tree, &sixty);
  assert_true(prove_node(tree, tree_node(tree, root), &aim));
  expect_goals(tree, root, GOALS(60));
  assert_false(prove(tree, root)); /* it is already */
  tree_delete(tree);
}

static void test_two_roles(void **state) {
  (void)state;
  Tree *tree = tree_new(2, 1 << 20);
  NodeId root = add(tree, CHOICES(2, 1), NULL);
  NodeId reply = add(tree, CHOICES(1, 2), NULL);
  tree_link(tree, NULL, tree_node(tree, root), CHOICES(0, 0), reply);
  assert_false(prove(tree, reply));
  end(tree, reply, CHOICES(0, 0), GOALS(100, 0));
  assert_false(prove(tree, reply));
  end(tree, reply, CHOICES(0, 1), GOALS(50, 50));
  assert_true(prove(tree, reply)); /* the second role takes the draw */
  expect_goals(tree, reply, GOALS(50, 50));
  assert_int_equal(action(tree, reply, 1, 0)->exact, 0);
  assert_int_equal(action(tree, reply, 1, 1)->exact, 50);
  assert_false(prove(tree, root));
  assert_int_equal(action(tree, root, 0, 0)->exact, 50);
  end(tree, root, CHOICES(1, 0), GOALS(100, 0));
  assert_true(prove(tree, root));
  expect_goals(tree, root, GOALS(100, 0));
  tree_delete(tree);
}

/* Moves that are equal for the mover but not for the others prove nothing,
   unless no higher goal exists. */
static void test_ties(void **state) {
  (void)state;
  Tree *tree = tree_new(3, 1 << 20);
  NodeId node = add(tree, CHOICES(1, 3, 1), NULL);
  end(tree, node, CHOICES(0, 0, 0), GOALS(100, 40, 0));
  end(tree, node, CHOICES(0, 1, 0), GOALS(0, 40, 100));
  end(tree, node, CHOICES(0, 2, 0), GOALS(0, 10, 0));
  assert_false(prove(tree, node));
  int best[] = {100, 40, 100};
  Aim aim = own_goals(tree, best);
  assert_true(prove_node(tree, tree_node(tree, node), &aim));
  expect_goals(tree, node, GOALS(100, 40, 0));
  NodeId other = add(tree, CHOICES(1, 3, 1), NULL);
  end(tree, other, CHOICES(0, 0, 0), GOALS(0, 40, 100));
  end(tree, other, CHOICES(0, 1, 0), GOALS(0, 40, 100));
  assert_false(prove(tree, other));
  end(tree, other, CHOICES(0, 2, 0), GOALS(0, 10, 0));
  assert_true(prove(tree, other));
  expect_goals(tree, other, GOALS(0, 40, 100));
  tree_delete(tree);
}

static void test_nobody_chooses(void **state) {
  (void)state;
  Tree *tree = tree_new(3, 1 << 20);
  NodeId ids[20];
  for (uint32_t i = 0; i < 20; i++) {
    ids[i] = add(tree, CHOICES(1, 1, 1), NULL);
    if (i)
      tree_link(tree, NULL, tree_node(tree, ids[i - 1]), CHOICES(0, 0, 0),
                ids[i]);
  }
  assert_false(prove(tree, ids[19]));
  end(tree, ids[19], CHOICES(0, 0, 0), GOALS(10, 20, 30));
  for (uint32_t i = 20; i-- > 0;) {
    assert_true(prove(tree, ids[i]));
    expect_goals(tree, ids[i], GOALS(10, 20, 30));
    for (uint32_t role = 0; role < 3; role++)
      assert_int_equal(action(tree, ids[i], role, 0)->exact,
                       10 * (int)(role + 1));
  }
  tree_delete(tree);
}

static void test_simultaneous(void **state) {
  (void)state;
  for (uint32_t odd = 0; odd <= 12; odd++) { /* 12: none */
    Tree *tree = tree_new(3, 1 << 20);
    NodeId root = add(tree, CHOICES(2, 3, 2), NULL);
    for (uint32_t i = 0; i < 12; i++) {
      assert_false(prove(tree, root));
      bool other = i == odd;
      end(tree, root, CHOICES(i % 2, i / 2 % 3, i / 6),
          other ? GOALS(100, 0, 1) : GOALS(100, 0, 0));
    }
    assert_int_equal(prove(tree, root), odd == 12);
    if (odd == 12) expect_goals(tree, root, GOALS(100, 0, 0));
    assert_int_equal(action(tree, root, 1, 0)->exact, -1);
    tree_delete(tree);
  }
}

/* Two nodes that lead to each other prove nothing; a terminal child does. */
static void test_cycle(void **state) {
  (void)state;
  Tree *tree = tree_new(2, 1 << 20);
  NodeId a = add(tree, CHOICES(2, 1), NULL), b = add(tree, CHOICES(1, 2), NULL);
  tree_link(tree, NULL, tree_node(tree, a), CHOICES(0, 0), b);
  tree_link(tree, NULL, tree_node(tree, b), CHOICES(0, 0), a);
  tree_link(tree, NULL, tree_node(tree, b), CHOICES(0, 1), b);
  end(tree, a, CHOICES(1, 0), GOALS(0, 100));
  assert_false(prove(tree, a));
  assert_false(prove(tree, b));
  assert_false(prove(tree, a));
  end(tree, b, CHOICES(0, 1), GOALS(0, 100));
  assert_true(prove(tree, b));
  assert_true(prove(tree, a));
  expect_goals(tree, a, GOALS(0, 100));
  tree_delete(tree);
}

/* The value of a recycled child still counts unless it is the best: then the
   goals of the other roles are needed. */
static void test_recycled_child(void **state) {
  (void)state;
  for (uint32_t gone = 0; gone < 2; gone++) {
    Tree *tree = tree_new(2, 1 << 20);
    NodeId root = add(tree, CHOICES(3, 1), NULL);
    end(tree, root, CHOICES(0, 0), GOALS(gone ? 80 : 20, 0));
    assert_false(prove(tree, root));
    action(tree, root, 0, 0)->child = 0; /* as pruning leaves it */
    end(tree, root, CHOICES(1, 0), GOALS(50, 50));
    end(tree, root, CHOICES(2, 0), GOALS(40, 60));
    assert_int_equal(prove(tree, root), !gone);
    end(tree, root, CHOICES(0, 0), GOALS(gone ? 80 : 20, 0));
    assert_int_equal(prove(tree, root), gone);
    expect_goals(tree, root, gone ? GOALS(80, 0) : GOALS(50, 50));
    tree_delete(tree);
  }
}

/* A tie for the mover, but the other role's goal is lost for one child. */
static void test_recycled_tie(void **state) {
  (void)state;
  Tree *tree = tree_new(2, 1 << 20);
  NodeId root = add(tree, CHOICES(2, 1), NULL);
  end(tree, root, CHOICES(0, 0), GOALS(50, 0));
  assert_false(prove(tree, root));
  action(tree, root, 0, 0)->child = 0;
  end(tree, root, CHOICES(1, 0), GOALS(50, 50));
  assert_false(prove(tree, root));
  end(tree, root, CHOICES(0, 0), GOALS(50, 50));
  assert_true(prove(tree, root));
  tree_delete(tree);
}

/* Wins take the shortest way, losses the longest, also if shorter ways are
   found after the proof. */
static void test_distance(void **state) {
  (void)state;
  Tree *tree = tree_new(2, 1 << 20);
  int best[] = {100, 100};
  Aim aim = own_goals(tree, best);
  NodeId root = add(tree, CHOICES(2, 1), NULL);
  NodeId reply = add(tree, CHOICES(1, 3), NULL);
  NodeId way[2] = {add(tree, CHOICES(1, 1), NULL),
                   add(tree, CHOICES(1, 1), NULL)};
  end(tree, root, CHOICES(0, 0), GOALS(0, 100));
  tree_link(tree, NULL, tree_node(tree, root), CHOICES(1, 0), reply);
  tree_link(tree, NULL, tree_node(tree, reply), CHOICES(0, 1), way[0]);
  tree_link(tree, NULL, tree_node(tree, way[0]), CHOICES(0, 0), way[1]);
  end(tree, way[1], CHOICES(0, 0), GOALS(0, 100));
  for (uint32_t i = 2; i-- > 0;) assert_true(prove(tree, way[i]));
  assert_true(prove(tree, reply));
  assert_true(prove(tree, root));
  assert_int_equal(tree_node(tree, reply)->distance, 3);
  assert_int_equal(tree_node(tree, root)->distance, 4);
  assert_int_equal(action(tree, root, 0, 0)->distance, 1);
  assert_int_equal(action(tree, root, 0, 1)->distance, 4);
  end(tree, reply, CHOICES(0, 0), GOALS(100, 0));
  assert_false(prove_shorten(tree, tree_node(tree, reply), &aim));
  end(tree, reply, CHOICES(0, 2), GOALS(0, 100));
  assert_true(prove_shorten(tree, tree_node(tree, reply), &aim));
  assert_true(prove_shorten(tree, tree_node(tree, root), &aim));
  assert_int_equal(tree_node(tree, reply)->distance, 1);
  assert_int_equal(tree_node(tree, root)->distance, 2);
  assert_false(prove_shorten(tree, tree_node(tree, root), &aim));
  tree_delete(tree);
}

/* Roles that want the difference: the highest own goal is not the best. */
static void test_difference(void **state) {
  (void)state;
  Tree *tree = tree_new(2, 1 << 20);
  int best[] = {100, 100};
  Aim aim = {.own = 0.5,
             .other = -0.5,
             .constant = 50,
             .step = 1,
             .role_count = 2,
             .best = best};
  NodeId root = add(tree, CHOICES(2, 1), NULL);
  end(tree, root, CHOICES(0, 0), GOALS(100, 100));
  assert_false(prove_node(tree, tree_node(tree, root), &aim));
  assert_int_equal(action(tree, root, 0, 0)->exact, 50);
  end(tree, root, CHOICES(1, 0), GOALS(40, 0));
  assert_true(prove_node(tree, tree_node(tree, root), &aim));
  assert_int_equal(action(tree, root, 0, 1)->exact, 70);
  expect_goals(tree, root, GOALS(40, 0));
  tree_delete(tree);
}

/* ---- random games ---- */

typedef struct Position {
  bool terminal;
  int goals[ROLES_MOST];
  uint32_t counts[ROLES_MOST];
  uint32_t children[CHILDREN_MOST]; /* by joint move */
} Position;

typedef struct Graph {
  uint32_t roles;
  int best[ROLES_MOST];
  Position positions[POSITIONS];
  Tree *tree;
  NodeId ids[POSITIONS];
} Graph;

static uint32_t joint_count(const Graph *graph, const Position *position) {
  uint32_t product = 1;
  for (uint32_t role = 0; role < graph->roles; role++)
    product *= position->counts[role];
  return product;
}

static void random_goals(const Graph *graph, Random *random, int *goals) {
  for (uint32_t role = 0; role < graph->roles; role++)
    goals[role] = 25 * (int)random_below(random, 5);
  if (graph->roles == 2) goals[1] = 100 - goals[0];
}

/* Children have higher numbers, or any in cyclic graphs. At most `movers` roles
   have a choice. */
static void random_position(Graph *graph, Random *random, uint32_t index,
                            bool cyclic, uint32_t movers) {
  Position *position = &graph->positions[index];
  *position = (Position){.counts = {1, 1, 1}};
  position->terminal = index + 5 >= POSITIONS || !random_below(random, 6);
  if (position->terminal) {
    random_goals(graph, random, position->goals);
    return;
  }
  for (uint32_t i = 0; i < movers; i++)
    position->counts[random_below(random, graph->roles)] =
        1 + random_below(random, 3);
  for (uint32_t i = 0; i < joint_count(graph, position); i++)
    position->children[i] =
        cyclic ? random_below(random, POSITIONS)
               : index + 1 + random_below(random, POSITIONS - index - 1);
}

/* Adds all positions as nodes, and each link with this chance in per cent. */
static void plant(Graph *graph, Random *random, uint32_t chance) {
  graph->tree = tree_new(graph->roles, 1 << 20);
  for (uint32_t i = 0; i < POSITIONS; i++) {
    const Position *position = &graph->positions[i];
    graph->ids[i] =
        add(graph->tree, position->terminal ? NULL : position->counts,
            position->terminal ? position->goals : NULL);
  }
  for (uint32_t i = 0; i < POSITIONS; i++) {
    const Position *position = &graph->positions[i];
    if (position->terminal) continue;
    for (uint32_t j = 0; j < joint_count(graph, position); j++) {
      uint32_t choices[ROLES_MOST], rest = j;
      for (uint32_t role = 0; role < graph->roles; role++) {
        choices[role] = rest % position->counts[role];
        rest /= position->counts[role];
      }
      if (random_below(random, 100) < chance)
        tree_link(graph->tree, NULL, tree_node(graph->tree, graph->ids[i]),
                  choices, graph->ids[position->children[j]]);
    }
  }
}

/* Proves in random order until nothing changes. */
static void settle(Graph *graph, Random *random) {
  uint32_t order[POSITIONS];
  Aim aim = own_goals(graph->tree, graph->best);
  for (uint32_t i = 0; i < POSITIONS; i++) {
    uint32_t j = random_below(random, i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < POSITIONS; i++) {
      Node *node = tree_node(graph->tree, graph->ids[order[i]]);
      bool before = node->flags & NODE_PROVEN;
      bool proved = prove_node(graph->tree, node, &aim);
      assert_int_equal(proved, !before && node->flags & NODE_PROVEN);
      more |= proved;
    }
  }
}

static const int8_t *proved_goals(const Graph *graph, uint32_t index) {
  Node *node = tree_node(graph->tree, graph->ids[index]);
  return node->flags & NODE_PROVEN ? node_goals(graph->tree, node) : NULL;
}

static void set_best(Graph *graph, bool known) {
  for (uint32_t role = 0; role < graph->roles; role++) {
    graph->best[role] = known ? 0 : 100;
    for (uint32_t i = 0; i < POSITIONS; i++)
      if (graph->positions[i].goals[role] > graph->best[role])
        graph->best[role] = graph->positions[i].goals[role];
  }
}

/* Bounds of the first role's goal in a two-player game of constant sum, by
   iteration over all positions; exact where they meet. */
static void minimax(const Graph *graph, int *low, int *high) {
  for (uint32_t i = 0; i < POSITIONS; i++) {
    low[i] = 100 - graph->best[1];
    high[i] = graph->best[0];
  }
  for (uint32_t round = 0; round < 5 * POSITIONS; round++)
    for (uint32_t i = 0; i < POSITIONS; i++) {
      const Position *position = &graph->positions[i];
      bool highest = position->counts[0] > 1;
      int l = highest ? 0 : 100, h = l;
      for (uint32_t j = 0; j < joint_count(graph, position); j++) {
        uint32_t child = position->children[j];
        if (highest ? low[child] > l : low[child] < l) l = low[child];
        if (highest ? high[child] > h : high[child] < h) h = high[child];
      }
      low[i] = position->terminal ? position->goals[0] : l;
      high[i] = position->terminal ? position->goals[0] : h;
    }
}

static void test_minimax(void **state) {
  (void)state;
  uint32_t proved = 0, open = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    Graph graph = {.roles = 2};
    Random random;
    random_seed(&random, seed);
    bool cyclic = seed % 2, complete = seed % 3;
    for (uint32_t i = 0; i < POSITIONS; i++)
      random_position(&graph, &random, i, cyclic, 1);
    set_best(&graph, seed % 5 < 3);
    plant(&graph, &random, complete ? 100 : 85);
    settle(&graph, &random);
    int low[POSITIONS], high[POSITIONS];
    minimax(&graph, low, high);
    for (uint32_t i = 0; i < POSITIONS; i++) {
      const int8_t *goals = proved_goals(&graph, i);
      if (complete && !cyclic) assert_non_null(goals);
      if (!goals) open++;
      if (!goals || graph.positions[i].terminal) continue;
      proved++;
      assert_int_equal(low[i], high[i]);
      assert_int_equal(goals[0], low[i]);
      assert_int_equal(goals[1], 100 - low[i]);
    }
    tree_delete(graph.tree);
  }
  assert_true(proved > 5000 && open > 5000);
}

/* ---- the definition in the header, taken literally ---- */

static bool equal_goals(const Graph *graph, const int8_t *a, const int8_t *b) {
  for (uint32_t role = 0; role < graph->roles; role++)
    if (a[role] != b[role]) return false;
  return true;
}

/* Returns true if these goals follow from the position's children; with NULL,
   if any goals do. */
static bool follows(const Graph *graph, uint32_t index, const int8_t *goals) {
  const Position *position = &graph->positions[index];
  uint32_t movers = 0, mover = 0, count = joint_count(graph, position);
  for (uint32_t role = 0; role < graph->roles; role++)
    if (position->counts[role] > 1) movers++, mover = role;
  bool all = true, agree = true;
  const int8_t *best = NULL;
  for (uint32_t j = 0; j < count; j++) {
    const int8_t *child = proved_goals(graph, position->children[j]);
    if (!child) all = false;
    if (!child) continue;
    if (movers <= 1 && child[mover] == graph->best[mover] &&
        (!goals || equal_goals(graph, child, goals)))
      return true;
    if (best && movers > 1) agree &= equal_goals(graph, child, best);
    if (best && movers <= 1 && child[mover] == best[mover])
      agree &= equal_goals(graph, child, best);
    if (best && movers <= 1 && child[mover] > best[mover]) agree = true;
    if (!best || child[mover] > best[mover]) best = child;
  }
  return all && agree && (!goals || equal_goals(graph, best, goals));
}

static void test_any_roles(void **state) {
  (void)state;
  uint32_t proved = 0, open = 0, joint = 0;
  for (uint64_t seed = 0; seed < 600; seed++) {
    Graph graph = {.roles = 1 + (uint32_t)seed % 3};
    Random random;
    random_seed(&random, seed);
    for (uint32_t i = 0; i < POSITIONS; i++)
      random_position(&graph, &random, i, seed % 2, 1 + (uint32_t)seed % 2);
    if (seed % 4 == 1) /* few outcomes: many equal goals */
      for (uint32_t i = 0; i < POSITIONS; i++)
        for (uint32_t role = 0; role < graph.roles; role++)
          graph.positions[i].goals[role] = i % 9 ? 100 : 0;
    set_best(&graph, seed % 5 < 3);
    plant(&graph, &random, 100);
    settle(&graph, &random);
    for (uint32_t i = 0; i < POSITIONS; i++) {
      const int8_t *goals = proved_goals(&graph, i);
      if (graph.positions[i].terminal) continue;
      assert_int_equal(follows(&graph, i, goals), goals != NULL);
      if (!goals) open++;
      if (goals) proved++;
      if (goals && tree_node(graph.tree, graph.ids[i])->movers > 1) joint++;
    }
    tree_delete(graph.tree);
  }
  assert_true(proved > 3000 && open > 3000 && joint > 200);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_role),
      cmocka_unit_test(test_two_roles),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_nobody_chooses),
      cmocka_unit_test(test_simultaneous),
      cmocka_unit_test(test_cycle),
      cmocka_unit_test(test_recycled_child),
      cmocka_unit_test(test_recycled_tie),
      cmocka_unit_test(test_distance),
      cmocka_unit_test(test_difference),
      cmocka_unit_test(test_minimax),
      cmocka_unit_test(test_any_roles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
