/* Broods made on a card (gpu/hatchery.h), each against the plain evaluation of
   the net. Every state of a batch that may have a brood has a node, in the
   order in which the states are children of others: the node of child j is that
   after the requests' ones and j more. */
#include "gpu/gpu_parts.h"
#include "gpu/hatchery.h"
#include "support/cards.h"
#include "support/library.h"
#include "support/replay.h"

enum { REQUESTS = 24 };

typedef struct Case {
  TestGame game;
  Gpu *gpu;
  Hatchery *hatchery;
  Replay replay;
  HatcheryOptions options;
  float *weights;    /* by role and fluent */
  uint16_t *attacks; /* made up; or NULL */
  uint64_t *rows;    /* of the requests, */
  uint32_t *moves;
  uint32_t count, words;
  HatchChild *children;
  Hatched hatched; /* of all parts */
  HatchNode *nodes;
  uint32_t last;      /* children of a part whose nodes are in the next one */
  uint32_t attacking; /* nodes that have attacks alone, and some */
  uint64_t *states;   /* of the children */
  uint32_t *parents;  /* of the children: nodes */
  bool *ends;         /* which children are */
} Case;

/* ---- cases ---- */

/* Some moves attack if one of some fluents is true, whatever that means. */
static uint16_t *draw_attacks(const Net *net) {
  Random random;
  uint16_t *attacks =
      memory_new((size_t)net->moves.count * HATCH_TARGETS * sizeof *attacks);
  random_seed(&random, 7);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    uint32_t count = random_below(&random, HATCH_TARGETS + 1);
    for (uint32_t k = 0; k < HATCH_TARGETS; k++)
      attacks[i * HATCH_TARGETS + k] =
          k < count ? (uint16_t)random_below(&random, net->fluents.count)
                    : HATCH_NOTHING;
  }
  return attacks;
}

static void new_arrays(Case *at) {
  const HatcheryOptions *options = &at->options;
  uint32_t most = hatchery_most(at->hatchery);
  at->rows =
      memory_new((size_t)options->requests * at->words * sizeof(uint64_t));
  at->moves = memory_new(options->requests * sizeof *at->moves);
  at->children = memory_new(most * sizeof *at->children);
  at->nodes = memory_new((options->requests + most) * sizeof *at->nodes);
  at->states = memory_new((size_t)most * at->words * sizeof *at->states);
  at->parents = memory_new(most * sizeof *at->parents);
  at->ends = memory_new(most * sizeof *at->ends);
}

static void open_case(Case *at, const char *name,
                      const HatcheryOptions *options) {
  Text why = {0};
  GpuOptions wishes = {.seed = 3,
                       .step_limit = 1000,
                       .batches = 1,
                       .starts = 1,
                       .gamma = 1,
                       .kernels = GPU_TEAM};
  *at = (Case){.options = *options};
  test_game_open(&at->game, name, true);
  const Net *net = &at->game.rules.net;
  at->gpu = cards_new(book_cones(&at->game.rules, 0), &wishes);
  if (options->followed > 1)
    at->options.attacks = at->attacks = draw_attacks(net);
  at->hatchery =
      hatchery_new(at->gpu, at->game.rules.zobrist, &at->options, &why);
  if (!at->hatchery) fail_msg("%s", text_string(&why));
  replay_init(&at->replay, net);
  at->words = at->game.rules.words;
  at->weights =
      memory_new((size_t)net->role_count * net->fluents.count * sizeof(float));
  new_arrays(at);
}

static void free_arrays(const Case *at) {
  memory_delete(at->rows);
  memory_delete(at->moves);
  memory_delete(at->children);
  memory_delete(at->nodes);
  memory_delete(at->states);
  memory_delete(at->parents);
  memory_delete(at->ends);
}

static void close_case(Case *at) {
  hatchery_delete(at->hatchery);
  gpu_delete(at->gpu);
  replay_free(&at->replay);
  test_game_close(&at->game);
  memory_delete(at->weights);
  memory_delete(at->attacks);
  free_arrays(at);
}

static void keep_state(const Case *at, uint64_t *row) {
  memset(row, 0, at->words * sizeof *row);
  for (uint32_t i = 0; i < at->replay.net->fluents.count; i++)
    if (at->replay.state[i]) bits_add(row, i);
}

/* A legal move of each role where the replay stands. */
static void draw_joint(const Case *at, Random *random, uint32_t *joint) {
  const Net *net = at->replay.net;
  for (uint32_t role = 0; role < net->role_count; role++) {
    uint32_t left = random_below(random, replay_count_legal(&at->replay, role));
    for (uint32_t i = 0; i < net->moves.count; i++)
      if (net->moves.data[i].role == role &&
          replay_value(&at->replay, net->moves.data[i].legal) && !left--)
        joint[role] = i;
  }
}

/* States of random games, half of which want one child alone. */
static void draw_requests(Case *at, uint64_t seed, uint32_t skipped) {
  Random random;
  uint32_t joint[REPLAY_ROLES];
  random_seed(&random, seed);
  replay_enter(&at->replay, NULL);
  at->count = 0;
  while (at->count < at->options.requests) {
    if (replay_value(&at->replay, at->replay.net->terminal))
      replay_enter(&at->replay, NULL);
    draw_joint(at, &random, joint);
    if (!random_below(&random, skipped + 1)) {
      uint32_t mover = replay_count_legal(&at->replay, 0) > 1 ? 0 : 1;
      if (replay_count_legal(&at->replay, 1) == 1) mover = 0;
      keep_state(at, at->rows + (size_t)at->count * at->words);
      at->moves[at->count] = at->count % 2 ? joint[mover] : HATCHERY_ALL;
      at->count++;
    }
    replay_make(&at->replay, joint);
  }
}

/* Adds a part of the batch to what there is of it. */
static void join(Case *at, const Hatched *part) {
  Hatched *all = &at->hatched;
  if (!hatchery_take(at->hatchery, at->children + all->children_count))
    fail_msg("%s", hatchery_error(at->hatchery));
  assert_int_equal(part->roots, all->nodes_count ? 0 : at->count);
  assert_int_equal(part->back, part->roots ? 0 : at->last);
  at->last = part->children_count;
  if (part->roots) at->last -= part->nodes_count - part->roots;
  for (uint32_t i = 0; i < part->nodes_count; i++) {
    at->nodes[all->nodes_count + i] =
        part->links ? hatch_node(part->links[i]) : part->nodes[i];
    at->nodes[all->nodes_count + i].first += all->children_count;
  }
  all->nodes_count += part->nodes_count;
  all->children_count += part->children_count;
  all->full |= part->full;
}

static void begin_batch(Case *at, Hatched *part) {
  at->hatched = (Hatched){.nodes = at->nodes};
  at->last = 0;
  if (!hatchery_hatch(at->hatchery, at->rows, at->moves, at->count, part))
    fail_msg("%s", hatchery_error(at->hatchery));
}

/* Takes a part, if there is one, and has the next one made. */
static void go_on(Case *at, Hatched *part) {
  if (!part->nodes_count) return;
  join(at, part);
  if (!hatchery_go_on(at->hatchery, part))
    fail_msg("%s", hatchery_error(at->hatchery));
}

static void hatch(Case *at) {
  Hatched part;
  begin_batch(at, &part);
  while (part.nodes_count) go_on(at, &part);
}

static void hatch_both(Case *one, Case *other) {
  Hatched part, others;
  begin_batch(one, &part);
  begin_batch(other, &others);
  while (part.nodes_count || others.nodes_count) {
    go_on(other, &others);
    go_on(one, &part);
  }
}

/* ---- checks ---- */

static const uint64_t *state_of(const Case *at, uint32_t node) {
  return node < at->count ? at->rows + (size_t)node * at->words
                          : at->states + (size_t)(node - at->count) * at->words;
}

static void check_child(Case *at, uint32_t number, uint32_t child,
                        const uint32_t *joint) {
  const HatchChild *made = &at->children[child];
  uint64_t *state = at->states + (size_t)child * at->words, *next;
  const uint64_t *from = state_of(at, number);
  next = memory_new(at->words * sizeof *next);
  memcpy(state, from, at->words * sizeof *state);
  assert_true(made->count <= HATCH_CHANGES);
  for (uint32_t i = 0; i < made->count; i++) bits_flip(state, made->changes[i]);
  replay_enter(&at->replay, from);
  replay_make(&at->replay, joint);
  keep_state(at, next);
  assert_memory_equal(state, next, at->words * sizeof *next);
  at->ends[child] = replay_value(&at->replay, at->replay.net->terminal);
  assert_int_equal(made->over, at->ends[child] && !at->options.blind);
  at->parents[child] = number;
  memory_delete(next);
}

static bool attacks(const Case *at, uint32_t move) {
  for (uint32_t k = 0; k < HATCH_TARGETS; k++) {
    uint16_t fluent = at->attacks[move * HATCH_TARGETS + k];
    if (fluent == HATCH_NOTHING) return false;
    if (at->replay.state[fluent]) return true;
  }
  return false;
}

static void check_node(Case *at, uint32_t number) {
  const HatchNode *node = &at->hatched.nodes[number];
  const Net *net = at->replay.net;
  uint32_t joint[REPLAY_ROLES], choosers = 0, legal[REPLAY_ROLES], found = 0;
  uint64_t key = 0;
  NumberVector moves = {0};
  replay_enter(&at->replay, state_of(at, number));
  assert_false(replay_value(&at->replay, net->terminal));
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (at->replay.state[i]) key += at->game.rules.zobrist[i];
  if (!(node->kind & HATCH_ATTACKS)) assert_int_equal(node->key, key);
  for (uint32_t role = 0; role < net->role_count; role++) {
    legal[role] = replay_count_legal(&at->replay, role);
    choosers += legal[role] > 1;
    assert_true(legal[role] == 1 || role == node->mover);
  }
  bool some = node->kind & HATCH_ATTACKS;
  assert_int_equal((node->kind & HATCH_FORCED) != 0, choosers == 0);
  assert_true(node->mover == 0 || choosers);
  assert_true(node->count == legal[node->mover] || some);
  assert_true(node->first + node->count <= at->hatched.children_count);
  for (uint32_t i = 0; i < net->moves.count; i++) {
    if (!replay_value(&at->replay, net->moves.data[i].legal)) continue;
    if (net->moves.data[i].role != node->mover)
      joint[net->moves.data[i].role] = i;
    else if (!some || attacks(at, i))
      vector_push(&moves, i);
  }
  assert_int_equal(node->count, moves.count);
  at->attacking += some && moves.count;
  for (; found < moves.count; found++) {
    joint[node->mover] = moves.data[found];
    assert_int_equal(at->children[node->first + found].move, moves.data[found]);
    check_child(at, number, node->first + found, joint);
  }
  vector_free(&moves);
}

static float worth(const Case *at, uint32_t child, uint32_t role) {
  uint32_t fluents = at->replay.net->fluents.count;
  float sum = 0;
  for (uint32_t i = 0; i < fluents; i++)
    if (bits_has(at->states + (size_t)child * at->words, i))
      sum += at->weights[(size_t)role * fluents + i];
  return sum;
}

/* Of the broods that were made for requests, those children have broods that
   look best. */
static void check_picks(const Case *at, uint32_t from, uint32_t to) {
  uint32_t picked = 0;
  for (uint32_t i = from; i < to; i++) {
    const HatchNode *node = &at->hatched.nodes[i];
    float best = -1e30f;
    uint32_t made = 0, open = 0;
    if (!node->kind) continue;
    for (uint32_t k = node->first; k < node->first + node->count; k++) {
      float value = worth(at, k, node->mover);
      bool over = at->ends[k];
      if (value > best) best = value;
      open += !over;
      if (!at->hatched.nodes[at->count + k].kind) continue;
      made++;
      assert_false(over);
    }
    assert_true(made <= at->options.picked);
    if (node->kind) assert_true(made > 0 || open < node->count);
    for (uint32_t k = node->first; k < node->first + node->count; k++)
      if (at->options.picked == 1 && at->hatched.nodes[at->count + k].kind)
        assert_float_equal(worth(at, k, node->mover), best, 1e-3);
    picked += made;
  }
  assert_true(picked > 0);
}

/* Checks every node, and that there is one for whatever was wanted. Returns
   how many there are. */
static uint32_t check_all(Case *at, bool whole) {
  const HatchNode *nodes = at->hatched.nodes;
  uint32_t made = 0, first = UINT32_MAX, second = at->count;
  for (uint32_t i = 0; i < at->hatched.nodes_count; i++) {
    if (!nodes[i].kind) continue;
    check_node(at, i);
    made++;
  }
  for (uint32_t i = 0; whole && i < at->count; i++) {
    assert_true(nodes[i].kind);
    if (nodes[i].first < first) first = nodes[i].first;
    second += nodes[i].count;
    for (uint32_t k = nodes[i].first; k < nodes[i].first + nodes[i].count; k++)
      assert_int_equal(nodes[at->count + k].kind != 0,
                       !at->ends[k] && (at->moves[i] == HATCHERY_ALL ||
                                        at->moves[i] == at->children[k].move));
  }
  if (whole) assert_int_equal(first, 0);
  if (whole && at->options.picked) check_picks(at, at->count, second);
  return made;
}

static void draw_weights(Case *at, uint64_t seed) {
  const Net *net = at->replay.net;
  Random random;
  random_seed(&random, seed);
  for (uint32_t i = 0; i < net->role_count * net->fluents.count; i++)
    at->weights[i] = (float)random_below(&random, 1000) - 500;
  assert_true(hatchery_weigh(at->hatchery, at->weights));
}

/* ---- tests ---- */

static void hatch_case(const char *name, uint32_t skipped,
                       const HatcheryOptions *options) {
  Case at;
  open_case(&at, name, options);
  for (uint32_t seed = 1; seed <= (unit_long() ? 6u : 2u); seed++) {
    if (options->picked) draw_weights(&at, seed);
    draw_requests(&at, seed, skipped);
    hatch(&at);
    assert_true(check_all(&at, true) > at.count);
  }
  close_case(&at);
}

/* Whether ends are told or not. */
static void hatch_and_check(const char *name, uint32_t skipped,
                            const HatcheryOptions *options) {
  HatcheryOptions blind = *options;
  blind.blind = true;
  hatch_case(name, skipped, options);
  hatch_case(name, skipped, &blind);
}

static void test_broods(void **state) {
  (void)state;
  HatcheryOptions options = {REQUESTS, 1 << 14, 0, NULL, 0, 0, false};
  hatch_and_check("ticTacToe", 0, &options);
  hatch_and_check("connectFour", 7, &options);
  hatch_and_check("checkers", 15, &options);
}

static void test_picks(void **state) {
  (void)state;
  HatcheryOptions one = {8, 1 << 14, 1, NULL, 0, 0, false};
  HatcheryOptions three = {8, 1 << 14, 3, NULL, 0, 0, false};
  hatch_and_check("connectFour", 7, &one);
  hatch_and_check("ticTacToe", 0, &three);
  hatch_and_check("breakthrough", 7, &one);
  three.chain = 2;
  three.followed = 1;
  hatch_and_check("ticTacToe", 0, &three);
}

/* Children of attacking nodes that have broods are the best, and no more of
   them than are followed: half as many from step to step. */
static void check_followed(const Case *at) {
  const HatchNode *nodes = at->hatched.nodes;
  uint32_t *limits = memory_new(at->hatched.nodes_count * sizeof *limits);
  uint32_t followed = 0, held_back = 0;
  for (uint32_t i = 0; i < at->hatched.nodes_count; i++) {
    const HatchNode *node = &nodes[i];
    float worst = 1e30f, best = -1e30f;
    uint32_t made = 0, ends = 0;
    if (!(node->kind & HATCH_ATTACKS)) continue;
    const HatchNode *parent = &nodes[at->parents[i - at->count]];
    limits[i] = parent->kind & HATCH_ATTACKS ? limits[parent - nodes] / 2
                                             : at->options.followed;
    if (!limits[i]) limits[i] = 1;
    for (uint32_t k = node->first; k < node->first + node->count; k++) {
      if (at->count + k >= at->hatched.nodes_count) continue; /* the last */
      bool there = nodes[at->count + k].kind;
      float value = worth(at, k, node->mover);
      made += there;
      ends += at->ends[k]; /* may be among the best, and have none */
      if (there && value < worst) worst = value;
      if (!there && !at->ends[k] && value > best) best = value;
    }
    assert_true(made <= limits[i]);
    if (made && best > -1e30f) {
      assert_true(made + ends >= limits[i] && worst >= best - 1e-3f);
      held_back++;
    }
    followed += made;
  }
  assert_true(followed > 5 && held_back > 5);
  memory_delete(limits);
}

/* Attacks alone, of what is picked and of what these lead to. */
static void test_attacks(void **state) {
  (void)state;
  for (uint32_t chain = 1; chain <= 3; chain++)
    for (uint32_t all = 0; all < 2; all++) {
      HatcheryOptions options = {6, 1 << 14,         3, NULL, chain,
                                 2, all != chain % 2};
      Case at;
      if (all) options.followed = HATCHERY_ALL;
      open_case(&at, chain == 2 ? "checkers" : "connectFour", &options);
      draw_weights(&at, chain);
      draw_requests(&at, chain, 7);
      hatch(&at);
      check_all(&at, true);
      assert_true(at.attacking > 10);
      if (!all) check_followed(&at);
      close_case(&at);
    }
}

/* Without weights nothing is picked. */
static void test_weightless(void **state) {
  (void)state;
  HatcheryOptions options = {4, 1 << 12, 1, NULL, 0, 0, false};
  Case at;
  open_case(&at, "ticTacToe", &options);
  draw_requests(&at, 1, 0);
  hatch(&at);
  for (uint32_t i = 0; i < at.count; i++) assert_true(at.hatched.nodes[i].kind);
  at.options.picked = 0;
  check_all(&at, true);
  close_case(&at);
}

/* What has no room is left out, and the rest is right. */
static void test_room(void **state) {
  (void)state;
  for (uint32_t room = 1; room < 1000; room = room * 3 + 1) {
    HatcheryOptions options = {REQUESTS, room, 1, NULL, room % 3, 2, room % 2};
    Case at;
    open_case(&at, "connectFour", &options);
    draw_weights(&at, room);
    draw_requests(&at, room, 7);
    hatch(&at);
    uint32_t made = check_all(&at, false);
    assert_true(room < 7 || made > 0);
    assert_true(room > 100 || at.hatched.full);
    close_case(&at);
  }
}

/* A batch knows nothing of those before it, nor of one that was given up after
   any of its parts, taken or not. */
static void test_batches(void **state) {
  (void)state;
  HatcheryOptions options = {REQUESTS, 1 << 12, 1, NULL, 0, 0, false};
  Hatched part;
  Case at;
  open_case(&at, "ticTacToe", &options);
  draw_weights(&at, 1);
  for (uint32_t i = 0; i < 6; i++) {
    draw_requests(&at, 100 + i, 0);
    assert_true(
        hatchery_hatch(at.hatchery, at.rows, at.moves, at.count, &part));
    if (i % 2) assert_true(hatchery_take(at.hatchery, at.children));
    if (i % 3) assert_true(hatchery_go_on(at.hatchery, &part));
    draw_requests(&at, i, 0);
    at.count = i == 3 ? 1 : REQUESTS - i;
    hatch(&at);
    check_all(&at, true);
  }
  at.count = 0;
  hatch(&at);
  assert_int_equal(at.hatched.nodes_count, 0);
  close_case(&at);
}

/* Two make batches at the same time, part by part, and neither knows of the
   other; weights are those of the first. */
static void test_twins(void **state) {
  (void)state;
  HatcheryOptions options = {REQUESTS, 1 << 12, 2, NULL, 0, 0, false};
  Case first;
  Text why = {0};
  open_case(&first, "ticTacToe", &options);
  draw_weights(&first, 1);
  Case second = first;
  second.hatchery = hatchery_twin(first.hatchery, &why);
  if (!second.hatchery) fail_msg("%s", text_string(&why));
  new_arrays(&second);
  for (uint32_t i = 0; i < 3; i++) {
    draw_requests(&first, i, 0);
    draw_requests(&second, 10 + i, 1);
    hatch_both(&first, &second);
    check_all(&first, true);
    check_all(&second, true);
  }
  hatchery_delete(second.hatchery);
  free_arrays(&second);
  close_case(&first);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_broods),  cmocka_unit_test(test_picks),
      cmocka_unit_test(test_attacks), cmocka_unit_test(test_weightless),
      cmocka_unit_test(test_room),    cmocka_unit_test(test_batches),
      cmocka_unit_test(test_twins),
  };
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
