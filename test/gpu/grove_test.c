/* Trees on a card (gpu/grove.h), fetched and walked: every node against the
   plain evaluation of the net, every sum against those below it. */
#include <math.h>

#include "gpu/grove_parts.h"
#include "support/cards.h"
#include "support/library.h"
#include "support/replay.h"

enum { LEAVES = 256, PLAYOUTS = 32, POINTS = 100 * GROVE_POINT };

/* ---- groves ---- */

typedef struct Case {
  TestGame game;
  Gpu *gpu;
  Grove *grove;
} Case;

static const GroveOptions usual = {.leaves = LEAVES,
                                   .playouts = PLAYOUTS,
                                   .growth = 4,
                                   .bytes = 8 << 20,
                                   .c = 40,
                                   .loss = 1,
                                   .own = 1,
                                   .cut = 50};

static void open_limited(Case *at, const char *name,
                         const GroveOptions *options, GpuKernels kernels,
                         uint32_t step_limit) {
  Text why = {0};
  GpuOptions wishes = {.seed = 3,
                       .step_limit = step_limit,
                       .batches = 1,
                       .starts = LEAVES,
                       .gamma = 1,
                       .kernels = kernels,
                       .scores = kernels == GPU_SCORED};
  test_game_open(&at->game, name, true);
  at->gpu = cards_new(book_cones(&at->game.rules, 0), &wishes);
  cards_second(at->gpu);
  if (kernels == GPU_SCORED)
    assert_string_equal(gpu_setup(at->gpu, false).scored, "squad");
  at->grove = grove_new(at->gpu, at->gpu, options, &why);
  if (!at->grove) fail_msg("%s", text_string(&why));
}

static void open_kernels(Case *at, const char *name,
                         const GroveOptions *options, GpuKernels kernels) {
  open_limited(at, name, options, kernels, 1000);
}

static void open_case(Case *at, const char *name, const GroveOptions *options) {
  open_kernels(at, name, options, GPU_SOLO);
}

static void close_case(Case *at) {
  grove_delete(at->grove);
  gpu_delete(at->gpu);
  test_game_close(&at->game);
}

static void grow(Grove *grove, uint32_t waves) {
  for (uint32_t i = 0; i < waves; i++)
    if (!grove_grow(grove)) fail_msg("%s", grove_error(grove));
}

/* ---- walks ---- */

typedef struct Walk {
  const Grove *grove;
  Replay replay;
  char *arena;
  bool crowded; /* the memory is full */
  bool forced;  /* look at leaves where nobody has a choice, */
  uint64_t nodes, ends, forced_leaves; /* which are counted */
} Walk;

static const GroveHead *head_of(const Walk *walk, uint32_t node) {
  return (const GroveHead *)(walk->arena + (size_t)node * GROVE_UNIT);
}

static const void *part_of(const Walk *walk, uint32_t node, uint32_t at) {
  return (const char *)head_of(walk, node) + at;
}

static const GroveAction *actions_of(const Walk *walk, uint32_t node) {
  return part_of(walk, node, walk->grove->shape.actions_at);
}

/* The sum of a node's actions for a role; goals of both roles add up to 100. */
static uint64_t total_for(const Walk *walk, uint32_t node, uint32_t role) {
  const GroveHead *head = head_of(walk, node);
  uint64_t total = 0;
  for (uint32_t i = 0; i < head->count; i++) {
    const GroveAction *action = &actions_of(walk, node)[i];
    total += head->mover == role
                 ? action->total
                 : (uint64_t)action->visits * POINTS - action->total;
  }
  return total;
}

static void check_end(Walk *walk, uint32_t node) {
  const GroveHead *head = head_of(walk, node);
  walk->ends++;
  assert_true(replay_value(&walk->replay, walk->replay.net->terminal));
  assert_int_equal(head->count, 0);
  assert_int_equal(head->visits, 0);
  for (uint32_t role = 0; role < walk->grove->shape.roles; role++)
    assert_int_equal(actions_of(walk, node)[role].total,
                     replay_goal(&walk->replay, role) * GROVE_POINT);
}

/* The mover's legal moves, in their order, and a legal move of the others. */
static void check_moves(Walk *walk, uint32_t node, uint32_t *joint) {
  const GroveHead *head = head_of(walk, node);
  const Net *net = walk->replay.net;
  const uint32_t *others = part_of(walk, node, walk->grove->shape.joints_at);
  uint32_t found = 0;
  for (uint32_t role = 0; role < net->role_count; role++) {
    if (role == head->mover) continue;
    assert_int_equal(replay_count_legal(&walk->replay, role), 1);
    joint[role] = others[role];
    assert_int_equal(net->moves.data[joint[role]].role, role);
    assert_true(
        replay_value(&walk->replay, net->moves.data[joint[role]].legal));
  }
  assert_int_equal(replay_count_legal(&walk->replay, head->mover), head->count);
  for (uint32_t i = 0; i < net->moves.count; i++)
    if (net->moves.data[i].role == head->mover &&
        replay_value(&walk->replay, net->moves.data[i].legal))
      assert_int_equal(actions_of(walk, node)[found++].move, i);
}

/* What a leaf's own playouts came to is a multiple of the least goal. */
static void check_leaf(const Walk *walk, uint64_t value) {
  assert_true(value <= POINTS);
  assert_int_equal(value % (50 * GROVE_POINT / walk->grove->options.playouts),
                   0);
}

/* What playouts from a state come to in which nobody has a choice any more;
   -1: somebody has. */
static int forced_goal(const Walk *walk, uint32_t node, uint32_t role) {
  Replay replay;
  int goal = -1;
  bool forced = true;
  replay_init(&replay, walk->replay.net);
  replay_enter(&replay, part_of(walk, node, walk->grove->shape.state_at));
  while (forced && !replay_value(&replay, replay.net->terminal)) {
    uint32_t joint[REPLAY_ROLES];
    for (uint32_t i = 0; i < replay.net->role_count; i++)
      forced &= replay_count_legal(&replay, i) == 1;
    for (uint32_t i = 0; i < replay.net->moves.count; i++)
      if (replay_value(&replay, replay.net->moves.data[i].legal))
        joint[replay.net->moves.data[i].role] = i;
    if (forced) replay_make(&replay, joint);
  }
  if (forced) goal = replay_goal(&replay, role);
  replay_free(&replay);
  return goal;
}

static void check_forced(Walk *walk, uint32_t node, uint32_t role,
                         uint64_t value) {
  if (!walk->forced || head_of(walk, node)->count != 1) return;
  int goal = forced_goal(walk, node, role);
  if (goal < 0) return;
  assert_int_equal(value, goal * GROVE_POINT);
  walk->forced_leaves++;
}

static void check_action(Walk *walk, const GroveHead *head,
                         const GroveAction *action) {
  assert_int_equal(action->pending, 0);
  if (!action->visits) {
    assert_int_equal(action->child, 0);
    assert_int_equal(action->total, 0);
  } else if (action->child && head_of(walk, action->child)->over) {
    assert_int_equal(action->total,
                     action->visits *
                         actions_of(walk, action->child)[head->mover].total);
  } else if (!action->child) {
    assert_true(walk->crowded); /* there was no room for it */
    assert_true(action->total <= (uint64_t)action->visits * POINTS);
  } else if (walk->crowded) { /* it may have been a leaf for some time */
    assert_true(action->visits > head_of(walk, action->child)->visits);
  } else {
    assert_int_equal(action->visits, head_of(walk, action->child)->visits + 1);
    uint64_t value =
        action->total - total_for(walk, action->child, head->mover);
    check_leaf(walk, value);
    check_forced(walk, action->child, head->mover, value);
  }
}

static void check_node(Walk *walk, uint32_t node, const uint64_t *row) {
  const GroveHead *head = head_of(walk, node);
  uint32_t joint[REPLAY_ROLES], words = walk->grove->shape.row_words;
  uint64_t visits = 0, *next = memory_new(words * sizeof *next);
  walk->nodes++;
  assert_memory_equal(part_of(walk, node, walk->grove->shape.state_at), row,
                      words * sizeof *row);
  replay_enter(&walk->replay, row);
  if (head->over) {
    check_end(walk, node);
    memory_delete(next);
    return;
  }
  check_moves(walk, node, joint);
  for (uint32_t i = 0; i < head->count; i++) {
    const GroveAction *action = &actions_of(walk, node)[i];
    visits += action->visits;
    check_action(walk, head, action);
    if (!action->child) continue;
    joint[head->mover] = action->move;
    replay_enter(&walk->replay, row);
    replay_make(&walk->replay, joint);
    memset(next, 0, words * sizeof *next);
    for (uint32_t k = 0; k < walk->replay.net->fluents.count; k++)
      if (walk->replay.state[k]) bits_add(next, k);
    check_node(walk, action->child, next);
  }
  assert_int_equal(head->visits, visits);
  memory_delete(next);
}

/* Walks the tree whose root has this state. */
static Walk walk_tree(const Case *at, const uint64_t *row, bool crowded) {
  const Grove *grove = at->grove;
  const Driver *driver = &grove->card->driver;
  size_t size = (size_t)grove->launch.capacity * GROVE_UNIT;
  Walk walk = {.grove = grove,
               .arena = memory_new(size),
               .crowded = crowded,
               .forced = at->game.rules.net.fluents.count < 64};
  card_enter(grove->card);
  assert_int_equal(
      driver->cuMemcpyDtoHAsync(walk.arena, grove->arena, size, grove->stream),
      0);
  assert_int_equal(driver->cuStreamSynchronize(grove->stream), 0);
  replay_init(&walk.replay, &at->game.rules.net);
  check_node(&walk, grove->root, row);
  replay_free(&walk.replay);
  memory_delete(walk.arena);
  return walk;
}

static const uint64_t *initial(const Case *at) {
  return at->gpu->game.initial;
}

/* The state after the root's action `at`, and then the other's `next`. */
static void step(const Case *at, uint64_t *row, uint32_t action) {
  const Net *net = &at->game.rules.net;
  uint32_t joint[REPLAY_ROLES], seen = 0;
  Replay replay;
  replay_init(&replay, net);
  replay_enter(&replay, row);
  for (uint32_t role = 0; role < net->role_count; role++) {
    bool chooses = replay_count_legal(&replay, role) > 1;
    seen = 0;
    for (uint32_t i = 0; i < net->moves.count; i++)
      if (net->moves.data[i].role == role &&
          replay_value(&replay, net->moves.data[i].legal) &&
          seen++ == (chooses ? action : 0))
        joint[role] = i;
  }
  replay_make(&replay, joint);
  memset(row, 0, bits_words(net->fluents.count) * sizeof *row);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    if (replay.state[i]) bits_add(row, i);
  replay_free(&replay);
}

static uint64_t *copy_initial(const Case *at) {
  size_t size = bits_words(at->gpu->game.fluents) * sizeof(uint64_t);
  uint64_t *row = memory_new(size);
  memcpy(row, initial(at), size);
  return row;
}

static uint64_t root_visits(const Case *at) {
  const GroveSum *sums;
  uint32_t count = grove_root(at->grove, &sums);
  uint64_t visits = 0;
  for (uint32_t i = 0; i < count; i++) visits += sums[i].visits;
  return visits;
}

/* ---- tests ---- */

static void grow_and_walk(const char *name, const GroveOptions *options,
                          GpuKernels kernels, uint32_t waves) {
  Case at;
  const GroveSum *sums;
  open_kernels(&at, name, options, kernels);
  assert_true(grove_stand(at.grove, initial(&at)));
  grow(at.grove, waves);
  Walk walk = walk_tree(&at, initial(&at), false);
  uint32_t count = grove_root(at.grove, &sums);
  for (uint32_t i = 0; i < count; i++)
    assert_true(sums[i].total >= 0 && sums[i].total <= 100.0 * sums[i].visits);
  GroveReport report = grove_report(at.grove);
  assert_int_equal(report.waves, waves);
  assert_int_equal(report.playouts, report.leaves * options->playouts);
  assert_true(report.leaves <= root_visits(&at));
  assert_int_equal(walk.nodes, report.leaves + 1);
  close_case(&at);
}

static void test_walk(void **state) {
  (void)state;
  grow_and_walk("ticTacToe", &usual, GPU_SOLO, unit_long() ? 60 : 12);
  grow_and_walk("connectFour", &usual, GPU_SOLO, unit_long() ? 30 : 6);
  grow_and_walk("breakthrough", &usual, GPU_SOLO, unit_long() ? 20 : 4);
}

/* Leaves that share words, with the first kernel and with the squad. */
static void test_share(void **state) {
  (void)state;
  GroveOptions few = usual;
  for (few.playouts = 1; few.playouts < PLAYOUTS; few.playouts *= 4) {
    grow_and_walk("ticTacToe", &few, GPU_TEAM, 8);
    grow_and_walk("connectFour", &few, GPU_SCORED, 5);
  }
}

/* The root follows the match: what is known of a child, or of a child's child,
   is kept. */
static void test_follow(void **state) {
  (void)state;
  Case at;
  open_case(&at, "connectFour", &usual);
  uint64_t *row = copy_initial(&at);
  assert_true(grove_stand(at.grove, row));
  grow(at.grove, 8);
  uint64_t before = root_visits(&at);
  assert_true(grove_stand(at.grove, row)); /* the same state */
  assert_int_equal(root_visits(&at), before);
  for (uint32_t steps = 1; steps <= 2; steps++) {
    for (uint32_t i = 0; i < steps; i++) step(&at, row, 3);
    assert_true(grove_stand(at.grove, row));
    assert_true(root_visits(&at) > 0 && root_visits(&at) < before);
    before = root_visits(&at);
    grow(at.grove, 3);
    assert_true(root_visits(&at) > before);
    walk_tree(&at, row, false);
    before = root_visits(&at);
  }
  for (uint32_t i = 0; i < 3; i++) step(&at, row, 0); /* too far away */
  assert_true(grove_stand(at.grove, row));
  assert_int_equal(root_visits(&at), 0);
  grow(at.grove, 3);
  walk_tree(&at, row, false);
  memory_delete(row);
  close_case(&at);
}

/* A tree that has no room grows no further, and a new root clears it. */
static void test_crowded(void **state) {
  (void)state;
  Case at;
  GroveOptions small = usual;
  small.bytes = 1 << 16;
  open_case(&at, "connectFour", &small);
  uint64_t *row = copy_initial(&at);
  assert_true(grove_stand(at.grove, row));
  grow(at.grove, 10);
  GroveReport report = grove_report(at.grove);
  assert_true(report.used <= small.bytes && report.used > small.bytes / 2);
  walk_tree(&at, row, true);
  step(&at, row, 2);
  assert_true(grove_stand(at.grove, row));
  assert_int_equal(root_visits(&at), 0);
  grow(at.grove, 2);
  walk_tree(&at, row, false);
  memory_delete(row);
  close_case(&at);
}

/* Where nobody has a choice, playouts are exact: those of each leg. */
static void test_forced(void **state) {
  (void)state;
  static const GpuKernels kernels[] = {GPU_SOLO, GPU_TEAM, GPU_SCORED};
  for (size_t i = 0; i < LENGTH(kernels); i++)
    for (uint32_t steps = 4; steps < 6; steps++) {
      Case at;
      open_kernels(&at, "ticTacToe", &usual, kernels[i]);
      uint64_t *row = copy_initial(&at);
      for (uint32_t k = 0; k < steps; k++) step(&at, row, k % 3);
      assert_true(grove_stand(at.grove, row));
      grow(at.grove, 12);
      Walk walk = walk_tree(&at, row, false);
      assert_true(walk.ends > 2 && walk.forced_leaves > 2);
      memory_delete(row);
      close_case(&at);
    }
}

/* Playouts that are cut off have the return for that. */
static void test_cut(void **state) {
  (void)state;
  Case at;
  const GroveSum *sums;
  GroveOptions cut = usual;
  cut.cut = 75;
  open_limited(&at, "connectFour", &cut, GPU_SOLO, 2);
  assert_true(grove_stand(at.grove, initial(&at)));
  grow(at.grove, 3);
  uint32_t count = grove_root(at.grove, &sums);
  for (uint32_t i = 0; i < count; i++) {
    assert_true(sums[i].visits > 0);
    assert_true(fabs(sums[i].total / sums[i].visits - 75) < 1e-6);
  }
  close_case(&at);
}

static uint64_t least_visits(double c) {
  Case at;
  const GroveSum *sums;
  GroveOptions options = usual;
  options.c = c;
  open_case(&at, "connectFour", &options);
  assert_true(grove_stand(at.grove, initial(&at)));
  grow(at.grove, 10);
  uint32_t count = grove_root(at.grove, &sums);
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < count; i++)
    if (sums[i].visits < least) least = sums[i].visits;
  least = least * count * 100 / root_visits(&at);
  close_case(&at);
  return least;
}

/* With a large C all actions have about as many visits, in per cent of the
   mean; with a small one, the worst have fewer. */
static void test_bonus(void **state) {
  (void)state;
  assert_true(least_visits(2000) > 70);
  assert_true(least_visits(1) < 60);
}

/* The move that wins at once is found, and so is its worth; likewise for the
   other role, which has another goal. */
static void test_wins(void **state) {
  (void)state;
  for (uint32_t role = 0; role < 2; role++) {
    Case at;
    const GroveSum *sums, *best = NULL;
    open_case(&at, "connectFour", &usual);
    uint64_t *row = copy_initial(&at);
    /* three discs on each other, and three of the other elsewhere */
    if (role) step(&at, row, 5);
    for (uint32_t i = 0; i < 6; i++) step(&at, row, i % 2 ? 0 : 3);
    assert_true(grove_stand(at.grove, row));
    grow(at.grove, 16);
    uint32_t count = grove_root(at.grove, &sums);
    for (uint32_t i = 0; i < count; i++)
      if (!best || sums[i].visits > best->visits) best = &sums[i];
    assert_non_null(best);
    assert_ptr_equal(best, &sums[3]);
    assert_true(best->total > 99.0 * best->visits);
    memory_delete(row);
    close_case(&at);
  }
}

/* Returns may be negative: differences of goals. */
static void test_returns(void **state) {
  (void)state;
  Case at;
  const GroveSum *sums;
  GroveOptions difference = usual;
  difference.other = -1;
  difference.cut = 0;
  open_case(&at, "connectFour", &difference);
  uint64_t *row = copy_initial(&at);
  for (uint32_t i = 0; i < 6; i++) step(&at, row, i % 2 ? 0 : 3);
  step(&at, row, 6); /* the other can win now */
  assert_true(grove_stand(at.grove, row));
  grow(at.grove, 12);
  uint32_t count = grove_root(at.grove, &sums);
  assert_true(count > 3);
  for (uint32_t i = 0; i < count; i++)
    assert_true(fabs(sums[i].total) <= 100.0 * sums[i].visits);
  assert_true(sums[0].total > 99.0 * sums[0].visits); /* it wins itself */
  assert_true(sums[5].total < 0);
  memory_delete(row);
  close_case(&at);
}

/* Roles that choose at the same time are noticed. */
static void test_several(void **state) {
  (void)state;
  Case at;
  open_case(&at, "ticTicToe", &usual);
  bool grows = grove_stand(at.grove, initial(&at));
  for (uint32_t i = 0; grows && i < 4; i++) grows = grove_grow(at.grove);
  assert_false(grows);
  assert_non_null(strstr(grove_error(at.grove), "several roles"));
  assert_false(grove_grow(at.grove));
  assert_false(grove_stand(at.grove, initial(&at)));
  close_case(&at);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walk),    cmocka_unit_test(test_share),
      cmocka_unit_test(test_follow),  cmocka_unit_test(test_crowded),
      cmocka_unit_test(test_wins),    cmocka_unit_test(test_returns),
      cmocka_unit_test(test_several), cmocka_unit_test(test_forced),
      cmocka_unit_test(test_cut),     cmocka_unit_test(test_bonus),
  };
  return cmocka_run_group_tests(tests, cards_begin, cards_end);
}
