/* Breadth-first search against an exhaustive twin on the scalar engine: the
   states of every layer, the best score, the shortest plan; what is proved, and
   what is not. */
#include "solve/breadth.h"

#include "base/bits.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/random.h"
#include "solve/dominance.h"
#include "solve/layers.h"
#include "solve/sieve.h"
#include "support/puzzles.h"
#include "support/unit.h"

enum { MEMORY = 64 << 20, DEEPEST = 100 };

/* ---- the twin ---- */

/* Layers of states, each without repetition. */
typedef struct Twin {
  uint32_t sizes[DEEPEST];
  uint32_t depth; /* layers */
  bool ended;     /* the last one has no successors */
  int best;
  uint32_t best_depth;
} Twin;

typedef struct States {
  uint32_t words;
  VECTOR(uint64_t) list;
  Map map;
} States;

/* Returns false if the state is there. */
static bool states_add(States *states, const uint64_t *state) {
  size_t bytes = states->words * sizeof *state;
  uint64_t hash = hash_bytes((const char *)state, bytes);
  MapCursor at;
  for (uint32_t e = map_first(&states->map, hash, &at); e;
       e = map_next(&states->map, &at))
    if (!memcmp(states->list.data + (size_t)(e - 1) * states->words, state,
                bytes))
      return false;
  for (uint32_t w = 0; w < states->words; w++)
    vector_push(&states->list, state[w]);
  map_insert(&states->map, &at, states->list.count / states->words);
  return true;
}

static uint32_t states_count(const States *states) {
  return states->list.count / states->words;
}

static void states_free(States *states) {
  vector_free(&states->list);
  map_free(&states->map);
}

/* Adds the successors of the state that the game is in, those whose keys are
   not in `known` if that is not NULL. */
static void twin_expand(Game *game, const Packing *packing, States *to,
                        States *known) {
  const Move *moves;
  const uint64_t *words;
  uint64_t key[8];
  uint32_t count = game_legal(game, 0, &moves);
  for (uint32_t i = 0; i < count; i++) {
    game_legal(game, 0, &moves);
    Move move = moves[i];
    game_make(game, &move);
    game_state(game, &words);
    packing_pack(packing, words, key);
    if (!known || states_add(known, key)) states_add(to, words);
    game_retract(game);
  }
}

static void twin_look(Twin *twin, Game *game) {
  int goal = game_goal(game, 0);
  if (goal <= twin->best) return;
  twin->best = goal;
  twin->best_depth = twin->depth;
}

/* Looks at layers up to `most`; stops at the score `enough`. */
static Twin twin_run(Puzzles *puzzles, const Packing *packing, bool across,
                     uint32_t most, int enough) {
  Twin twin = {.best = -1};
  States layer = {.words = packing->state_words};
  States known = {.words = packing->words};
  uint64_t key[8];
  assert_true(packing->words <= 8);
  packing_pack(packing, packing->start, key);
  states_add(&known, key);
  states_add(&layer, packing->start);
  for (; twin.depth < most && twin.best < enough; twin.depth++) {
    uint32_t count = states_count(&layer);
    States next = {.words = layer.words};
    twin.sizes[twin.depth] = count;
    for (uint32_t i = 0; i < count; i++) {
      game_enter(puzzles->game, layer.list.data + (size_t)i * layer.words,
                 puzzles->book.words);
      if (game_terminal(puzzles->game))
        twin_look(&twin, puzzles->game);
      else
        twin_expand(puzzles->game, packing, &next, across ? &known : NULL);
    }
    states_free(&layer);
    layer = next;
    twin.ended = !states_count(&layer);
    if (twin.ended) break;
  }
  states_free(&layer);
  states_free(&known);
  return twin;
}

/* ---- layers ---- */

static void begin(Puzzles *puzzles, Packing *packing) {
  const uint64_t *start;
  puzzles->book.limits.prove_seconds = 1;
  book_analysis(&puzzles->book);
  game_reset(puzzles->game);
  game_state(puzzles->game, &start);
  packing_init(packing, &puzzles->book, start);
}

static void check_plan(Puzzles *puzzles, Layers *layers) {
  Puzzle *puzzle = puzzle_new(&puzzles->book, 1, MEMORY);
  MoveVector moves = {0};
  uint32_t at;
  layers_plan(layers, &moves);
  assert_int_equal(moves.count, layers->best_depth);
  assert_int_equal(puzzle_replay(puzzle, moves.data, moves.count, &at),
                   layers->best);
  vector_free(&moves);
  puzzle_delete(puzzle);
}

/* Runs a search as far as the twin went. */
static void check_layers(Puzzles *puzzles, Packing *packing, bool across,
                         bool commuting, const Twin *twin) {
  Fan *fan = fan_new(&puzzles->book, packing);
  Commute commute;
  bool commutes =
      commuting && commute_init(&commute, &puzzles->book, packing, across);
  LayersOptions options = {.across = across,
                           .commute = commutes ? &commute : NULL,
                           .memory = MEMORY};
  Layers *layers = layers_new(packing, fan, &options);
  LayersStatus status = LAYERS_GOING;
  while (status == LAYERS_GOING && layers->depth < twin->depth + twin->ended)
    status = layers_step(layers);
  assert_int_equal(status == LAYERS_ENDED, twin->ended);
  assert_int_equal(layers->best, twin->best);
  if (twin->best >= 0) {
    assert_int_equal(layers->best_depth, twin->best_depth);
    check_plan(puzzles, layers);
  }
  for (uint32_t d = 0; d < twin->depth + twin->ended; d++)
    assert_int_equal(layers_size(layers, d), twin->sizes[d]);
  layers_delete(layers);
  if (commutes) commute_free(&commute);
  fan_delete(fan);
}

static void check_game(Puzzles *puzzles, uint32_t most) {
  Packing packing;
  begin(puzzles, &packing);
  for (int across = 0; across < 2; across++) {
    Twin twin = twin_run(puzzles, &packing, across || !packing.timed_count,
                         most, puzzles->book.best_goal[0]);
    check_layers(puzzles, &packing, across, false, &twin);
    check_layers(puzzles, &packing, across, true, &twin);
  }
  packing_free(&packing);
}

static void test_layers(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t most;
  } games[] = {{"buttons", 20},        {"maze", 20},
               {"hanoi", 40},          {"blocksWorld", 9},
               {"eightPuzzle", 11},    {"lightsOut", 4},
               {"pancakes", 5},        {"peg", 5},
               {"circleSolitaire", 9}, {"rubiksCube", 3},
               {"asteroidsSerial", 8}};
  for (uint32_t i = 0; i < LENGTH(games); i++) {
    Puzzles puzzles;
    puzzles_open_own(&puzzles, games[i].name);
    check_game(&puzzles, games[i].most);
    puzzles_close(&puzzles);
  }
}

/* ---- texts ---- */

#define STEPS(n) \
  "(init (step 0)) (<= (next (step ?n)) (true (step ?m)) (after ?m ?n))" \
  "(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)" \
  "(<= terminal (true (step " #n ")))"

/* Three of seven places can be reached; the prize is at the seventh. */
#define NO_SOLUTION \
  "(role r) (init (at 1)) (way 1 2) (way 2 3) (way 3 1) (way 7 6)" STEPS( \
      5) "(<= (legal r (go ?y)) (true (at ?x)) (way ?x ?y)) (legal r stay)" \
         "(<= (next (at ?y)) (does r (go ?y)))" \
         "(<= (next (at ?x)) (true (at ?x)) (does r stay))" \
         "(<= terminal (true (at 7))) (<= (goal r 100) (true (at 7)))" \
         "(<= (goal r 10) (not (true (at 7))))"

/* The lamp is lit only in the step after it is switched on, and judged at the
   end: what was good before does not count. */
#define FALLS_AGAIN \
  "(role r) (init dark) (legal r on) (legal r off)" STEPS( \
      4) "(<= (next lit) (does r on)) (<= (next dark) (does r off))" \
         "(<= (goal r 100) (true lit)) (<= (goal r 0) (not (true lit)))"

/* A door that opens at step 3 alone leads to the prize; the other one is always
   open and leads to less. */
#define WAITING \
  "(role r) (init (at hall)) (legal r wait) (legal r leave)" STEPS( \
      6) "(<= (legal r enter) (true (step 3)))" \
         "(<= (next (at vault)) (does r enter)) (<= (next (at street)) (does " \
         "r leave))" \
         "(<= (next (at ?x)) (true (at ?x)) (does r wait))" \
         "(<= terminal (true (at vault))) (<= terminal (true (at street)))" \
         "(<= (goal r 100) (true (at vault))) (<= (goal r 30) (true (at " \
         "street)))" \
         "(<= (goal r 0) (true (at hall)))"

/* The same without a prize for those who wait: time is a limit only. */
#define HURRY \
  "(role r) (init (at 1)) (way 1 2) (way 2 3) (way 3 4) (way 1 4)" STEPS( \
      6) "(<= (legal r (go ?y)) (true (at ?x)) (way ?x ?y)) (legal r stay)" \
         "(<= (next (at ?y)) (does r (go ?y)))" \
         "(<= (next (at ?x)) (true (at ?x)) (does r stay))" \
         "(<= terminal (true (at 4))) (<= (goal r 70) (true (at 4)))" \
         "(<= (goal r 100) (true (at 9))) (<= (next (at 9)) (true (at 9)))" \
         "(<= (goal r 5) (not (true (at 4))) (not (true (at 9))))"

/* Nothing ever ends, and a clock ticks. */
#define ENDLESS \
  "(role r) (init (at 1)) (init tick) (legal r go) (legal r stay)" \
  "(<= (next tick) (not (true tick)))" \
  "(<= (next (at 2)) (true (at 1)) (does r go))" \
  "(<= (next (at 1)) (true (at 2)) (does r go))" \
  "(<= (next (at ?x)) (true (at ?x)) (does r stay))" \
  "(<= terminal (true (at 3))) (<= (goal r 100) (true tick))" \
  "(<= (goal r 0) (not (true tick)))"

/* The steps are counted up to six, then the game goes on for ever. */
#define SATURATED \
  "(role r) (init (at 1)) (init (step 0)) (legal r go) (legal r stay)" \
  "(<= (next (step ?n)) (true (step ?m)) (after ?m ?n))" \
  "(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)" \
  "(after 6 6) (<= (next (at 2)) (true (at 1)) (does r go))" \
  "(<= (next (at 1)) (true (at 2)) (does r go))" \
  "(<= (next (at ?x)) (true (at ?x)) (does r stay))" \
  "(<= terminal (true (at 2)) (true (step 6))) (<= (goal r 40) (true (at 2)))" \
  "(<= (goal r 100) (true (at 3))) (<= (next (at 3)) (true (at 3)))" \
  "(<= (goal r 0) (true (at 1)))"

/* The state between two moves that commute may be the end of the game: the
   second move before the first is worth 20, after it and before z 100. */
#define BETWEEN(first, second) \
  "(role r) (init start) (legal r a) (legal r b) (legal r z)" STEPS( \
      6) "(<= (next start) (true start)) (<= (next (has ?m)) (does r ?m))" \
         "(<= (next (has ?m)) (true (has ?m))) (<= terminal (true (has z)))" \
         "(<= terminal (true (has " #second ")) (not (true (has " #first \
         "))))" \
         "(<= (goal r 20) (true (has " #second ")) (not (true (has " #first \
         "))))" \
         "(<= (goal r 100) (true (has z)) (true (has a)) (true (has b)))" \
         "(<= (goal r 5) (true (has z)) (not (true (has " #second "))))" \
         "(<= (goal r 0) (true (step 6)) (not (true (has " #second "))))"

/* ---- the method ---- */

typedef struct Result {
  int score, bound;
  uint32_t length, least;
  bool done;
} Result;

static Result solve(Puzzles *puzzles, size_t memory, uint64_t states) {
  Puzzle *puzzle = puzzle_new(&puzzles->book, 1, memory);
  MethodTask task = {.puzzle = puzzle, .seed = 1, .memory = memory};
  Method *method = breadth_method.new(&task);
  Result result = {.done = !method};
  for (uint32_t i = 0; method && i < 1000 && !result.done; i++) {
    Slice slice = {.states = states};
    result.done = breadth_method.run(method, &slice) == METHOD_DONE;
  }
  result.score = atomic_load(&puzzle->score);
  result.bound = atomic_load(&puzzle->bound);
  result.length = atomic_load(&puzzle->length);
  result.least = atomic_load(&puzzle->least);
  Text text = {0};
  if (method) breadth_method.explain(method, &text);
  assert_true(!method || strstr(text_string(&text), "states"));
  text_free(&text);
  if (method) breadth_method.delete(method);
  puzzle_delete(puzzle);
  return result;
}

/* The method finds and proves what the twin finds. */
static void check_method(Puzzles *puzzles) {
  Packing packing;
  begin(puzzles, &packing);
  Twin twin = twin_run(puzzles, &packing, false, DEEPEST, 100);
  Result result = solve(puzzles, MEMORY, 1000000);
  assert_true(result.done);
  assert_int_equal(result.score, twin.best);
  assert_int_equal(result.bound, twin.best);
  assert_int_equal(result.length, twin.best_depth);
  assert_int_equal(result.least, twin.best_depth);
  packing_free(&packing);
}

static void test_texts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int best;
    uint32_t length;
  } texts[] = {{NO_SOLUTION, 10, 5},    {FALLS_AGAIN, 100, 4},
               {WAITING, 100, 4},       {HURRY, 70, 1},
               {BETWEEN(a, b), 100, 3}, {BETWEEN(b, a), 100, 3}};
  for (uint32_t i = 0; i < LENGTH(texts); i++) {
    Puzzles puzzles;
    puzzles_open_text(&puzzles, texts[i].text);
    check_method(&puzzles);
    check_game(&puzzles, DEEPEST);
    Result result = solve(&puzzles, MEMORY, 1);
    assert_int_equal(result.score, texts[i].best);
    assert_int_equal(result.bound, texts[i].best);
    assert_int_equal(result.length, texts[i].length);
    assert_int_equal(result.least, texts[i].length);
    puzzles_close(&puzzles);
  }
}

static void test_own_games(void **state) {
  (void)state;
  static const char *const names[] = {"buttons", "maze", "hanoi", "blocksWorld",
                                      "circleSolitaire"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles puzzles;
    puzzles_open_own(&puzzles, names[i]);
    check_method(&puzzles);
    puzzles_close(&puzzles);
  }
}

/* Searches that come to an end although games do not. */
static void test_endless(void **state) {
  (void)state;
  Puzzles puzzles;
  puzzles_open_text(&puzzles, ENDLESS);
  Result result = solve(&puzzles, MEMORY, 1000);
  assert_true(result.done);
  assert_int_equal(result.score, -1);
  assert_int_equal(result.bound, 0);
  puzzles_close(&puzzles);
  puzzles_open_text(&puzzles, SATURATED);
  result = solve(&puzzles, MEMORY, 1000);
  assert_true(result.done);
  assert_int_equal(result.score, 40);
  assert_int_equal(result.bound, 40);
  assert_int_equal(result.least, 6);
  puzzles_close(&puzzles);
}

static void test_terminal_start(void **state) {
  (void)state;
  Puzzles puzzles;
  puzzles_open_text(&puzzles,
                    "(role r) (init done) (legal r go) (<= (next done)"
                    "(does r go)) (<= terminal (true done)) (goal r 60)");
  Result result = solve(&puzzles, MEMORY, 1000);
  assert_int_equal(result.score, 60);
  assert_int_equal(result.bound, 60);
  puzzles_close(&puzzles);
}

/* The shortest way of eightPuzzle is known; it is proved by the exact search,
   since the goal depends on the step. */
static void test_eight_puzzle(void **state) {
  (void)state;
  Puzzles puzzles;
  puzzles_open_own(&puzzles, "eightPuzzle");
  book_analysis(&puzzles.book);
  Result result = solve(&puzzles, MEMORY, 100000000);
  assert_true(result.done);
  assert_int_equal(result.score, 100);
  assert_int_equal(result.length, 30);
  assert_int_equal(result.least, 30);
  puzzles_close(&puzzles);
}

/* Without memory the search ends, and nothing is proved. */
static void test_little_memory(void **state) {
  (void)state;
  Puzzles puzzles;
  puzzles_open_own(&puzzles, "peg");
  book_analysis(&puzzles.book);
  for (size_t memory = 1 << 10; memory <= 1 << 22; memory <<= 4) {
    Result result = solve(&puzzles, memory, 100000);
    assert_true(result.done);
    assert_int_equal(result.bound, puzzles.book.best_goal[0]);
  }
  puzzles_close(&puzzles);
}

/* ---- dominance ---- */

static int floor_of(Puzzles *puzzles) {
  Packing packing;
  begin(puzzles, &packing);
  int floor = dominance_floor(&puzzles->book, &packing);
  packing_free(&packing);
  puzzles_close(puzzles);
  return floor;
}

static void test_dominance(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int floor;
  } texts[] = {{NO_SOLUTION, 10}, {FALLS_AGAIN, 100}, {WAITING, 100},
               {HURRY, 5},        {ENDLESS, -1},      {SATURATED, 100}};
  Puzzles puzzles;
  for (uint32_t i = 0; i < LENGTH(texts); i++) {
    puzzles_open_text(&puzzles, texts[i].text);
    assert_int_equal(floor_of(&puzzles), texts[i].floor);
  }
  puzzles_open_own(&puzzles, "lightsOut");
  assert_int_equal(floor_of(&puzzles), 0);
  puzzles_open_own(&puzzles, "eightPuzzle");
  assert_int_equal(floor_of(&puzzles), 100);
}

/* ---- moves that commute ---- */

typedef struct Walker {
  Game *game;
  const Packing *packing;
  uint64_t *here, *key, *other;
  uint32_t words;
} Walker;

static bool is_legal(Game *game, Move move) {
  const Move *moves;
  uint32_t count = game_legal(game, 0, &moves);
  for (uint32_t i = 0; i < count; i++)
    if (moves[i] == move) return true;
  return false;
}

/* Makes two moves from `here`; returns false if that cannot be. `ended`: the
   state between is terminal, with the highest goal. */
static bool go(Walker *walker, Move a, Move b, int highest, bool *ended,
               uint64_t *key) {
  const uint64_t *words;
  *ended = false;
  game_enter(walker->game, walker->here, walker->words);
  if (!is_legal(walker->game, a)) return false;
  game_make(walker->game, &a);
  if (game_terminal(walker->game)) {
    *ended = game_goal(walker->game, 0) == highest;
    return false;
  }
  if (!is_legal(walker->game, b)) return false;
  game_make(walker->game, &b);
  game_state(walker->game, &words);
  packing_pack(walker->packing, words, key);
  return true;
}

/* Checks everything that is said of the moves in the state `here`; returns how
   often there was something to check. */
static uint32_t check_moves(Walker *walker, const Commute *commute, bool across,
                            int highest) {
  uint32_t moves = walker->packing->net->moves.count, checked = 0;
  bool ended;
  uint64_t start[8];
  packing_pack(walker->packing, walker->here, start);
  for (uint32_t a = 0; a < moves; a++)
    for (uint32_t b = 0; b < moves; b++) {
      if (!bits_has(commute_after(commute, a), b)) continue;
      if (!go(walker, a, b, highest, &ended, walker->key)) continue;
      checked++;
      size_t bytes = walker->packing->words * sizeof(uint64_t);
      if (across && !memcmp(walker->key, start, bytes)) continue;
      assert_true(b < a);
      if (go(walker, b, a, highest, &ended, walker->other))
        assert_memory_equal(walker->key, walker->other, bytes);
      else
        assert_true(ended);
    }
  return checked;
}

static uint32_t check_commute(Puzzles *puzzles, bool across, uint32_t *pairs) {
  Packing packing;
  Commute commute;
  Random random;
  uint64_t key[8], other[8];
  uint32_t checked = 0;
  *pairs = 0;
  begin(puzzles, &packing);
  assert_true(packing.words <= 8);
  Walker walker = {.game = puzzles->game,
                   .packing = &packing,
                   .here = memory_new(packing.state_words * sizeof(uint64_t)),
                   .key = key,
                   .other = other,
                   .words = puzzles->book.words};
  random_seed(&random, 5);
  if (commute_init(&commute, &puzzles->book, &packing, across)) {
    *pairs = commute.pairs;
    for (uint32_t round = 0; round < 12; round++) {
      const uint64_t *words;
      const Move *moves;
      uint32_t count, steps = random_below(&random, 8);
      game_enter(puzzles->game, packing.start, puzzles->book.words);
      while (steps-- && !game_terminal(puzzles->game) &&
             (count = game_legal(puzzles->game, 0, &moves))) {
        Move move = moves[random_below(&random, count)];
        game_make(puzzles->game, &move);
      }
      if (game_terminal(puzzles->game)) continue;
      game_state(puzzles->game, &words);
      memcpy(walker.here, words, puzzles->book.words * sizeof *words);
      checked +=
          check_moves(&walker, &commute, across, puzzles->book.best_goal[0]);
    }
    commute_free(&commute);
  }
  memory_delete(walker.here);
  packing_free(&packing);
  return checked;
}

static void test_commute(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t pairs;
  } games[] = {{"lightsOut", 300}, {"eightPuzzle", 0}, {"peg", 1000},
               {"rubiksCube", 20}, {"hanoi", 0},       {"buttons", 0},
               {"blocksWorld", 0}, {"pancakes", 0}};
  for (uint32_t i = 0; i < LENGTH(games); i++)
    for (int across = 0; across < 2; across++) {
      Puzzles puzzles;
      uint32_t pairs;
      puzzles_open_own(&puzzles, games[i].name);
      uint32_t checked = check_commute(&puzzles, across, &pairs);
      assert_true(pairs >= games[i].pairs);
      assert_true(!games[i].pairs || checked > 50);
      puzzles_close(&puzzles);
    }
}

/* ---- the sieve ---- */

/* A packing of which only the sizes are set. */
static Packing sized(uint32_t words, uint32_t *used, uint32_t bits) {
  for (uint32_t w = 0; w < words; w++) used[w] = bits;
  return (Packing){.words = words, .used = used};
}

static void check_sieve(uint32_t words, uint32_t bits, uint64_t range,
                        size_t memory) {
  uint32_t used[4];
  Packing packing = sized(words, used, bits);
  Sieve *sieve = sieve_new(&packing, memory);
  States known = {.words = words};
  Random random;
  uint64_t keys[300 * 3];
  uint16_t fresh[300];
  uint32_t forgotten = 0;
  random_seed(&random, bits);
  assert_non_null(sieve);
  for (uint32_t round = 0; round < 200; round++) {
    uint32_t count = 1 + random_below(&random, 300), at = 0;
    for (uint32_t i = 0; i < count * words; i++)
      keys[i] = random_next(&random) % range;
    uint32_t old = sieve_count(sieve);
    uint32_t added = sieve_add(sieve, keys, count, fresh);
    if (sieve_full(sieve)) break;
    for (uint32_t i = 0; i < count; i++) {
      const uint64_t *key = keys + (size_t)i * words;
      if (!states_add(&known, key)) continue;
      assert_true(at < added && fresh[at] == i);
      assert_memory_equal(sieve_key(sieve, old + at), key, words * 8);
      at++;
    }
    assert_int_equal(at, added);
    assert_int_equal(sieve_count(sieve), forgotten + states_count(&known));
    assert_true(sieve_bytes(sieve) <= memory);
    if (round % 50 != 49) continue;
    forgotten = sieve_count(sieve);
    sieve_forget(sieve);
    states_free(&known);
  }
  assert_int_equal(sieve_full(sieve), memory < 1 << 20);
  sieve_clear(sieve);
  assert_int_equal(sieve_count(sieve), 0);
  assert_int_equal(sieve_add(sieve, keys, 1, fresh), 1);
  states_free(&known);
  sieve_delete(sieve);
}

static void test_sieve(void **state) {
  (void)state;
  check_sieve(1, 12, 1 << 12, 1 << 22);
  check_sieve(1, 5, 1 << 5, 1 << 20);
  check_sieve(1, 40, 10000, 1 << 22);
  check_sieve(1, 63, UINT64_MAX >> 1, 1 << 22);
  check_sieve(1, 64, UINT64_MAX, 1 << 22);
  check_sieve(1, 64, 5000, 1 << 22);
  check_sieve(2, 64, 100, 1 << 22);
  check_sieve(3, 20, 1 << 20, 1 << 23);
  check_sieve(1, 40, UINT64_MAX >> 24, 1 << 17);
  check_sieve(2, 40, UINT64_MAX >> 24, 1 << 17);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_layers),
      cmocka_unit_test(test_texts),
      cmocka_unit_test(test_own_games),
      cmocka_unit_test(test_endless),
      cmocka_unit_test(test_terminal_start),
      cmocka_unit_test(test_eight_puzzle),
      cmocka_unit_test(test_little_memory),
      cmocka_unit_test(test_dominance),
      cmocka_unit_test(test_commute),
      cmocka_unit_test(test_sieve),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
