/* Moves made and retracted: in random walks through games of the library, every
   state says exactly what it said before; and counts of move sequences that are
   known from arithmetic. */
#include "base/random.h"
#include "engine/perft.h"
#include "rules/rules.h"
#include "support/play.h"

enum { DEEPEST = 40, WALK = 300 };

/* Everything the state says, as text. */
static void describe(Game *game, Text *text) {
  const Term *list;
  uint32_t count = game_facts(game, &list);
  text_format(text, "%d %llx ", game_terminal(game),
              (unsigned long long)game_state_hash(game));
  play_write_sorted(game, list, count, text);
  for (uint32_t role = 0; role < game->role_count; role++) {
    text_add(text, "\nlegal ");
    count = game_legal(game, role, &list); /* a move here is its term */
    play_write_sorted(game, list, count, text);
    text_add(text, "\ngoals ");
    count = game_goals(game, role, &list);
    play_write_sorted(game, list, count, text);
  }
}

static bool move_at_random(Game *game, Random *random) {
  Move joint[RULE_ROLES];
  for (uint32_t role = 0; role < game->role_count; role++) {
    const Move *moves;
    uint32_t count = game_legal(game, role, &moves);
    if (!count) return false;
    joint[role] = moves[random_below(random, count)];
  }
  game_make(game, joint);
  return true;
}

static void walk(Game *game, Random *random) {
  Text said[DEEPEST + 1] = {0};
  uint32_t depth = 0;
  describe(game, &said[0]);
  for (int i = 0; i < WALK; i++) {
    Text now = {0};
    bool forth =
        depth < DEEPEST && random_below(random, 5) < 3 && !game_terminal(game);
    if (forth && move_at_random(game, random)) {
      text_clear(&said[++depth]);
      describe(game, &said[depth]);
    } else if (depth) {
      game_retract(game);
      depth--;
      if (random_below(random, 2)) { /* or go on without a question */
        describe(game, &now);
        assert_string_equal(now.bytes, said[depth].bytes);
      }
    }
    text_free(&now);
  }
  game_reset(game);
  Text first = {0};
  describe(game, &first);
  assert_string_equal(first.bytes, said[0].bytes);
  text_free(&first);
  for (uint32_t i = 0; i <= DEEPEST; i++) text_free(&said[i]);
}

static void test_retract_restores(void **state) {
  (void)state;
  static const char *const names[] = {
      "games/ticTacToe.kif", "games/ticTicToe.kif", "games/connectFour.kif",
      "games/bomberman.kif", "games/lightsOut.kif", "games/breakthrough.kif"};
  Random random;
  random_seed(&random, 11);
  for (size_t i = 0; i < LENGTH(names); i++) {
    Description description;
    Text error = {0};
    assert_true(description_read(&description, names[i], 1 << 20, &error));
    assert_true(description_valid(&description));
    RulesLimits limits = {.memory = (size_t)256 << 20};
    Game *game = rules_engine_new(&description, &limits);
    walk(game, &random);
    assert_false(game_failed(game));
    play_close(game);
  }
}

/* The same facts give the same hash, however they came about; others do not. */
static void test_state_hash(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(
      &description, "(role r) (goal r 0) (<= terminal (true over))"
                    "(legal r (set a)) (legal r (set b)) (legal r (clear a))"
                    "(<= (next (on ?x)) (does r (set ?x)))"
                    "(<= (next (on ?x)) (true (on ?x)) "
                    "(not (does r (clear ?x))))");
  uint64_t empty = game_state_hash(game);
  PLAY(game, "(set a)");
  uint64_t only_a = game_state_hash(game);
  PLAY(game, "(set b)");
  uint64_t both = game_state_hash(game);
  PLAY(game, "(clear a)");
  uint64_t only_b = game_state_hash(game);
  PLAY(game, "(set a)");
  assert_true(game_state_hash(game) == both);
  assert_true(empty == 0 && only_a != only_b && only_a != both);
  game_reset(game);
  PLAY(game, "(set b)");
  assert_true(game_state_hash(game) == only_b);
  play_close(game);
}

/* ---- perft ---- */

static void check_counts(Game *game, const uint64_t *counts, uint32_t depth) {
  uint64_t before = game_state_hash(game);
  for (uint32_t d = 0; d <= depth; d++) {
    uint64_t count = perft_count(game, d);
    if (count != counts[d])
      fail_msg("%llu at depth %u", (unsigned long long)count, d);
    assert_true(game_state_hash(game) == before);
  }
  play_close(game);
}

/* One or two tokens are taken from five. */
static void test_perft_of_one_role(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(
      &description,
      "(role r) (goal r 0) (init (heap 5)) (<= terminal (true (heap 0)))"
      "(less 0 1) (less 1 2) (less 2 3) (less 3 4) (less 4 5)"
      "(<= (after ?x 1 ?y) (less ?y ?x))"
      "(<= (after ?x 2 ?z) (less ?y ?x) (less ?z ?y))"
      "(<= (legal r (take ?n)) (true (heap ?x)) (after ?x ?n ?y))"
      "(<= (next (heap ?y)) (true (heap ?x)) (does r (take ?n)) "
      "(after ?x ?n ?y))");
  static const uint64_t counts[] = {1, 2, 4, 7, 5, 1, 0, 0};
  check_counts(game, counts, LENGTH(counts) - 1);
}

/* Joint moves: the product of the roles' choices, for three steps. */
static void test_perft_of_joint_moves(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(
      &description,
      "(role a) (role b) (role c) (<= (goal ?r 0) (role ?r)) (init (step 0))"
      "(legal a 1) (legal a 2) (legal b 1) (legal b 2) (legal b 3) (legal c 1)"
      "(<= terminal (true (step 3))) (succ 0 1) (succ 1 2) (succ 2 3)"
      "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))"
      "(<= (next (did ?r ?m)) (does ?r ?m))");
  static const uint64_t counts[] = {1, 6, 36, 216, 0};
  check_counts(game, counts, LENGTH(counts) - 1);
}

/* A role without a legal move ends the sequence. */
static void test_perft_of_a_dead_end(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(
      &description, "(role r) (goal r 0) (init open) (<= terminal (true over))"
                    "(<= (legal r stay) (true open)) "
                    "(<= (legal r shut) (true open))"
                    "(<= (next open) (does r stay)) (<= (next closed) "
                    "(does r shut))");
  static const uint64_t counts[] = {1, 2, 2, 2, 2};
  check_counts(game, counts, LENGTH(counts) - 1);
}

static void test_perft_of_terminal(void **state) {
  (void)state;
  Description description;
  Game *game = play_open(&description, "(role r) (goal r 0) (legal r go) "
                                       "(init s) (<= terminal (true s))");
  static const uint64_t counts[] = {1, 0, 0};
  check_counts(game, counts, LENGTH(counts) - 1);
}

/* A count that overflows is an error and does not wrap. */
static void test_perft_overflow(void **state) {
  (void)state;
  for (uint32_t roles = 63; roles <= 64; roles++) {
    Description description;
    Text text = {0};
    for (uint32_t i = 0; i < roles; i++)
      text_format(&text, "(role r%u)(legal r%u a)(legal r%u b)", i, i, i);
    text_add(&text, "(<= (goal ?r 0) (role ?r)) (<= terminal (true over))");
    Game *game = play_open(&description, text.bytes);
    uint64_t count = perft_count(game, 1);
    assert_int_equal(game_failed(game), roles == 64);
    if (roles == 63) assert_true(count == (uint64_t)1 << 63);
    play_close(game);
    text_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_retract_restores),
      cmocka_unit_test(test_state_hash),
      cmocka_unit_test(test_perft_of_one_role),
      cmocka_unit_test(test_perft_of_joint_moves),
      cmocka_unit_test(test_perft_of_a_dead_end),
      cmocka_unit_test(test_perft_of_terminal),
      cmocka_unit_test(test_perft_overflow),
  };
  return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
