/* Ends, found by a program and denied by witnesses, against the engine, in
   random games of the library and in random nets. */
#include "minimax/ends.h"

#include "base/bits.h"
#include "base/random.h"
#include "engine/moves.h"
#include "support/library.h"
#include "support/net_evaluate.h"
#include "support/random_net.h"
#include "support/unit.h"

/* How many states were asked about, were ends, and were none by a witness. */
typedef struct Tally {
  uint32_t asked, ends, denied;
} Tally;

static void check_states(const Ends *ends, EndsMemory *memory,
                         const uint64_t *from, const uint64_t *const *states,
                         uint32_t count, uint64_t wanted, Tally *tally) {
  assert_int_equal(ends_find(ends, memory, from, states, count), wanted);
  tally->asked += count;
  tally->ends += (uint32_t)__builtin_popcountll(wanted);
}

/* ---- games ---- */

static void draw_joint(Game *game, Random *random, Move *joint) {
  for (uint32_t role = 0; role < game->role_count; role++)
    joint[role] = moves_random(game, role, random);
}

/* Some successors of every state of random games. */
static Tally play(const char *name, uint32_t steps) {
  enum { DRAWN = 5 };
  TestGame book;
  Random random;
  Tally tally = {0};
  Ends ends;
  test_game_open(&book, name, true);
  const Net *net = &book.rules.net;
  uint32_t words = (uint32_t)bits_words(net->fluents.count);
  uint64_t *from = memory_new((1 + DRAWN) * words * sizeof *from);
  const uint64_t *states[DRAWN], *now;
  Game *game = book_game(&book.rules), *other = book_game(&book.rules);
  ends_init(&ends, net);
  EndsMemory *memory = ends_memory_new(&ends);
  random_seed(&random, 1);
  for (uint32_t step = 0; ends.program && step < steps; step++) {
    Move joint[RULE_ROLES];
    uint64_t wanted = 0;
    if (game_terminal(game)) game_reset(game);
    game_state(game, &now);
    memcpy(from, now, words * sizeof *from);
    for (uint32_t i = 0; i < DRAWN; i++) {
      uint64_t *state = from + (1 + i) * (size_t)words;
      draw_joint(game, &random, joint);
      game_successor(game, joint, &now);
      memcpy(state, now, words * sizeof *state);
      game_enter(other, state, words);
      wanted |= (uint64_t)game_terminal(other) << i;
      states[i] = state;
    }
    check_states(&ends, memory, from, states, DRAWN, wanted, &tally);
    game_make(game, joint);
  }
  tally.denied = (uint32_t)ends_denied(memory);
  ends_memory_delete(memory);
  ends_free(&ends);
  game_delete(game);
  game_delete(other);
  memory_delete(from);
  test_game_close(&book);
  return tally;
}

static void test_games(void **state) {
  (void)state;
  static const char *const names[] = {"breakthrough", "checkers", "skirmish",
                                      "ticTacToe"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Tally tally = play(names[i], 1000);
    assert_true(tally.ends && tally.denied > tally.asked / 2);
  }
}

/* Recursion, ends that depend on legal moves, and whatever else there is. */
static void test_library(void **state) {
  (void)state;
  static const char *const names[] = {"hex",    "othello",     "connectFour",
                                      "pacman", "knightsTour", "nim",
                                      "quarto", "eightPuzzle"};
  for (uint32_t i = 0; i < LENGTH(names); i++) {
    Tally tally = play(names[i], 300);
    assert_true(tally.asked);
  }
}

/* ---- nets ---- */

/* States of which each differs from the one before in a fluent. */
static void check_net(const Net *net, Random *random, Tally *tally) {
  enum { STATES = 64 };
  uint32_t fluents = net->fluents.count;
  uint32_t words = (uint32_t)bits_words(fluents);
  bool *values = memory_new(net->gates.count * sizeof *values);
  bool *now = memory_new(fluents * sizeof *now);
  bool *moves = memory_new((net->moves.count + 1) * sizeof *moves);
  uint64_t *rows = memory_new(STATES * words * sizeof *rows);
  const uint64_t *states[STATES], *from = NULL;
  Ends ends;
  ends_init(&ends, net);
  EndsMemory *memory = ends_memory_new(&ends);
  for (uint32_t round = 0; ends.program && round < 20; round++) {
    uint32_t count = 0;
    uint64_t wanted = 0;
    while (count < STATES) {
      uint64_t *state = rows + (size_t)count * words;
      now[random_below(random, fluents)] ^= true;
      memset(state, 0, words * sizeof *state);
      for (uint32_t i = 0; i < fluents; i++)
        if (now[i]) bits_add(state, i);
      net_evaluate(net, now, moves, values);
      bool end =
          values[signal_gate(net->terminal)] != signal_negated(net->terminal);
      if (!end) from = state;
      wanted |= (uint64_t)end << count;
      states[count++] = state;
    }
    if (!from) break; /* there may be nothing but ends */
    check_states(&ends, memory, from, states, count, wanted, tally);
    from = NULL;
  }
  tally->denied += (uint32_t)ends_denied(memory);
  ends_memory_delete(memory);
  ends_free(&ends);
  memory_delete(values);
  memory_delete(now);
  memory_delete(moves);
  memory_delete(rows);
}

static void test_random_nets(void **state) {
  (void)state;
  Tally tally = {0};
  for (uint32_t i = 0; i < (unit_long() ? 3000u : 300u); i++) {
    Terms terms;
    Random random;
    Net net;
    terms_init(&terms);
    random_seed(&random, i);
    random_net(&net, &terms, &random, i % 4 == 0);
    check_net(&net, &random, &tally);
    net_free(&net);
    terms_free(&terms);
  }
  assert_true(tally.denied > 1000 && tally.ends > 1000);
  assert_true(tally.denied + tally.ends < tally.asked);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_games),
      cmocka_unit_test(test_library),
      cmocka_unit_test(test_random_nets),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
