/* Broods that were made ahead: the table of them, and searches with it against
   the same searches without. Here the scalar engine makes them, by entering
   every state. A search must come to the very same with them, state for state,
   whatever part of its nodes the nest has. */
#include "minimax/nest.h"

#include <unistd.h>

#include "base/bits.h"
#include "base/clock.h"
#include "base/random.h"
#include "base/sanitized.h"
#include "base/thread.h"
#include "engine/moves.h"
#include "minimax/parts.h"
#include "scalar/zobrist.h"
#include "support/minds.h"
#include "value/linear.h"

/* ---- the table ---- */

/* Made-up nodes: what they have follows from their number. */
static HatchNode made_up(uint32_t i) {
  return (HatchNode){.key = (i + 1) * (uint64_t)0x9e3779b97f4a7c15u,
                     .count = 1 + i % 3,
                     .mover = i % 2,
                     .kind = HATCH_MADE | (i % 5 == 0 ? HATCH_FORCED : 0)};
}

/* Adds a node that was asked for, whose children have this move. Returns false
   if there is no room for them. */
static bool add_root(Nest *nest, const HatchNode *node, uint32_t move) {
  HatchChild *room = nest_reserve(nest, node->count);
  if (!room) return false;
  for (uint32_t i = 0; i < node->count; i++)
    room[i] = (HatchChild){.move = (uint16_t)move};
  Hatched part = {.nodes = node,
                  .nodes_count = 1,
                  .children_count = node->count,
                  .roots = 1};
  nest_add(nest, &part, room, room);
  return true;
}

static void add_made_up(Nest *nest, uint32_t i) {
  HatchNode node = made_up(i);
  assert_true(add_root(nest, &node, i));
}

/* Returns true if the brood is not that of the node. */
static bool is_wrong(const NestBrood *brood, uint32_t i) {
  HatchNode node = made_up(i);
  for (uint32_t k = 0; k < node.count; k++)
    if (brood->children[k].move != (uint16_t)i) return true;
  return brood->count != node.count || brood->mover != node.mover ||
         brood->forced != ((node.kind & HATCH_FORCED) != 0) || brood->attacks;
}

static void test_table(void **state) {
  (void)state;
  enum { ROOM = 1000, MORE = 1500 };
  Nest *nest = nest_new(ROOM, 6 * MORE);
  NestBrood brood;
  for (uint32_t round = 0; round < 2; round++) {
    assert_int_equal(nest_count(nest), 0);
    for (uint32_t i = 0; i < MORE; i++) {
      HatchNode node = made_up(i);
      assert_false(nest_find(nest, node.key, &brood));
      add_made_up(nest, i);
      assert_true(add_root(nest, &node, 0)); /* it is there already */
      assert_int_equal(nest_count(nest), i < ROOM ? i + 1 : ROOM);
    }
    for (uint32_t i = 0; i < MORE; i++) {
      assert_true(nest_find(nest, made_up(i).key, &brood) == (i < ROOM));
      if (i < ROOM) assert_false(is_wrong(&brood, i));
    }
    nest_turn(nest, ROOM);
    nest_turn(nest, ROOM);
  }
  nest_delete(nest);
}

/* The half that is turned to is emptied and has as much room as is wanted, and
   the other one stays. */
static void test_table_halves(void **state) {
  (void)state;
  enum { MOST = 100, ROUNDS = 5 };
  static const uint32_t rooms[ROUNDS] = {100, 37, 100, 1, 64};
  Nest *nest = nest_new(MOST, 3 * MOST);
  NestBrood brood;
  uint32_t last = 0;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    uint32_t room = rooms[round];
    if (round) nest_turn(nest, room);
    assert_int_equal(nest_nodes(nest), room);
    for (uint32_t i = 0; i < room; i++) {
      assert_int_equal(nest_recent(nest), i);
      add_made_up(nest, round * MOST + i);
    }
    add_made_up(nest, ROUNDS * MOST); /* is left out */
    assert_int_equal(nest_count(nest), room + last);
    for (uint32_t i = 0; i <= ROUNDS * MOST; i++) {
      bool now = i / MOST == round && i % MOST < room;
      bool kept = now || (i / MOST + 1 == round && i % MOST < last);
      assert_true(nest_find(nest, made_up(i).key, &brood) == kept);
      if (kept) assert_false(is_wrong(&brood, i));
    }
    last = room;
  }
  nest_turn(nest, 2 * MOST);
  assert_int_equal(nest_nodes(nest), MOST);
  nest_delete(nest);
}

/* Children have room as well. */
static void test_table_room(void **state) {
  (void)state;
  Nest *nest = nest_new(100, 10);
  HatchNode node = {.key = 1, .count = 4, .kind = HATCH_MADE};
  HatchChild *halves[2] = {nest_reserve(nest, 10)};
  assert_non_null(halves[0]);
  assert_null(nest_reserve(nest, 1));
  for (uint32_t round = 1; round < 4; round++) {
    nest_turn(nest, 100);
    assert_int_equal(nest_room(nest), 10);
    assert_null(nest_reserve(nest, 11));
    assert_true(add_root(nest, &node, 1) && add_root(nest, &node, 1));
    assert_false(add_root(nest, &node, 1));
    assert_int_equal(nest_room(nest), 2);
    HatchChild *rest = nest_reserve(nest, 2);
    assert_non_null(rest);
    if (round == 1) halves[1] = rest - 8;
    assert_ptr_equal(rest - 8, halves[round % 2]);
  }
  assert_ptr_not_equal(halves[0], halves[1]);
  nest_delete(nest);
}

/* ---- by the child that leads there ---- */

/* A batch in two parts: a root with three children, what two of them lead to,
   one with attacks alone; then attacks of what these lead to, some way behind.
 */
enum { APART = 3, LED_CHILDREN = 3 + 4 + APART + 2 };

static void add_batch(Nest *nest, uint64_t key, uint32_t move, bool linked) {
  const HatchNode first[] = {
      {.key = key, .first = 0, .count = 3, .kind = HATCH_MADE},
      {.key = key + 1, .first = 3, .count = 2, .mover = 1, .kind = HATCH_MADE},
      {.key = key + 2},
      {.key = key + 3,
       .first = 5,
       .count = 2,
       .kind = HATCH_MADE | HATCH_FORCED}};
  const HatchNode second[] = {
      {.key = key + 4},
      {.key = key + 5, .count = 2, .kind = HATCH_MADE | HATCH_ATTACKS},
      {.key = key + 6, .first = 2, .kind = HATCH_MADE | HATCH_ATTACKS},
      {.key = key + 7}};
  HatchChild *room = nest_reserve(nest, LED_CHILDREN);
  assert_non_null(room);
  for (uint32_t i = 0; i < LED_CHILDREN; i++)
    room[i] =
        (HatchChild){.move = (uint16_t)(i < 7 ? move + i : move + i - APART)};
  Hatched part = {.nodes = first,
                  .nodes_count = LENGTH(first),
                  .children_count = 3 + 4,
                  .roots = 1};
  nest_add(nest, &part, room, room);
  HatchLink links[LENGTH(second)];
  for (uint32_t i = 0; i < LENGTH(second); i++)
    links[i] = second[i].kind ? hatch_link(&second[i]) : 0;
  part = (Hatched){.nodes = linked ? NULL : second,
                   .links = linked ? links : NULL,
                   .nodes_count = LENGTH(second),
                   .children_count = 2,
                   .back = 4};
  nest_add(nest, &part, room + 7 + APART, room + 7);
}

/* Follows a child; the brood has so many, the first of this move. */
static NestBrood follow(const Nest *nest, const NestBrood *from, uint32_t i,
                        uint32_t count, uint32_t move) {
  NestBrood brood = {0};
  assert_true(nest_follow(nest, nest_place(from, i), &brood));
  assert_int_equal(brood.count, count);
  if (count) assert_int_equal(brood.children->move, move);
  return brood;
}

static void check_batch(const Nest *nest, uint64_t key, uint32_t move) {
  NestBrood root, brood;
  assert_true(nest_find(nest, key, &root));
  assert_int_equal(root.count, 3);
  assert_int_equal(root.children->move, move);
  NestBrood one = follow(nest, &root, 0, 2, move + 3);
  assert_true(one.mover == 1 && !one.forced && !one.attacks);
  assert_false(nest_follow(nest, nest_place(&root, 1), &brood));
  NestBrood other = follow(nest, &root, 2, 2, move + 5);
  assert_true(other.mover == 0 && other.forced && !other.attacks);
  assert_false(nest_follow(nest, nest_place(&one, 0), &brood));
  NestBrood attacks = follow(nest, &one, 1, 2, move + 7);
  assert_true(attacks.attacks && !attacks.forced);
  for (uint32_t i = 0; i < 2; i++)
    assert_false(nest_follow(nest, nest_place(&attacks, i), &brood));
  assert_true(follow(nest, &other, 0, 0, 0).attacks);
  assert_false(nest_follow(nest, nest_place(&other, 1), &brood));
  for (uint32_t i = 0; i < 8; i++) {
    bool whole = i == 0 || i == 1 || i == 3;
    assert_true(nest_find(nest, key + i, &brood) == whole);
  }
}

static void test_followed(void **state) {
  (void)state;
  enum { BATCHES = 5 };
  Nest *nest = nest_new(100, BATCHES * LED_CHILDREN);
  NestBrood before, brood;
  for (uint32_t round = 0; round < 4; round++) {
    uint64_t key = 1 + (uint64_t)1000 * round;
    for (uint32_t i = 0; i < BATCHES; i++)
      add_batch(nest, key + 100 * i, 100 * i + 10, i % 2);
    for (uint32_t i = 0; i < BATCHES; i++)
      check_batch(nest, key + 100 * i, 100 * i + 10);
    if (round) {
      for (uint32_t i = 0; i < BATCHES; i++)
        check_batch(nest, key - 1000 + 100 * i, 100 * i + 10);
      assert_true(nest_follow(nest, nest_place(&before, 0), &brood));
    }
    assert_false(nest_follow(nest, (NestPlace){0}, &brood));
    /* What was found is there until the turn after the next. */
    NestBrood now;
    assert_true(nest_find(nest, key, &now));
    nest_turn(nest, 100);
    if (round) assert_false(nest_follow(nest, nest_place(&before, 0), &brood));
    assert_true(nest_follow(nest, nest_place(&now, 0), &brood));
    assert_true(nest_find(nest, key, &before));
    assert_true(before.place.until == now.place.until);
  }
  nest_delete(nest);
}

/* Keys that all belong in the same slot, and those that never are there. */
static void test_table_odd_keys(void **state) {
  (void)state;
  Nest *nest = nest_new(8, 100);
  NestBrood brood;
  for (uint64_t i = 1; i <= 6; i++)
    add_root(nest,
             &(HatchNode){
                 .key = i << 32 | 15, .count = (uint32_t)i, .kind = HATCH_MADE},
             1);
  for (uint64_t i = 1; i <= 7; i++) {
    assert_true(nest_find(nest, i << 32 | 15, &brood) == (i <= 6));
    if (i <= 6) assert_int_equal(brood.count, i);
  }
  add_root(nest, &(HatchNode){.key = 0, .count = 1, .kind = HATCH_MADE}, 1);
  add_root(nest, &(HatchNode){.key = 1, .count = 1}, 1);
  assert_int_equal(nest_count(nest), 6);
  assert_false(nest_find(nest, 0, &brood));
  assert_false(nest_find(nest, 1, &brood));
  nest_delete(nest);
  nest_delete(nest_new(0, 0));
}

enum { SHARED_NODES = 20000, LOOKERS = 3 };

typedef struct Looking {
  const Nest *nest;
  atomic_bool *done;
  uint32_t wrong, found;
} Looking;

/* Looks for all nodes until the last one has come. */
static void *look(void *context) {
  Looking *looking = context;
  for (bool last = false; !last;) {
    last = atomic_load(looking->done);
    looking->found = 0;
    for (uint32_t i = 0; i < SHARED_NODES; i++) {
      NestBrood brood;
      if (!nest_find(looking->nest, made_up(i).key, &brood)) continue;
      looking->found++;
      looking->wrong += is_wrong(&brood, i);
    }
  }
  return NULL;
}

static void test_table_threads(void **state) {
  (void)state;
  Nest *nest = nest_new(SHARED_NODES, 3 * SHARED_NODES);
  atomic_bool done = false;
  pthread_t threads[LOOKERS];
  Looking looking[LOOKERS];
  for (uint32_t t = 0; t < LOOKERS; t++) {
    looking[t] = (Looking){nest, &done, 0, 0};
    assert_true(thread_start(&threads[t], THREAD_STACK, look, &looking[t]));
  }
  for (uint32_t i = 0; i < SHARED_NODES; i++) add_made_up(nest, i);
  atomic_store(&done, true);
  for (uint32_t t = 0; t < LOOKERS; t++) {
    pthread_join(threads[t], NULL);
    assert_int_equal(looking[t].wrong, 0);
    assert_int_equal(looking[t].found, SHARED_NODES);
  }
  nest_delete(nest);
}

enum { TURNED_ROOM = 50, TURNED_NODES = 400, TURNS = 40 };

typedef struct Copying {
  const Nest *nest;
  atomic_bool *done, *follows; /* somebody has followed a child */
  uint32_t reader, wrong;
  uint64_t found, followed;
} Copying;

/* Copies a brood, of three children at most, out of the nest. */
static bool copy_out(const Copying *copying, uint64_t key, NestPlace place,
                     HatchChild *children, NestBrood *brood) {
  nest_enter(copying->nest, copying->reader);
  bool there = key ? nest_find(copying->nest, key, brood)
                   : nest_follow(copying->nest, place, brood);
  if (there && brood->children->move % 16 == 0) usleep(100); /* others go on */
  if (there) memcpy(children, brood->children, brood->count * sizeof *children);
  nest_leave(copying->nest, copying->reader);
  return there;
}

/* Copies what it finds, and looks whether it is the node's own; and what the
   children lead to, some time later. */
static void *copy(void *context) {
  Copying *copying = context;
  while (!atomic_load(copying->done))
    for (uint32_t i = 0; i < TURNED_NODES; i++) {
      HatchChild children[3];
      NestBrood brood, below;
      if (!copy_out(copying, made_up(i).key, (NestPlace){0}, children, &brood))
        continue;
      copying->found++;
      for (uint32_t k = 0; k < brood.count; k++)
        copying->wrong += children[k].move != i;
      if (i % 7 == 0) usleep(50);
      if (!copy_out(copying, 0, nest_place(&brood, 0), children, &below))
        continue;
      copying->followed++;
      atomic_store(copying->follows, true);
      copying->wrong += below.count != 1 || children->move != i + 1000;
    }
  return NULL;
}

/* A node, and what its first child leads to. */
static void add_two(Nest *nest, uint32_t i) {
  HatchNode nodes[] = {made_up(i), {.kind = HATCH_MADE | HATCH_ATTACKS}};
  uint32_t count = nodes[0].count;
  nodes[1].first = count;
  nodes[1].count = 1;
  HatchChild *room = nest_reserve(nest, count + 1);
  assert_non_null(room);
  for (uint32_t k = 0; k <= count; k++)
    room[k] = (HatchChild){.move = (uint16_t)(k < count ? i : i + 1000)};
  Hatched part = {.nodes = nodes,
                  .nodes_count = 2,
                  .children_count = count + 1,
                  .roots = 1};
  nest_add(nest, &part, room, room);
}

/* The memory of a half is written over as soon as it is turned to. */
static void test_table_turns(void **state) {
  (void)state;
  Nest *nest = nest_new(TURNED_ROOM, 4 * TURNED_ROOM);
  atomic_bool done = false, follows = false;
  pthread_t threads[LOOKERS];
  Copying copying[LOOKERS];
  uint64_t found = 0, followed = 0;
  double until = clock_now() + 60; /* on a busy machine lookers may come late */
  for (uint32_t t = 0; t < LOOKERS; t++) {
    copying[t] = (Copying){nest, &done, &follows, t, 0, 0, 0};
    assert_true(thread_start(&threads[t], THREAD_STACK, copy, &copying[t]));
  }
  for (uint32_t turn = 0, next = 0;
       turn < TURNS || (!atomic_load(&follows) && clock_now() < until);
       turn++) {
    if (turn) nest_turn(nest, TURNED_ROOM);
    for (uint32_t i = 0; i < TURNED_ROOM; i++, next++)
      add_two(nest, next % TURNED_NODES);
    if (turn % 8 == 0) usleep(500);
  }
  atomic_store(&done, true);
  for (uint32_t t = 0; t < LOOKERS; t++) {
    pthread_join(threads[t], NULL);
    assert_int_equal(copying[t].wrong, 0);
    found += copying[t].found;
    followed += copying[t].followed;
  }
  assert_true(found > 0 && followed > 0 && followed <= found);
  nest_delete(nest);
}

/* ---- broods made by the scalar engine ---- */

typedef struct Hatch {
  const Book *book;
  Game *game;
  VECTOR(HatchNode) nodes;
  VECTOR(HatchChild) children;
  VECTOR(uint32_t) below; /* by child: the node that it leads to; 0: none */
  uint32_t ends, large;   /* children that are, nodes with too many changes */
} Hatch;

/* Sets what changes. Returns false if it is too much. */
static bool set_changes(const Hatch *hatch, const uint64_t *from,
                        const uint64_t *to, HatchChild *child) {
  for (uint32_t w = 0; w < hatch->book->words; w++)
    for (uint64_t left = from[w] ^ to[w]; left;) {
      uint32_t bit = bits_take(&left);
      if (child->count == HATCH_CHANGES) return false;
      child->changes[child->count++] = (uint16_t)(w * 64 + bit);
    }
  return true;
}

/* Appends the brood of the state where the game stands; it is not an end. */
static void hatch_here(Hatch *hatch, uint32_t mover, Move *joint,
                       const Move *moves, uint32_t count) {
  Game *game = hatch->game;
  const uint64_t *words;
  uint64_t *from = memory_new(hatch->book->words * sizeof *from);
  HatchNode node = {.first = hatch->children.count,
                    .count = count,
                    .mover = mover,
                    .kind = HATCH_MADE |
                            (turn_of(game).movers == 0 ? HATCH_FORCED : 0)};
  game_state(game, &words);
  memcpy(from, words, hatch->book->words * sizeof *from);
  node.key = zobrist_state_key(hatch->book->zobrist, from,
                               hatch->book->net.fluents.count);
  assert_true(node.key == game_key(game));
  for (uint32_t i = 0; i < count; i++) {
    HatchChild child = {.move = (uint16_t)moves[i]};
    assert_true(!i || moves[i - 1] < moves[i]);
    joint[mover] = moves[i];
    game_successor(game, joint, &words);
    if (!set_changes(hatch, from, words, &child)) node.kind = 0;
    game_make(game, joint);
    child.over = game_terminal(game);
    hatch->ends += child.over;
    game_retract(game);
    vector_push(&hatch->children, child);
    vector_push(&hatch->below, 0);
  }
  hatch->large += !node.kind;
  vector_push(&hatch->nodes, node);
  memory_delete(from);
}

/* All nodes within so many steps of the state where the game stands. */
static void hatch_below(Hatch *hatch, uint32_t steps) {
  Game *game = hatch->game;
  Move joint[RULE_ROLES];
  const Move *moves;
  if (game_terminal(game)) return;
  Turn turn = turn_of(game);
  uint32_t mover = turn.movers ? turn.role : 0;
  assert_true(turn.movers < 2);
  for (uint32_t role = 0; role < game->role_count; role++) {
    game_legal(game, role, &moves);
    joint[role] = moves[0];
  }
  uint32_t count = game_legal(game, mover, &moves);
  Move *list = memory_new(count * sizeof *list);
  memcpy(list, moves, count * sizeof *list);
  uint32_t first = hatch->children.count;
  hatch_here(hatch, mover, joint, list, count);
  for (uint32_t i = 0; steps && i < count; i++) {
    joint[mover] = list[i];
    game_make(game, joint);
    if (!game_terminal(game)) hatch->below.data[first + i] = hatch->nodes.count;
    hatch_below(hatch, steps - 1);
    game_retract(game);
  }
  memory_delete(list);
}

/* Every `apart`th node, found by its key. */
static Nest *nest_by_key(const Hatch *hatch, uint32_t apart) {
  Nest *nest = nest_new(hatch->nodes.count, hatch->children.count);
  for (uint32_t i = 0; i < hatch->nodes.count; i += apart) {
    HatchNode node = hatch->nodes.data[i];
    HatchChild *to = nest_reserve(nest, node.count);
    memcpy(to, hatch->children.data + node.first, node.count * sizeof *to);
    node.first = 0;
    Hatched part = {.nodes = &node,
                    .nodes_count = 1,
                    .children_count = node.count,
                    .roots = 1};
    nest_add(nest, &part, to, to);
  }
  return nest;
}

/* Of what is below the root, which searches list themselves, each fifth child
   has nothing; those two steps below and more are found by their children
   alone. */
static Nest *nest_by_child(const Hatch *hatch) {
  uint32_t room = hatch->children.count, count = 1, children = 0;
  Nest *nest = nest_new(hatch->nodes.count, room);
  HatchNode *nodes = memory_new((room + 1) * sizeof *nodes);
  HatchChild *to = nest_reserve(nest, room);
  nodes[0] = hatch->nodes.data[0];
  for (uint32_t n = 0; n < count; n++) {
    uint32_t from = nodes[n].first;
    nodes[n].first = children;
    for (uint32_t i = 0; nodes[n].kind && i < nodes[n].count; i++) {
      uint32_t below = hatch->below.data[from + i];
      to[children++] = hatch->children.data[from + i];
      if (below && count % 5) nodes[count] = hatch->nodes.data[below];
      if (n) nodes[count].key = 0;
      count++;
    }
  }
  Hatched part = {.nodes = nodes,
                  .nodes_count = count,
                  .children_count = children,
                  .roots = 1};
  nest_add(nest, &part, to, to);
  memory_delete(nodes);
  return nest;
}

/* Nodes within so many steps of the root. */
static Nest *nest_of(Hatch *hatch, const Minimax *minimax, uint32_t steps,
                     uint32_t number) {
  vector_clear(&hatch->nodes);
  vector_clear(&hatch->children);
  vector_clear(&hatch->below);
  game_enter(hatch->game, minimax->root_state.data, minimax->words);
  hatch_below(hatch, steps);
  return number % 2 ? nest_by_child(hatch) : nest_by_key(hatch, 1 + number % 3);
}

/* ---- searches ---- */

static Minimax *open_mind(TestGame *book, uint32_t role, const char *agent,
                          uint64_t seed) {
  Settings settings;
  Text error = {0};
  if (!settings_parse(&settings, agent, &error))
    fail_msg("%s", text_string(&error));
  if (settings.memory > 4) settings.memory = 4;
  settings.gpu = 0;
  assert_true(minimax_plays(&book->rules));
  return minimax_new(&book->rules, role, &settings, seed);
}

/* Nodes of the nest are only spoken of if there were some. */
static void check_explained(Minimax *minimax) {
  Text text = {0};
  minimax_explain(minimax, &text);
  bool told = strstr(text_string(&text), "made ahead by the card");
  assert_true(told == (minimax_report(minimax)->hatched > 0));
  text_free(&text);
}

static void check_equal(Minimax *with, Minimax *without) {
  const MinimaxReport *one = minimax_report(with);
  const MinimaxReport *other = minimax_report(without);
  assert_int_equal(with->score, without->score);
  assert_int_equal(one->depth, other->depth);
  assert_int_equal(one->depth_most, other->depth_most);
  assert_int_equal(one->proven, other->proven);
  assert_int_equal(one->states, other->states);
  assert_int_equal(one->evaluated, other->evaluated);
  assert_int_equal(one->hits, other->hits);
  assert_int_equal(other->hatched, 0);
  check_explained(with);
  const RootMoves *moves = &with->workers[0]->moves;
  const RootMoves *others = &without->workers[0]->moves;
  assert_int_equal(moves->count, others->count);
  for (uint32_t i = 0; i < moves->count; i++) {
    const RootMove *move = &moves->data[i];
    assert_int_equal(move->move, others->data[i].move);
    assert_int_equal(move->score, others->data[i].score);
    assert_int_equal(move->bound, others->data[i].bound);
    assert_int_equal(move->exact, others->data[i].exact);
    assert_int_equal(move->line.count, others->data[i].line.count);
  }
}

typedef struct Comparison {
  const char *game, *agent;
  uint32_t depth, steps; /* of the search, and of what the nest has */
  uint32_t positions, apart;
} Comparison;

/* What a comparison has met. */
typedef struct Met {
  uint64_t hatched;
  uint32_t ends, large;
  bool attacks; /* only attacks are made in quiet search, and ends are found
                   when they are entered */
} Met;

/* Thinks to all depths with a nest and without; then with budgets that break it
   off. */
static void compare_at(const Comparison *c, TestGame *book, Hatch *hatch,
                       uint32_t i, Met *met) {
  Minimax *minds[2];
  Linear *linear = minds_random_linear(book, i + 1);
  for (uint32_t m = 0; m < 2; m++) {
    minds[m] = open_mind(book, i % book->rules.net.role_count, c->agent, i);
    minimax_set_evaluation(minds[m], &linear->evaluation);
    minds_play_random(minds[m], c->apart * i, i + 7);
  }
  met->attacks = minds[0]->features && !minds[0]->ends.program;
  Nest *nest = nest_of(hatch, minds[0], c->steps, i);
  minds[0]->nest = nest;
  for (uint32_t d = 1; d <= c->depth; d++) {
    for (uint32_t m = 0; m < 2; m++) {
      minimax_limit_depth(minds[m], d);
      minimax_think(minds[m], &(Budget){0});
    }
    check_equal(minds[0], minds[1]);
    met->hatched += minimax_report(minds[0])->hatched;
  }
  for (uint64_t states = 100; states < 3000; states *= 2) {
    for (uint32_t m = 0; m < 2; m++) {
      minimax_limit_depth(minds[m], 0);
      minimax_set_evaluation(minds[m], &linear->evaluation);
      minimax_think(minds[m], &(Budget){.states = states});
    }
    check_equal(minds[0], minds[1]);
    assert_true(
        moves_contain(minds[0]->game, minds[0]->role, minimax_best(minds[0])));
  }
  nest_delete(nest);
  for (uint32_t m = 0; m < 2; m++) minimax_delete(minds[m]);
  evaluation_delete(&linear->evaluation);
}

static Met compare(const Comparison *c) {
  TestGame book;
  Met met = {0};
  test_game_open(&book, c->game, true);
  Hatch hatch = {.book = &book.rules, .game = book_game(&book.rules)};
  for (uint32_t i = 0; i < c->positions; i++)
    compare_at(c, &book, &hatch, i, &met);
  assert_true(met.hatched > 0);
  game_delete(hatch.game);
  vector_free(&hatch.nodes);
  vector_free(&hatch.children);
  vector_free(&hatch.below);
  test_game_close(&book);
  met.ends = hatch.ends;
  met.large = hatch.large;
  return met;
}

static const char values[] = "minimax:reduce=0,symmetry=0";

/* Games with ends and without captures. */
static void test_ends(void **state) {
  (void)state;
  assert_true(compare(&(Comparison){"connectFour", values, 5, 4, 4, 9}).ends);
  assert_true(
      compare(&(Comparison){"connectFour", "minimax", 6, 3, 4, 7}).ends);
}

/* Ends are found by the program, and captures searched. */
static void test_captures(void **state) {
  (void)state;
  assert_true(compare(&(Comparison){"breakthrough", values, 3, 2, 3, 20}).ends);
  compare(&(Comparison){"breakthrough", "minimax", 4, 2, 3, 17});
  compare(&(Comparison){"checkers", values, 4, 4, 4, 11});
  compare(&(Comparison){"checkers", "minimax", 5, 4, 4, 13});
}

/* Some moves change more than a brood of the nest may have. */
static void test_many_changes(void **state) {
  (void)state;
  assert_true(compare(&(Comparison){"othello", values, 4, 3, 3, 20}).large);
}

/* The sanitized program, which takes ten times as long to read the rules, has
   this in the long run alone. */
static void test_chess(void **state) {
  (void)state;
#ifdef SANITIZED
  if (!unit_long()) return;
#endif
  Met met = compare(&(Comparison){"chess", "minimax", 3, 2, 2, 197});
  assert_true(met.ends && met.attacks);
}

static void test_many_roles(void **state) {
  (void)state;
  compare(&(Comparison){"chineseCheckers4", values, 4, 3, 3, 7});
}

static void test_symmetries(void **state) {
  (void)state;
  const char *agent = "minimax:reduce=0,symmetry=1";
  assert_true(compare(&(Comparison){"ticTacToe", agent, 7, 6, 3, 1}).ends);
  compare(&(Comparison){"connectFour", agent, 5, 4, 3, 2});
}

/* Threads that search share the nest. */
static void test_searching_threads(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  Minimax *minimax = open_mind(&book, 0, "minimax:threads=3", 1);
  Hatch hatch = {.book = &book.rules, .game = book_game(&book.rules)};
  Nest *nest = nest_of(&hatch, minimax, 5, 1);
  minimax->nest = nest;
  minimax_think(minimax, &(Budget){.seconds = 60});
  const MinimaxReport *report = minimax_report(minimax);
  uint64_t hatched = 0;
  assert_true(report->proven && report->value == 50);
  for (uint32_t i = 0; i < minimax->worker_count; i++)
    hatched += minimax->workers[i]->hatched;
  assert_true(hatched > 0);
  minimax_delete(minimax);
  nest_delete(nest);
  game_delete(hatch.game);
  vector_free(&hatch.nodes);
  vector_free(&hatch.children);
  vector_free(&hatch.below);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_table_odd_keys),
      cmocka_unit_test(test_table_room),
      cmocka_unit_test(test_followed),
      cmocka_unit_test(test_table_halves),
      cmocka_unit_test(test_table_threads),
      cmocka_unit_test(test_table_turns),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_captures),
      cmocka_unit_test(test_many_changes),
      cmocka_unit_test(test_chess),
      cmocka_unit_test(test_many_roles),
      cmocka_unit_test(test_symmetries),
      cmocka_unit_test(test_searching_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
