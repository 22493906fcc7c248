#include "search/tree_twin.h"

#include "search/tree_check.h"

uint32_t twin_below(Twin *twin, uint32_t limit) {
  return random_below(&twin->random, limit);
}

/* ---- joint moves ---- */

uint32_t twin_joints(const Twin *twin, const TwinNode *node) {
  uint32_t product = 1;
  for (uint32_t role = 0; role < twin->roles; role++)
    product *= node->counts[role];
  return product;
}

static void twin_choices(const Twin *twin, const TwinNode *node, uint32_t joint,
                         uint32_t *choices) {
  for (uint32_t role = 0; role < twin->roles; role++) {
    choices[role] = joint % node->counts[role];
    joint /= node->counts[role];
  }
}

static uint32_t twin_main(const Twin *twin, const TwinNode *node) {
  uint32_t main = 0;
  for (uint32_t role = 1; role < twin->roles; role++)
    if (node->counts[role] > node->counts[main]) main = role;
  return main;
}

uint32_t twin_main_action(const Twin *twin, const TwinNode *node,
                          uint32_t joint) {
  uint32_t choices[TWIN_ROLES], main = twin_main(twin, node), first = 0;
  twin_choices(twin, node, joint, choices);
  for (uint32_t role = 0; role < main; role++) first += node->counts[role];
  return first + choices[main];
}

/* ---- nodes ---- */

static uint32_t twin_find(const Twin *twin, const TwinNode *like) {
  for (uint32_t i = 0; i < twin->nodes.count; i++) {
    const TwinNode *node = &twin->nodes.data[i];
    if (node->id && node->key == like->key && node->words == like->words &&
        !memcmp(node->state, like->state, like->words * sizeof(uint64_t)))
      return i;
  }
  return UINT32_MAX;
}

/* Few keys, so that different states often share a key. */
static TwinNode twin_random_node(Twin *twin) {
  TwinNode node = {.key = twin_below(twin, 300),
                   .words = 1 + twin_below(twin, TWIN_WORDS),
                   .terminal = !twin_below(twin, 6)};
  node.closed = !node.terminal && twin_below(twin, 2);
  for (uint32_t i = 0; i < node.words; i++)
    node.state[i] = twin_below(twin, 12);
  for (uint32_t role = 0; role < twin->roles; role++) {
    bool choice = twin_below(twin, 2);
    node.goals[role] = node.terminal ? (int)twin_below(twin, 101) : 0;
    node.counts[role] = node.terminal ? 0
                        : choice      ? 1 + twin_below(twin, 3)
                                      : 1;
  }
  bool large = !twin_below(twin, 3);
  for (uint32_t i = 0; i < TWIN_ACTIONS; i++)
    node.moves[i] = twin_below(twin, large ? 1u << 20 : 1000);
  return node;
}

static NodeId twin_seed(Twin *twin, const TwinNode *node) {
  NodeSeed seed = {.key = node->key,
                   .state = node->state,
                   .state_words = node->words,
                   .move_counts = node->terminal ? NULL : node->counts,
                   .moves = node->moves,
                   .goals = node->terminal ? node->goals : NULL,
                   .closed = node->closed};
  return tree_add(twin->tree, NULL, &seed);
}

bool twin_add(Twin *twin) {
  TwinNode node = twin_random_node(twin);
  uint32_t known = twin_find(twin, &node);
  NodeId id = tree_find(twin->tree, node.key, node.state, node.words);
  assert_int_equal(id, known == UINT32_MAX ? 0 : twin->nodes.data[known].id);
  if (id) return true;
  node.id = twin_seed(twin, &node);
  if (!node.id) return false;
  uint32_t place = twin->nodes.count;
  for (uint32_t i = 0; i < twin->nodes.count; i++) {
    assert_int_not_equal(twin->nodes.data[i].id, node.id);
    if (!twin->nodes.data[i].id) place = i;
  }
  if (place == twin->nodes.count)
    vector_push(&twin->nodes, node);
  else
    twin->nodes.data[place] = node;
  twin->alive++;
  return true;
}

/* Chooses a node that was not recycled; if asked for, one that is open and not
   terminal, which the root is. */
static uint32_t twin_pick(Twin *twin, bool open) {
  for (;;) {
    uint32_t i = twin_below(twin, twin->nodes.count);
    const TwinNode *node = &twin->nodes.data[i];
    if (node->id && !(open && (node->terminal || node->closed))) return i;
  }
}

void twin_open(Twin *twin) {
  TwinNode *node = &twin->nodes.data[twin_pick(twin, false)];
  bool opened =
      tree_open(twin->tree, NULL, tree_node(twin->tree, node->id)) != NULL;
  assert_true(opened || node->closed);
  if (opened) node->closed = false;
}

void twin_link(Twin *twin) {
  TwinNode *node = &twin->nodes.data[twin_pick(twin, true)];
  uint32_t child = twin_pick(twin, false), choices[TWIN_ROLES];
  uint32_t joint = twin_below(twin, twin_joints(twin, node));
  twin_choices(twin, node, joint, choices);
  if (tree_link(twin->tree, NULL, tree_node(twin->tree, node->id), choices,
                twin->nodes.data[child].id))
    node->children[joint] = child + 1;
  else
    twin->lost_links++;
}

static bool twin_has(const Twin *twin, TreeColumn column) {
  return twin->tree->columns & 1u << column;
}

static void twin_set_columns(Twin *twin, const Node *real, uint32_t at,
                             uint32_t visits) {
  if (twin_has(twin, COLUMN_bounds))
    node_bounds(twin->tree, real)[at].width = (float)visits;
  if (twin_has(twin, COLUMN_rave))
    node_rave(twin->tree, real)[at].visits = visits;
  if (twin_has(twin, COLUMN_maximum))
    node_maximum(twin->tree, real)[at] = (float)visits;
}

void twin_visit(Twin *twin) {
  TwinNode *node = &twin->nodes.data[twin_pick(twin, true)];
  uint32_t count, joint = twin_below(twin, twin_joints(twin, node));
  uint32_t at = twin_main_action(twin, node, joint);
  uint32_t more = twin_below(twin, 4) ? 1 : twin_below(twin, 50);
  if (!twin_below(twin, 4)) more *= 1 + twin_below(twin, 500);
  Node *real = tree_node(twin->tree, node->id);
  Action *action = node_actions(twin->tree, real, 0, &count) + at;
  bool pending = !twin_below(twin, 20);
  node->visits = real->visits += more;
  node->action_visits[at] = action->visits += more;
  node->totals[at] = action->total += more;
  node->pending[at] = action->pending = pending;
  if (more) twin_set_columns(twin, real, at, action->visits);
}

void twin_end_pending(Twin *twin) {
  for (uint32_t i = 0; i < twin->nodes.count; i++) {
    TwinNode *node = &twin->nodes.data[i];
    uint32_t count;
    if (!node->id || node->terminal || node->closed) continue;
    Node *real = tree_node(twin->tree, node->id);
    Action *actions = node_actions(twin->tree, real, 0, &count);
    for (uint32_t at = 0; at < node_action_count(twin->tree, real); at++)
      actions[at].pending = 0;
    memset(node->pending, 0, sizeof node->pending);
  }
}

/* ---- comparison ---- */

/* The optional columns follow the visits. */
static void twin_compare_columns(Twin *twin, const TwinNode *node,
                                 const Node *real, uint32_t at) {
  uint32_t visits = node->action_visits[at];
  if (twin_has(twin, COLUMN_bounds))
    assert_true(node_bounds(twin->tree, real)[at].width == (float)visits);
  if (twin_has(twin, COLUMN_rave))
    assert_int_equal(node_rave(twin->tree, real)[at].visits, visits);
  if (twin_has(twin, COLUMN_maximum))
    assert_true(node_maximum(twin->tree, real)[at] ==
                (visits ? (float)visits : -1));
}

static void twin_compare_actions(Twin *twin, const TwinNode *node, Node *real) {
  uint32_t at = 0, movers = 0;
  for (uint32_t role = 0; role < twin->roles; role++) {
    uint32_t count;
    Action *actions = node_actions(twin->tree, real, role, &count);
    assert_int_equal(count, node->counts[role]);
    assert_int_equal(node_goals(twin->tree, real)[role], node->goals[role]);
    movers += count > 1;
    for (uint32_t i = 0; i < count; i++, at++) {
      assert_int_equal(actions[i].move, node->moves[at]);
      assert_int_equal(actions[i].visits, node->action_visits[at]);
      assert_int_equal(actions[i].pending, node->pending[at]);
      assert_true(actions[i].total == node->totals[at]);
      assert_int_equal(actions[i].exact, -1);
    }
  }
  for (uint32_t i = 0; i < at; i++) twin_compare_columns(twin, node, real, i);
  assert_int_equal(real->movers, movers);
}

static void twin_compare_node(Twin *twin, const TwinNode *node) {
  Node *real = tree_node(twin->tree, node->id);
  assert_int_equal(real->key, node->key);
  assert_int_equal(real->visits, node->visits);
  assert_int_equal(real->state_words, node->words);
  assert_memory_equal(node_state(twin->tree, real), node->state,
                      node->words * sizeof(uint64_t));
  assert_int_equal(real->flags & ~NODE_LONG, node->terminal
                                                 ? NODE_TERMINAL | NODE_PROVEN
                                             : node->closed ? NODE_CLOSED
                                                            : 0);
  if (node->closed) return;
  twin_compare_actions(twin, node, real);
  if (node->terminal) return;
  for (uint32_t joint = 0; joint < twin_joints(twin, node); joint++) {
    uint32_t choices[TWIN_ROLES], child = node->children[joint];
    twin_choices(twin, node, joint, choices);
    assert_int_equal(tree_child(twin->tree, real, choices),
                     child ? twin->nodes.data[child - 1].id : 0);
  }
}

void twin_compare(Twin *twin) {
  char message[200] = "";
  NodeId root = twin->nodes.count ? twin->nodes.data[twin->root].id : 0;
  if (!tree_check(twin->tree, root, message, sizeof message))
    fail_msg("%s", message);
  assert_int_equal(tree_count(twin->tree), twin->alive);
  for (uint32_t i = 0; i < twin->nodes.count; i++)
    if (twin->nodes.data[i].id) twin_compare_node(twin, &twin->nodes.data[i]);
}

/* ---- recycling ---- */

void twin_reach(const Twin *twin, bool *reached) {
  reached[twin->root] = true;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < twin->nodes.count; i++) {
      const TwinNode *node = &twin->nodes.data[i];
      if (!reached[i] || node->terminal) continue;
      for (uint32_t joint = 0; joint < twin_joints(twin, node); joint++) {
        uint32_t child = node->children[joint];
        if (!child || reached[child - 1] || !twin->nodes.data[child - 1].id)
          continue;
        more = reached[child - 1] = true;
      }
    }
  }
}

void twin_forget(Twin *twin, const bool *stay) {
  for (uint32_t i = 0; i < twin->nodes.count; i++)
    if (!stay[i] && twin->nodes.data[i].id) {
      twin->nodes.data[i].id = 0;
      twin->alive--;
    }
  for (uint32_t i = 0; i < twin->nodes.count; i++)
    for (uint32_t joint = 0; joint < TWIN_JOINTS; joint++) {
      uint32_t *child = &twin->nodes.data[i].children[joint];
      if (*child && !stay[*child - 1]) *child = 0;
    }
}

void twin_keep(Twin *twin) {
  bool *reached = memory_new(twin->nodes.count);
  twin_reach(twin, reached);
  tree_keep(twin->tree, twin->nodes.data[twin->root].id);
  twin_forget(twin, reached);
  memory_delete(reached);
}

void twin_survey(const Twin *twin, bool *stay) {
  for (uint32_t i = 0; i < twin->nodes.count; i++) {
    const TwinNode *node = &twin->nodes.data[i];
    NodeId id = tree_find(twin->tree, node->key, node->state, node->words);
    stay[i] = node->id && id == node->id;
  }
}

void twin_free(Twin *twin) {
  tree_delete(twin->tree);
  vector_free(&twin->nodes);
}

void twin_init(Twin *twin, uint32_t roles, size_t bytes, uint64_t seed) {
  *twin = (Twin){.roles = roles, .bytes = bytes};
  twin->tree = tree_new(roles, bytes);
  tree_use(twin->tree, (uint32_t)seed % (1u << COLUMN_COUNT));
  random_seed(&twin->random, seed);
}
