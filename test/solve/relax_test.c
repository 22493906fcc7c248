/* The relaxed planning graph in every reachable state of small puzzles: against
   the true distances, and against a twin that makes layer after layer by
   looking at all gates. */
#include "solve/relax.h"

#include "support/exhaust.h"
#include "support/unit.h"

/* Four doors, of which a move opens or closes one; what is connected is defined
   by a recursion, and the end needs a way to one room and none to another. */
#define PUZZLE_ROOMS \
  "(role r) (room 1) (room 2) (room 3) (init (closed 0 1)) (init (open 2 1))" \
  "(init (open 1 2)) (init (closed 1 3)) (init (closed 3 2)) (init (left 3))" \
  "(pred 3 2) (pred 2 1) (pred 1 0)" \
  "(<= (door ?x ?y) (true (open ?x ?y))) (<= (door ?x ?y) (true (closed ?x " \
  "?y)))" \
  "(<= (way ?y) (true (open 0 ?y)))" \
  "(<= (way ?y) (way ?x) (true (open ?x ?y)))" \
  "(<= (legal r (turn ?x ?y)) (door ?x ?y)) (legal r end)" \
  "(<= (next (open ?x ?y)) (does r (turn ?x ?y)) (true (closed ?x ?y)))" \
  "(<= (next (closed ?x ?y)) (does r (turn ?x ?y)) (true (open ?x ?y)))" \
  "(<= (next (open ?x ?y)) (true (open ?x ?y)) (not (does r (turn ?x ?y))))" \
  "(<= (next (closed ?x ?y)) (true (closed ?x ?y))" \
  "    (not (does r (turn ?x ?y))))" \
  "(<= (next (left ?b)) (true (left ?a)) (pred ?a ?b))" \
  "(<= terminal (true (left 0))) (<= terminal (way 3) (not (way 2)))" \
  "(<= (goal r 100) (way 3) (not (way 2)))" \
  "(<= (goal r 60) (way 3) (way 2)) (<= (goal r 20) (not (way 3)))"

enum { STATES = 20000 };

/* ---- the twin ---- */

/* Makes everything possible that follows in this layer. Returns true if that
   was anything. */
static bool close_layer(const Net *net, bool *can) {
  bool changed = false;
  for (Gate gate = 0; gate < net->gates.count; gate++) {
    const NetGate *g = &net->gates.data[gate];
    bool yes = can[2 * gate], no = can[2 * gate + 1];
    if (g->kind == GATE_MOVE) yes |= can[net->moves.data[g->first].legal];
    if (g->kind == GATE_MOVE || g->kind == GATE_CONSTANT) no = true;
    if (g->kind == GATE_LOOP) yes |= can[net->loops.data[g->first].definition];
    if (g->kind == GATE_AND) {
      bool all = true;
      for (uint32_t i = 0; i < g->count; i++) {
        Signal input = net->inputs.data[g->first + i];
        all &= can[input];
        no |= can[signal_not(input)];
      }
      yes |= all;
    }
    changed |= yes != can[2 * gate] || no != can[2 * gate + 1];
    can[2 * gate] = yes;
    can[2 * gate + 1] = no;
  }
  return changed;
}

static bool possible(const Net *net, const bool *can, int target) {
  bool goal = false;
  for (uint32_t i = 0; i < net->goals.count; i++)
    goal |=
        net->goals.data[i].value >= target && can[net->goals.data[i].signal];
  return goal && can[net->terminal];
}

/* One step: what can be next can be. */
static bool advance(const Net *net, bool *can) {
  bool changed = false;
  bool *next = memory_new(2 * net->fluents.count * sizeof *next);
  for (uint32_t i = 0; i < net->fluents.count; i++)
    for (Signal sign = 0; sign < 2; sign++)
      next[2 * i + sign] = can[net->fluents.data[i].next ^ sign];
  for (uint32_t i = 0; i < net->fluents.count; i++)
    for (Signal sign = 0; sign < 2; sign++) {
      bool *own = &can[gate_signal(net->fluents.data[i].gate) ^ sign];
      changed |= next[2 * i + sign] && !*own;
      *own |= next[2 * i + sign];
    }
  memory_delete(next);
  return changed;
}

/* The level of a net without loops. */
static uint32_t twin_level(const Net *net, const uint64_t *state, int target) {
  bool *can = memory_new(2 * net->gates.count * sizeof *can);
  uint32_t level = 0;
  for (uint32_t i = 0; i < net->fluents.count; i++) {
    bool holds = state[i >> 6] >> (i & 63) & 1;
    can[gate_signal(net->fluents.data[i].gate) ^ (holds ? 0 : 1)] = true;
  }
  for (bool more = true;; level++) {
    while (close_layer(net, can)) continue;
    if (possible(net, can, target)) break;
    if (!more) {
      level = RELAX_NEVER;
      break;
    }
    more = advance(net, can);
  }
  memory_delete(can);
  return level;
}

/* ---- tests ---- */

static void check_state(const Exhaust *all, const Net *net, Relax *relax,
                        uint32_t state, uint32_t distance, int target) {
  const uint64_t *words = all->words.data + all->first.data[state];
  uint32_t level = relax_level(relax, words), sum = relax_sum(relax, words);
  uint32_t plan = relax_plan(relax, words);
  assert_true(level <= distance); /* EXHAUST_NEVER is greater than any */
  assert_true(level <= sum);
  assert_int_equal(level == 0, distance == 0);
  assert_int_equal(sum == 0, distance == 0);
  assert_int_equal(plan == 0, distance == 0);
  assert_int_equal(level == RELAX_NEVER, plan == RELAX_NEVER);
  assert_int_equal(level == RELAX_NEVER, sum == RELAX_NEVER);
  if (!net->loops.count && state % 37 < 2)
    assert_int_equal(level, twin_level(net, words, target));
}

/* Moves that the relaxed plan calls helpful are legal. */
static void check_helpful(Puzzle *puzzle, Relax *relax) {
  Game *game = book_game(puzzle->book);
  const Move *legal;
  game_enter(game, puzzle->start, puzzle->words);
  uint32_t count = game_legal(game, 0, &legal);
  relax_plan(relax, puzzle->start);
  const MoveVector *helpful = relax_helpful(relax);
  for (uint32_t i = 0; i < helpful->count; i++) {
    bool found = false;
    for (uint32_t j = 0; j < count; j++) found |= legal[j] == helpful->data[i];
    assert_true(found);
  }
  game_delete(game);
}

static void check(const char *text) {
  ExhaustPuzzle opened;
  exhaust_open(&opened, text, true);
  const Net *net = opened.puzzle->net;
  Exhaust all;
  exhaust_init(&all, opened.puzzle, STATES);
  static const int targets[] = {100, 50, 1};
  for (size_t t = 0; t < LENGTH(targets); t++) {
    Relax *relax = relax_new(net, targets[t]);
    uint32_t *distances = exhaust_distances(&all, targets[t]);
    for (uint32_t i = 0; i < all.count; i++)
      check_state(&all, net, relax, i, distances[i], targets[t]);
    check_helpful(opened.puzzle, relax);
    memory_delete(distances);
    relax_delete(relax);
  }
  exhaust_free(&all);
  exhaust_close(&opened);
}

static void test_reachable(void **state) {
  static const char *const texts[] = {PUZZLE_LINE,      PUZZLE_HOPELESS,
                                      PUZZLE_ENDLESS,   PUZZLE_OVER,
                                      PUZZLE_ROOMS,     "games/buttons.kif",
                                      "games/maze.kif", "games/blocksWorld.kif",
                                      "games/hanoi.kif"};
  (void)state;
  for (size_t i = 0; i < LENGTH(texts); i++) check(texts[i]);
}

/* The rooms are what they are meant to be: a net with loops. */
static void test_loops(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, PUZZLE_ROOMS, true);
  assert_true(opened.puzzle->net->loops.count > 0);
  exhaust_close(&opened);
}

/* It leads somewhere: estimates tell near from far. */
static void test_values(void **state) {
  (void)state;
  ExhaustPuzzle opened;
  exhaust_open(&opened, PUZZLE_LINE, true);
  Relax *best = relax_new(opened.puzzle->net, 100);
  Relax *some = relax_new(opened.puzzle->net, 1);
  Relax *none = relax_new(opened.puzzle->net, 101);
  assert_int_equal(relax_level(best, opened.puzzle->start), 4);
  assert_int_equal(relax_level(some, opened.puzzle->start), 2);
  assert_int_equal(relax_plan(best, opened.puzzle->start), 5);
  assert_int_equal(relax_sum(best, opened.puzzle->start), 5);
  assert_int_equal(relax_level(none, opened.puzzle->start), RELAX_NEVER);
  relax_delete(best);
  relax_delete(some);
  relax_delete(none);
  exhaust_close(&opened);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reachable),
                                     cmocka_unit_test(test_loops),
                                     cmocka_unit_test(test_values)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
