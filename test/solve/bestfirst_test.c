/* The methods novelty, greedy and beam on small puzzles, against exhaustive
   search on the scalar engine. */
#include "base/trial.h"
#include "solve/methods.h"
#include "solve/nodes.h"
#include "solve/store.h"
#include "support/puzzles.h"
#include "support/unit.h"

static const char *const methods[] = {"novelty", "greedy", "beam"};

/* The end is best, and cannot be reached. */
#define GAME_HOPELESS \
  "(role r) (init (at 1)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(succ 3 4) (succ 4 5) (legal r left) (legal r right) (legal r stay)" \
  "(<= (next (at ?y)) (does r right) (true (at ?x)) (succ ?x ?y)" \
  "(distinct ?y 4)) (<= (next (at ?y)) (does r left) (true (at ?x))" \
  "(succ ?y ?x)) (<= (next (at ?x)) (does r stay) (true (at ?x)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (on) (true (at ?x))) (<= terminal (true (step 5)))" \
  "(<= terminal (not (on)))" \
  "(<= (goal r 100) (true (at 4))) (<= (goal r 60) (true (at 3)))" \
  "(<= (goal r 20) (not (true (at 4))) (not (true (at 3))))"

/* No move is legal in the second state. */
#define GAME_DEAD \
  "(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (true a))" \
  "(<= terminal (true c)) (<= (next c) (true c)) (goal r 100)"

/* The goal holds on the way, but has to hold at the end. */
#define GAME_FALLS \
  "(role r) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)" \
  "(legal r press) (legal r wait)" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (next lit) (does r press) (not (true lit)))" \
  "(<= (next lit) (does r wait) (true lit) (not (true (step 2))))" \
  "(<= terminal (true (step 4))) (<= (goal r 100) (true lit))" \
  "(<= (goal r 0) (not (true lit)))"

/* Moves depend on a clock with two phases; only steps at odd times count, and
   two of them are needed. */
#define GAME_PHASES \
  "(role r) (init even) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(legal r wait) (<= (legal r go) (true (n ?x)) (succ ?x ?y))" \
  "(<= (next even) (not (true even)))" \
  "(<= (next (n ?y)) (does r go) (true (n ?x)) (succ ?x ?y)" \
  "(not (true even)))" \
  "(<= (next (n 0)) (does r go) (true even))" \
  "(<= (next (n ?x)) (does r wait) (true (n ?x)))" \
  "(<= terminal (true (n 3))) (<= (goal r 100) (true (n 3)))" \
  "(<= (goal r 0) (not (true (n 3))))"

/* Few states, which all have to be left in order to come back at the end. */
#define GAME_RETURN \
  "(role r) (init (at 0)) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)" \
  "(succ 3 4) (succ 4 5) (succ 5 6) (turn 0 1) (turn 1 2) (turn 2 0)" \
  "(turn 1 0) (legal r a) (legal r b)" \
  "(<= (next (at ?y)) (does r a) (true (at ?x)) (turn ?x ?y)" \
  "(distinct ?y 0)) (<= (next (at 0)) (does r a) (true (at 2)))" \
  "(<= (next (at 0)) (does r b) (true (at ?x)) (turn ?x 0))" \
  "(<= (next (at 1)) (does r b) (true (at 0)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= terminal (true (step 6))) (<= (goal r 100) (true (at 0)))" \
  "(<= (goal r 30) (not (true (at 0))))"

/* ---- the twin ---- */

static void look(Game *game, Store *store, int *best) {
  const uint64_t *words;
  bool fresh;
  game_state(game, &words);
  if (game_terminal(game) && game_goal(game, 0) > *best)
    *best = game_goal(game, 0);
  if (!game_terminal(game)) store_add(store, words, &fresh);
}

/* Returns the best score of all ends; -1: there is none. */
static int best_score(Puzzles *puzzle) {
  Game *game = puzzle->game;
  uint32_t words = puzzle->book.words;
  Store *store = store_new(words, (size_t)1 << 26);
  const Move *moves;
  int best = -1;
  game_reset(game);
  look(game, store, &best);
  for (uint32_t i = 0; i < store_count(store); i++) {
    game_enter(game, store_key(store, i), words);
    MoveVector list = {0};
    uint32_t count = game_legal(game, 0, &moves);
    for (uint32_t j = 0; j < count; j++) vector_push(&list, moves[j]);
    for (uint32_t j = 0; j < count; j++) {
      game_make(game, &list.data[j]);
      look(game, store, &best);
      game_retract(game);
    }
    vector_free(&list);
  }
  store_delete(store);
  game_reset(game);
  return best;
}

/* ---- running ---- */

typedef struct Run {
  Puzzle *puzzle;
  uint64_t seed, states, slice;
  size_t memory;
  const char *name;
  bool made, done;
  uint64_t expanded;
} Run;

static void run_method(void *context) {
  Run *run = context;
  const MethodKind *kind = methods_find(run->name);
  assert_non_null(kind);
  Settings settings = {0};
  MethodTask task = {run->puzzle, run->seed, run->memory, &settings};
  Method *method = kind->new (&task);
  run->made = method;
  if (!method) return;
  Slice slice = {.states = run->slice};
  while (!run->done && method->expanded < run->states &&
         !puzzle_solved(run->puzzle))
    run->done = kind->run(method, &slice) == METHOD_DONE;
  run->expanded = method->expanded;
  kind->delete (method);
}

/* Each method finds the best score; one that is done and has a plan has proved
   it. */
static void check_puzzle(Puzzles *puzzle, int best) {
  for (uint32_t i = 0; i < LENGTH(methods); i++) {
    Run run = {.puzzle = puzzle_new(&puzzle->book, 1, 1 << 26),
               .seed = 7,
               .states = 300000,
               .slice = 1000,
               .memory = 1 << 24,
               .name = methods[i]};
    run_method(&run);
    assert_true(run.made);
    assert_int_equal(run.puzzle->score, best);
    assert_true(run.puzzle->bound >= best);
    if (run.done && best >= 0) assert_int_equal(run.puzzle->bound, best);
    puzzle_delete(run.puzzle);
  }
}

static void test_texts(void **state) {
  (void)state;
  static const struct {
    const char *text;
    int best;
  } cases[] = {
      {GAME_HOPELESS, 60}, {GAME_DEAD, -1},    {GAME_FALLS, 100},
      {GAME_PHASES, 100},  {GAME_RETURN, 100},
  };
  for (uint32_t i = 0; i < LENGTH(cases); i++) {
    Puzzles puzzle;
    puzzles_open_text(&puzzle, cases[i].text);
    book_analysis(&puzzle.book);
    assert_int_equal(best_score(&puzzle), cases[i].best);
    check_puzzle(&puzzle, cases[i].best);
    puzzles_close(&puzzle);
  }
}

static void test_own_games(void **state) {
  (void)state;
  static const char *const names[] = {"blocksWorld", "buttons", "maze",
                                      "circleSolitaire", "hanoi"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Puzzles puzzle;
    puzzles_open_own(&puzzle, names[i]);
    book_analysis(&puzzle.book);
    check_puzzle(&puzzle, best_score(&puzzle));
    puzzles_close(&puzzle);
  }
}

/* ---- larger ones ---- */

static void test_same_seed(void **state) {
  (void)state;
  Puzzles puzzle;
  puzzles_open_own(&puzzle, "eightPuzzle");
  book_analysis(&puzzle.book);
  for (uint32_t i = 0; i < LENGTH(methods); i++) {
    Plan plans[2];
    for (uint32_t j = 0; j < 2; j++) {
      /* neither the slices nor the memory that is left over matter */
      Run run = {.puzzle = puzzle_new(&puzzle.book, 1, 1 << 27),
                 .seed = 3,
                 .states = 200000,
                 .slice = j ? 700 : 50000,
                 .memory = (size_t)1 << (26 + j),
                 .name = methods[i]};
      run_method(&run);
      puzzle_best(run.puzzle, &plans[j]);
      assert_string_equal(plans[j].by, methods[i]);
      puzzle_delete(run.puzzle);
    }
    assert_int_equal(plans[0].score, 100);
    assert_int_equal(plans[1].score, 100);
    assert_int_equal(plans[0].moves.count, plans[1].moves.count);
    assert_memory_equal(plans[0].moves.data, plans[1].moves.data,
                        plans[0].moves.count * sizeof(Move));
    vector_free(&plans[0].moves);
    vector_free(&plans[1].moves);
  }
  puzzles_close(&puzzle);
}

/* With too little memory for the puzzle they go on; with hardly any they say at
   once that they are not for it. */
static void test_little_memory(void **state) {
  (void)state;
  Puzzles puzzle;
  puzzles_open_own(&puzzle, "knightsTour");
  book_analysis(&puzzle.book);
  for (uint32_t i = 0; i < LENGTH(methods); i++)
    for (uint32_t log = 4; log <= 18; log += 7) {
      Run run = {.puzzle = puzzle_new(&puzzle.book, 1, 1 << 26),
                 .seed = 2,
                 .states = 50000,
                 .slice = 1000,
                 .memory = (size_t)1 << log,
                 .name = methods[i]};
      run_method(&run);
      if (log < 8) assert_false(run.made);
      if (log > 16) {
        assert_true(run.made && !run.done);
        assert_true(run.expanded >= 50000 || puzzle_solved(run.puzzle));
        assert_true(run.puzzle->score > 0);
      }
      puzzle_delete(run.puzzle);
    }
  puzzles_close(&puzzle);
}

/* ---- nodes ---- */

/* The engine's state is that of the child; compares what is known of it. */
static void check_child(Nodes *nodes, Game *game, uint32_t child) {
  const Packing *packing = &nodes->packing;
  uint64_t *state = memory_new(packing->state_words * sizeof *state);
  const Rating *rating = &nodes->ratings.data[child];
  const Move *moves;
  packing_unpack(&nodes->packing, nodes_child(nodes, child),
                 nodes->child_depths.data[child], state);
  game_enter(game, state, (packing->net->fluents.count + 63) / 64);
  bool terminal = game_terminal(game);
  uint32_t count = terminal ? 0 : game_legal(game, 0, &moves);
  assert_int_equal(rating->terminal, terminal);
  if (terminal) assert_int_equal(rating->score, game_goal(game, 0));
  assert_int_equal(nodes->mobility.data[child], count);
  memory_delete(state);
}

/* Goes through the first states breadth-first. */
static void check_nodes(const char *name) {
  Puzzles puzzle;
  puzzles_open_own(&puzzle, name);
  book_analysis(&puzzle.book);
  Puzzle *at = puzzle_new(&puzzle.book, 1, 1 << 24);
  Method method = {.kind = methods_find("greedy"), .puzzle = at};
  Nodes nodes;
  assert_true(nodes_init(&nodes, &method, 1 << 22, 0));
  for (uint32_t node = 0, checked = 0; checked < 500; node++) {
    assert_true(node < store_count(nodes.store));
    nodes_expand(&nodes, &node, 1);
    nodes_rate(&nodes);
    nodes_count(&nodes);
    for (uint32_t i = 0; i < nodes.child_count; i++)
      check_child(&nodes, puzzle.game, i);
    checked += nodes.child_count;
    assert_true(nodes_enter(&nodes, false));
    for (uint32_t i = 0; i < nodes.child_count; i++)
      assert_true(nodes.depths[nodes.numbers.data[i]] ==
                  nodes.depths[nodes.parents[nodes.numbers.data[i]]] + 1);
  }
  nodes_free(&nodes);
  puzzle_delete(at);
  puzzles_close(&puzzle);
}

static void test_nodes(void **state) {
  (void)state;
  check_nodes("peg");
  check_nodes("lightsOut");
  check_nodes("hunter");
}

/* A method that is given up leaves nothing behind. */
static void test_given_up(void **state) {
  (void)state;
  Puzzles puzzle;
  puzzles_open_own(&puzzle, "lightsOut");
  book_analysis(&puzzle.book);
  for (uint32_t i = 0; i < LENGTH(methods); i++) {
    Run run = {.puzzle = puzzle_new(&puzzle.book, 1, 1 << 26),
               .seed = 2,
               .states = 10000,
               .slice = 1000,
               .memory = 1 << 24,
               .name = methods[i]};
    Scope scope;
    scope_init(&scope, 1 << 14, false);
    assert_false(trial_run_in(&scope, run_method, &run));
    puzzle_delete(run.puzzle);
  }
  puzzles_close(&puzzle);
}

static void test_without_net(void **state) {
  (void)state;
  Puzzles puzzle;
  puzzles_open_text(&puzzle, GAME_FALLS);
  puzzle.book.has_net = false;
  Puzzle *without = puzzle_new(&puzzle.book, 1, 1 << 20);
  for (uint32_t i = 0; i < LENGTH(methods); i++) {
    Run run = {.puzzle = without, .memory = 1 << 20, .name = methods[i]};
    run_method(&run);
    assert_false(run.made);
  }
  puzzle_delete(without);
  puzzle.book.has_net = true;
  puzzles_close(&puzzle);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts),       cmocka_unit_test(test_own_games),
      cmocka_unit_test(test_same_seed),   cmocka_unit_test(test_little_memory),
      cmocka_unit_test(test_nodes),       cmocka_unit_test(test_given_up),
      cmocka_unit_test(test_without_net),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
