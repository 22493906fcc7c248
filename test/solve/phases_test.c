/* Merged states are equivalent: the same moves are legal in both, lead to
   states that are merged, and the end and the goals are the same. */
#include "solve/phases.h"

#include "base/random.h"
#include "solve/layers.h"
#include "support/puzzles.h"
#include "support/unit.h"

/* A corridor, then another one, where a light from the first still counts. */
#define CORRIDORS \
  "(role r) (init (a 0)) (init (b 0)) (init (turns 0)) (s 0 1) (s 1 2)" \
  "(s 2 3) (s 3 4) (s 4 5) (t 0 1) (t 1 2) (t 2 3) (t 3 4) (t 4 5) (t 5 6)" \
  "(t 6 7) (<= first_over (true (a 5))) (<= first_over (true (turns 7)))" \
  "(<= (legal r ahead) (not first_over)) (<= (legal r back) (not first_over))" \
  "(<= (legal r (switch)) (not first_over))" \
  "(<= (legal r go) first_over) (<= (legal r leave) first_over)" \
  "(<= (next (a ?q)) (does r ahead) (true (a ?p)) (s ?p ?q))" \
  "(<= (next (a ?p)) (does r back) (true (a ?q)) (s ?p ?q))" \
  "(<= (next (a 0)) (does r back) (true (a 0)))" \
  "(<= (next (a ?p)) (does r (switch)) (true (a ?p)))" \
  "(<= (next (a ?p)) first_over (true (a ?p)))" \
  "(<= (next (turns ?n)) (not first_over) (true (turns ?m)) (t ?m ?n))" \
  "(<= (next (turns ?n)) first_over (true (turns ?n)))" \
  "(<= (next light) (does r (switch)) (not (true light)))" \
  "(<= (next light) (true light) (not (does r (switch))))" \
  "(<= (next (b ?q)) (does r go) (true (b ?p)) (s ?p ?q))" \
  "(<= (next (b ?p)) (true (b ?p)) (not (does r go)))" \
  "(<= (next gone) (does r leave))" \
  "(<= terminal (true gone)) (<= terminal (true (b 3)))" \
  "(<= (goal r 100) (true (b 3)) (true light) (true (a 5)))" \
  "(<= (goal r 50) (true (b 3)) (not (true light)))" \
  "(<= (goal r 40) (true (b 3)) (true light) (not (true (a 5))))" \
  "(<= (goal r 10) (not (true (b 3))))"

typedef struct Checked {
  Puzzles *game;
  Packing packing;
  Phases *phases;
  Game *twin;
  uint32_t different; /* keys that were merged with another one */
} Checked;

static void key_of(Checked *checked, Game *game, uint64_t *key) {
  const uint64_t *words;
  game_state(game, &words);
  packing_pack(&checked->packing, words, key);
  phases_merge(checked->phases, key, 1);
}

static void compare_moves(Checked *checked, Game *game, Game *twin) {
  uint32_t words = checked->packing.words;
  uint64_t *keys = memory_new(2 * words * sizeof *keys);
  const Move *moves, *others;
  uint32_t count = game_legal(game, 0, &moves);
  Move *copy = memory_new((count + 1) * sizeof *copy);
  memcpy(copy, moves, count * sizeof *copy);
  assert_int_equal(game_legal(twin, 0, &others), count);
  assert_memory_equal(copy, others, count * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) {
    game_make(game, &copy[i]);
    game_make(twin, &copy[i]);
    key_of(checked, game, keys);
    key_of(checked, twin, keys + words);
    assert_memory_equal(keys, keys + words, words * sizeof *keys);
    game_retract(game);
    game_retract(twin);
  }
  memory_delete(keys);
  memory_delete(copy);
}

/* Compares the game's state, after that many steps, with what it is merged
   with. */
static void compare(Checked *checked, uint32_t depth) {
  Game *game = checked->game->game;
  Packing *packing = &checked->packing;
  uint64_t *key = memory_new(packing->words * sizeof *key);
  uint64_t *state = memory_new(packing->state_words * sizeof *state);
  const uint64_t *words;
  uint32_t count = game_state(game, &words);
  key_of(checked, game, key);
  packing_unpack(packing, key, depth, state);
  checked->different += memcmp(state, words, count * sizeof *words) != 0;
  game_enter(checked->twin, state, count);
  assert_int_equal(game_terminal(game), game_terminal(checked->twin));
  assert_int_equal(game_goal(game, 0), game_goal(checked->twin, 0));
  if (!game_terminal(game)) compare_moves(checked, game, checked->twin);
  memory_delete(key);
  memory_delete(state);
}

static uint32_t check(Puzzles *game, uint32_t games) {
  Checked checked = {.game = game};
  const uint64_t *words;
  Random random;
  random_seed(&random, 3);
  game_state(game->game, &words);
  packing_init(&checked.packing, &game->book, words);
  checked.phases = phases_new(&checked.packing);
  assert_non_null(checked.phases);
  checked.twin = book_game(&game->book);
  for (uint32_t i = 0; i < games; i++) {
    game_reset(game->game);
    for (uint32_t depth = 0;; depth++) {
      const Move *moves;
      compare(&checked, depth);
      if (game_terminal(game->game)) break;
      uint32_t count = game_legal(game->game, 0, &moves);
      Move move = moves[random_below(&random, count)];
      game_make(game->game, &move);
    }
  }
  game_delete(checked.twin);
  phases_delete(checked.phases);
  packing_free(&checked.packing);
  return checked.different;
}

static void test_text(void **state) {
  (void)state;
  Puzzles game;
  puzzles_open_text(&game, CORRIDORS);
  assert_true(check(&game, 200) > 50);
  puzzles_close(&game);
}

static void test_serial(void **state) {
  (void)state;
  Puzzles game;
  puzzles_open_own(&game, "asteroidsSerial");
  assert_true(check(&game, 20) > 200);
  puzzles_close(&game);
}

/* Several keys at once are merged like one at a time. */
static void test_many(void **state) {
  (void)state;
  enum { KEYS = 600 };
  Puzzles game;
  Packing packing;
  const uint64_t *words;
  Random random;
  random_seed(&random, 4);
  puzzles_open_text(&game, CORRIDORS);
  game_state(game.game, &words);
  packing_init(&packing, &game.book, words);
  Phases *one = phases_new(&packing), *many = phases_new(&packing);
  uint32_t size = packing.words;
  uint64_t *keys = memory_new((size_t)KEYS * size * sizeof *keys);
  uint64_t *copy = memory_new((size_t)KEYS * size * sizeof *keys);
  for (uint32_t i = 0; i < KEYS; i++) {
    const Move *moves;
    game_state(game.game, &words);
    packing_pack(&packing, words, keys + (size_t)i * size);
    if (game_terminal(game.game)) {
      game_reset(game.game);
      continue;
    }
    uint32_t count = game_legal(game.game, 0, &moves);
    Move move = moves[random_below(&random, count)];
    game_make(game.game, &move);
  }
  memcpy(copy, keys, (size_t)KEYS * size * sizeof *keys);
  phases_merge(many, keys, KEYS);
  for (uint32_t i = 0; i < KEYS; i++)
    phases_merge(one, copy + (size_t)i * size, 1);
  assert_memory_equal(keys, copy, (size_t)KEYS * size * sizeof *keys);
  memory_delete(keys);
  memory_delete(copy);
  phases_delete(one);
  phases_delete(many);
  packing_free(&packing);
  puzzles_close(&game);
}

/* Searches all states, and checks the plan. */
static void search(Puzzles *game, bool with, Layers *result) {
  Packing packing;
  const uint64_t *words;
  MoveVector moves = {0};
  game_reset(game->game);
  game_state(game->game, &words);
  packing_init(&packing, &game->book, words);
  Fan *fan = fan_new(&game->book, &packing);
  Phases *phases = with ? phases_new(&packing) : NULL;
  LayersOptions options = {.phases = phases, .memory = (size_t)1 << 26};
  Layers *layers = layers_new(&packing, fan, &options);
  while (layers_step(layers) == LAYERS_GOING) continue;
  layers_plan(layers, &moves);
  *result = *layers;
  assert_int_equal(moves.count, layers->best_depth);
  for (uint32_t i = 0; i < moves.count; i++) {
    assert_false(game_terminal(game->game));
    game_make(game->game, &moves.data[i]);
  }
  assert_true(game_terminal(game->game));
  assert_int_equal(game_goal(game->game, 0), layers->best);
  vector_free(&moves);
  layers_delete(layers);
  phases_delete(phases);
  fan_delete(fan);
  packing_free(&packing);
}

static void test_search(void **state) {
  (void)state;
  Puzzles game;
  Layers with, without;
  puzzles_open_text(&game, CORRIDORS);
  search(&game, true, &with);
  search(&game, false, &without);
  assert_int_equal(with.best, 100);
  assert_int_equal(with.best, without.best);
  assert_int_equal(with.best_depth, without.best_depth);
  assert_true(with.expanded < without.expanded);
  puzzles_close(&game);
}

static void test_none(void **state) {
  (void)state;
  Puzzles game;
  Packing packing;
  const uint64_t *words;
  puzzles_open_own(&game, "lightsOut");
  game_state(game.game, &words);
  packing_init(&packing, &game.book, words);
  assert_null(phases_new(&packing));
  packing_free(&packing);
  puzzles_close(&game);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text), cmocka_unit_test(test_serial),
      cmocka_unit_test(test_many), cmocka_unit_test(test_search),
      cmocka_unit_test(test_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
