/* Keys, their net, the wide expansion and the set of keys, against the scalar
   engine and against simple twins. */
#include "base/bits.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/random.h"
#include "scalar/scalar.h"
#include "solve/fan.h"
#include "solve/fixed.h"
#include "solve/store.h"
#include "support/puzzles.h"
#include "support/unit.h"

/* ---- round trips ---- */

/* Plays a random game from the state and checks key, unpacked state and time of
   every state. */
static void check_trips(Puzzles *game, Packing *packing, Random *random) {
  uint64_t *key = memory_new(packing->words * sizeof *key);
  uint64_t *state = memory_new(packing->state_words * sizeof *state);
  const uint64_t *words;
  const Move *moves;
  game_enter(game->game, packing->start, game->book.words);
  for (uint32_t depth = 0; depth < 100; depth++) {
    uint32_t count = game_state(game->game, &words);
    packing_pack(packing, words, key);
    packing_unpack(packing, key, depth, state);
    assert_memory_equal(state, words, count * sizeof *words);
    for (uint32_t w = 0; w < packing->words; w++)
      assert_true(packing->used[w] == 64 || key[w] >> packing->used[w] == 0);
    if (game_terminal(game->game)) break;
    count = game_legal(game->game, 0, &moves);
    if (!count) break;
    Move move = moves[random_below(random, count)];
    game_make(game->game, &move);
  }
  memory_delete(key);
  memory_delete(state);
}

/* Goes some random steps from the initial state. */
static void wander(Puzzles *game, Random *random, uint32_t steps) {
  const Move *moves;
  uint32_t count;
  game_reset(game->game);
  while (steps-- && !game_terminal(game->game) &&
         (count = game_legal(game->game, 0, &moves))) {
    Move move = moves[random_below(random, count)];
    game_make(game->game, &move);
  }
}

/* ---- the fan ---- */

typedef struct Sampled {
  uint64_t *keys;
  uint16_t *depths;
  uint32_t count;
} Sampled;

/* States of random games from the packing's start, with their depths. */
static Sampled sample(Puzzles *game, const Packing *packing, Random *random,
                      uint32_t most) {
  Sampled sampled = {
      .keys = memory_new((size_t)most * packing->words * sizeof(uint64_t)),
      .depths = memory_new(most * sizeof(uint16_t))};
  const uint64_t *words;
  const Move *moves;
  for (uint32_t tries = 0; sampled.count < most && tries < most; tries++) {
    game_enter(game->game, packing->start, game->book.words);
    for (uint16_t depth = 0; depth < 60 && sampled.count < most; depth++) {
      game_state(game->game, &words);
      packing_pack(packing, words,
                   sampled.keys + (size_t)sampled.count * packing->words);
      sampled.depths[sampled.count++] = depth;
      uint32_t count = game_legal(game->game, 0, &moves);
      if (!count || game_terminal(game->game)) break;
      Move move = moves[random_below(random, count)];
      game_make(game->game, &move);
    }
  }
  return sampled;
}

/* Checks one lane: what the rounds gave for it is in `got`, in order. */
static void check_lane(Puzzles *game, Fan *fan, Packing *packing,
                       const FanBatch *batch, uint32_t lane,
                       const uint64_t *got, const uint32_t *moves_got,
                       uint32_t got_count) {
  const uint64_t *key = batch->keys + (size_t)lane * packing->words;
  uint32_t depth = batch->depths ? batch->depths[lane] : batch->depth;
  uint64_t *state = memory_new(packing->state_words * sizeof *state);
  uint64_t *successor = memory_new(packing->words * sizeof *state);
  const uint64_t *words;
  const Move *moves;
  packing_unpack(packing, key, depth, state);
  game_enter(game->game, state, game->book.words);
  bool terminal = game_terminal(game->game);
  assert_int_equal(bits_has(fan->terminal, lane), terminal);
  assert_int_equal(fan->goals[lane], terminal ? game_goal(game->game, 0) : -1);
  uint32_t count = terminal ? 0 : game_legal(game->game, 0, &moves), made = 0;
  for (uint32_t i = 0; i < count; i++) {
    game_legal(game->game, 0, &moves);
    Move move = moves[i];
    if (batch->skip && bits_has(batch->skip[lane], move)) continue;
    assert_true(made < got_count);
    game_make(game->game, &move);
    game_state(game->game, &words);
    packing_pack(packing, words, successor);
    game_retract(game->game);
    assert_int_equal(moves_got[made], move);
    assert_memory_equal(got + (size_t)made * packing->words, successor,
                        packing->words * sizeof *successor);
    made++;
    if (i) continue;
    assert_int_equal(fan_move(fan, key, depth, successor), move);
  }
  assert_int_equal(made, got_count);
  memory_delete(state);
  memory_delete(successor);
}

static void check_batch(Puzzles *game, Fan *fan, Packing *packing,
                        const FanBatch *batch) {
  uint32_t most = packing->net->moves.count, words = packing->words, count;
  uint64_t *keys = memory_new((size_t)batch->count * most * words * 8 + 8);
  uint32_t *moves = memory_new((size_t)batch->count * most * 4 + 4);
  uint32_t *counts = memory_new(batch->count * sizeof *counts);
  fan_load(fan, batch);
  while ((count = fan_round(fan))) {
    for (uint32_t i = 0; i < count; i++) {
      uint32_t lane = fan->lanes[i];
      assert_true(lane < batch->count && (!i || lane >= fan->lanes[i - 1]));
      size_t at = (size_t)lane * most + counts[lane]++;
      memcpy(keys + at * words, fan->keys + (size_t)i * words, words * 8);
      moves[at] = fan->moves[i];
    }
  }
  for (uint32_t lane = 0; lane < batch->count; lane++)
    check_lane(game, fan, packing, batch, lane,
               keys + (size_t)lane * most * words, moves + (size_t)lane * most,
               counts[lane]);
  memory_delete(keys);
  memory_delete(moves);
  memory_delete(counts);
}

static void check_fan(Puzzles *game, Packing *packing, Random *random,
                      uint32_t most) {
  Fan *fan = fan_new(&game->book, packing);
  Sampled sampled = sample(game, packing, random, most);
  size_t words = bits_words(packing->net->moves.count);
  uint64_t *sets = memory_new((words + 1) * 3 * sizeof *sets);
  const uint64_t **skip = memory_new(most * sizeof *skip);
  for (uint32_t i = 0; i < 3 * words; i++)
    sets[i] = random_next(random) & random_next(random);
  for (uint32_t i = 0; i < most; i++)
    skip[i] = sets + random_below(random, 3) * words;
  FanBatch batch = {
      .count = sampled.count, .keys = sampled.keys, .depths = sampled.depths};
  check_batch(game, fan, packing, &batch);
  batch.skip = skip;
  check_batch(game, fan, packing, &batch);
  batch.skip = NULL;
  uint32_t first = 0, same = 0; /* states of one depth */
  for (uint32_t i = 0; i < sampled.count; i++) {
    if (sampled.depths[i] != sampled.depths[0] && sampled.depths[i] != 3)
      continue;
    if (!same) first = i;
    if (sampled.depths[i] != sampled.depths[first]) continue;
    memmove(sampled.keys + (size_t)same++ * packing->words,
            sampled.keys + (size_t)i * packing->words, packing->words * 8);
  }
  batch = (FanBatch){
      .count = same, .keys = sampled.keys, .depth = sampled.depths[first]};
  check_batch(game, fan, packing, &batch);
  memory_delete(sampled.keys);
  memory_delete(sampled.depths);
  memory_delete(sets);
  memory_delete(skip);
  fan_delete(fan);
}

/* ---- games ---- */

/* With and without an analysis, from the initial state and from later ones. */
static void check_game(Puzzles *game, uint32_t most) {
  Random random;
  random_seed(&random, 7);
  for (uint32_t round = 0; round < 3; round++) {
    if (round == 1) book_analysis(&game->book);
    wander(game, &random, round == 2 ? 5 : 0);
    const uint64_t *start;
    game_state(game->game, &start);
    Packing packing;
    packing_init(&packing, &game->book, start);
    assert_true(packing.bits <= game->book.net.fluents.count);
    for (uint32_t i = 0; i < 5; i++) check_trips(game, &packing, &random);
    check_fan(game, &packing, &random, most);
    packing_free(&packing);
  }
}

static void test_games(void **state) {
  (void)state;
  static const char *const names[] = {
      "buttons",     "maze",      "hanoi", "blocksWorld",    "lightsOut",
      "eightPuzzle", "asteroids", "peg",   "circleSolitaire"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles game;
    puzzles_open_own(&game, names[i]);
    check_game(&game, 80);
    puzzles_close(&game);
  }
}

static void test_large_games(void **state) {
  (void)state;
  static const char *const names[] = {"rubiksCube", "knightsTour",
                                      "asteroidsSerial", "hunter"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles game;
    puzzles_open_own(&game, names[i]);
    check_game(&game, 24);
    puzzles_close(&game);
  }
}

/* Sizes that are known: nine fields of four bits and no step counter; one bit
   for each lamp. */
static void test_sizes(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t bits, timed;
  } known[] = {{"eightPuzzle", 36, 61}, {"lightsOut", 25, 21}};
  for (uint32_t i = 0; i < LENGTH(known); i++) {
    Puzzles game;
    Packing packing;
    const uint64_t *start;
    puzzles_open_own(&game, known[i].name);
    book_analysis(&game.book);
    game_state(game.game, &start);
    packing_init(&packing, &game.book, start);
    assert_int_equal(packing.bits, known[i].bits);
    assert_int_equal(packing.timed_count, known[i].timed);
    assert_int_equal(packing.words, 1);
    packing_free(&packing);
    puzzles_close(&game);
  }
}

/* A door that stays open once it is; a lamp behind a move that is never legal;
   a pair of places; a clock of two hours. */
#define FIXED_TEXT \
  "(role r) (init (at 1)) (init (t 0)) (legal r open) (legal r go)" \
  "(<= (legal r light) (true (key 1))) (<= (next (key 1)) (true (key 1)))" \
  "(<= (next open) (does r open)) (<= (next open) (true open))" \
  "(<= (next (at 2)) (true (at 1)) (does r go))" \
  "(<= (next (at 1)) (true (at 2)) (does r go))" \
  "(<= (next (at ?x)) (true (at ?x)) (not (does r go)))" \
  "(<= (next lit) (does r light)) (<= (next lit) (true lit))" \
  "(<= (next (t 1)) (true (t 0))) (<= (next (t 0)) (true (t 1)))" \
  "(<= terminal (true open) (true (at 2)) (true (t 0)))" \
  "(<= (goal r 100) (true open)) (<= (goal r 50) (true lit))" \
  "(<= (goal r 0) (not (true open)))"

static void test_fixed(void **state) {
  (void)state;
  Puzzles game;
  Packing packing;
  const uint64_t *words;
  puzzles_open_text(&game, FIXED_TEXT);
  book_analysis(&game.book);
  game_state(game.game, &words);
  packing_init(&packing, &game.book, words);
  assert_int_equal(packing.bits, 3); /* open, at, and t, which alternates */
  assert_int_equal(packing.timed_count, 0);
  packing_free(&packing);
  puzzles_make(&game, "open");
  game_state(game.game, &words);
  packing_init(&packing, &game.book, words);
  assert_int_equal(packing.bits, 2);
  packing_free(&packing);
  game_reset(game.game);
  check_game(&game, 50);
  puzzles_close(&game);
}

/* A state that no game reaches, with two places at once, is kept whole. */
static void test_irregular(void **state) {
  (void)state;
  Puzzles game;
  Packing packing;
  puzzles_open_own(&game, "eightPuzzle");
  book_analysis(&game.book);
  uint64_t *words = memory_new(game.book.words * sizeof *words);
  for (uint32_t i = 0; i < game.book.net.fluents.count; i += 2)
    bits_add(words, i);
  packing_init(&packing, &game.book, words);
  Random random;
  random_seed(&random, 3);
  check_trips(&game, &packing, &random);
  packing_free(&packing);
  memory_delete(words);
  puzzles_close(&game);
}

static void test_public(void **state) {
  (void)state;
  static const char *const names[] = {
      "aipsrovers01", "asteroidsParallel", "coins",       "duplicateStateLarge",
      "futoshiki4",   "hallway",           "mummymaze1p", "ruleDepthLinear",
      "tpeg",         "troublemaker01"};
  uint32_t opened = 0;
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles game;
    if (!puzzles_open_public(&game, names[i])) continue;
    if (game.book.has_net && game.game->role_count == 1) {
      opened++;
      check_game(&game, 10);
    }
    puzzles_close(&game);
  }
  if (!opened) skip();
}

/* ---- the store ---- */

static void check_store(uint32_t words, uint32_t count, uint64_t range) {
  Store *store = store_new(words, 64 << 20);
  Map map = {0};
  Random random;
  VECTOR(uint64_t) list = {0}; /* keys from entry 1 */
  uint64_t *keys = memory_new((size_t)count * words * sizeof *keys);
  uint32_t *numbers = memory_new(count * sizeof *numbers);
  random_seed(&random, words);
  for (uint32_t i = 0; i < count * words; i++)
    keys[i] = random_next(&random) % range;
  uint32_t half = count / 2;
  assert_int_equal(store_add_many(store, keys, half, numbers), half);
  for (uint32_t i = half; i < count; i++) {
    bool fresh;
    numbers[i] = store_add(store, keys + (size_t)i * words, &fresh);
    if (fresh) numbers[i] |= STORE_FRESH;
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t *key = keys + (size_t)i * words;
    uint64_t hash = hash_bytes((const char *)key, words * sizeof *key);
    MapCursor at;
    uint32_t entry = map_first(&map, hash, &at);
    while (entry && memcmp(list.data + (size_t)(entry - 1) * words, key,
                           words * sizeof *key))
      entry = map_next(&map, &at);
    if (!entry) {
      for (uint32_t w = 0; w < words; w++) vector_push(&list, key[w]);
      map_insert(&map, &at, list.count / words);
      assert_int_equal(numbers[i], (list.count / words - 1) | STORE_FRESH);
    } else {
      assert_int_equal(numbers[i], entry - 1);
    }
    assert_int_equal(store_find(store, key), numbers[i] & ~STORE_FRESH);
    assert_memory_equal(store_key(store, numbers[i] & ~STORE_FRESH), key,
                        words * sizeof *key);
  }
  assert_int_equal(store_count(store), list.count / words);
  uint64_t *other = memory_new(words * sizeof *other);
  other[0] = range;
  assert_int_equal(store_find(store, other), STORE_FULL);
  store_clear(store);
  assert_int_equal(store_find(store, keys), STORE_FULL);
  bool fresh;
  assert_int_equal(store_add(store, keys, &fresh), 0);
  assert_true(fresh);
  memory_delete(other);
  memory_delete(keys);
  memory_delete(numbers);
  vector_free(&list);
  map_free(&map);
  store_delete(store);
}

static void test_store(void **state) {
  (void)state;
  check_store(1, 60000, 20000);
  check_store(1, 60000, UINT64_MAX);
  check_store(2, 30000, 200);
  check_store(5, 3000, 3);
}

/* What does not fit in is refused, and what is there is still found. */
static void test_full_store(void **state) {
  (void)state;
  for (uint32_t words = 1; words < 4; words++) {
    Store *store = store_new(words, 1 << 18);
    uint64_t key[4] = {0};
    uint32_t number;
    bool fresh;
    do {
      key[0]++;
      number = store_add(store, key, &fresh);
    } while (number != STORE_FULL && key[0] < 1000000);
    assert_int_equal(number, STORE_FULL);
    uint32_t count = store_count(store);
    assert_true(count > 1000 && count * words * 8 < 1 << 18);
    uint32_t numbers[3];
    uint64_t three[12] = {0};
    three[0] = 1;
    three[words] = count;
    three[2 * words] = UINT64_MAX;
    assert_int_equal(store_add_many(store, three, 3, numbers), 2);
    assert_int_equal(numbers[0], 0);
    assert_int_equal(numbers[1], count - 1);
    store_delete(store);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_games),     cmocka_unit_test(test_large_games),
      cmocka_unit_test(test_sizes),     cmocka_unit_test(test_fixed),
      cmocka_unit_test(test_irregular), cmocka_unit_test(test_public),
      cmocka_unit_test(test_store),     cmocka_unit_test(test_full_store),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
