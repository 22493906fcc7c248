/* Thinking on where values are exact: a lost root does not lose at once if it
   can be avoided, a win in one is taken, every engine proves, and equal values
   with different goals for the others do not stop a search. */
#include <string.h>

#include "support/library.h"

enum { OPENING = 4, MOVES_MOST = 64, WORDS_MOST = 16 };

typedef struct Spot { /* a state that the engine returns to */
  Game *game;
  uint64_t words[WORDS_MOST];
  uint32_t count;
} Spot;

static Spot spot_of(Game *game) {
  const uint64_t *words;
  Spot spot = {.game = game, .count = game_state(game, &words)};
  assert_true(spot.count <= WORDS_MOST);
  memcpy(spot.words, words, spot.count * sizeof *words);
  return spot;
}

static void go_back(const Spot *spot) {
  game_enter(spot->game, spot->words, spot->count);
}

static uint32_t list_moves(Game *game, uint32_t role, Move *list) {
  const Move *moves;
  uint32_t count = game_legal(game, role, &moves);
  assert_true(count && count <= MOVES_MOST);
  memcpy(list, moves, count * sizeof *moves);
  return count;
}

/* Makes a move of a role; the other has one. */
static void make(Game *game, uint32_t role, Move move) {
  Move joint[2], list[MOVES_MOST];
  assert_int_equal(list_moves(game, 1 - role, list), 1);
  joint[role] = move;
  joint[1 - role] = list[0];
  game_make(game, joint);
}

static bool wins(const Spot *spot, uint32_t role, Move move) {
  make(spot->game, role, move);
  bool won = game_terminal(spot->game) && game_goal(spot->game, role) == 100;
  go_back(spot);
  return won;
}

static bool can_win(Game *game, uint32_t role) {
  Move list[MOVES_MOST];
  bool can = false;
  if (game_terminal(game)) return false;
  Spot spot = spot_of(game);
  uint32_t count = list_moves(game, role, list);
  for (uint32_t i = 0; i < count; i++) can |= wins(&spot, role, list[i]);
  return can;
}

static bool loses_at_once(const Spot *spot, uint32_t role, Move move) {
  make(spot->game, role, move);
  bool lost = can_win(spot->game, 1 - role);
  go_back(spot);
  return lost;
}

/* ---- whole games ---- */

typedef struct Counts {
  uint32_t lost, avoidable, at_once;
  uint32_t in_one, taken;
} Counts;

static void judge(Search *search, uint32_t role, Counts *counts) {
  const SearchReport *report = search_report(search);
  if (!report->proven || report->moves.count < 2) return;
  Spot spot = spot_of(search_game(search));
  Move best = search_best(search);
  if (report->values[role] > 50) {
    if (!can_win(spot.game, role)) return;
    counts->in_one++;
    counts->taken += wins(&spot, role, best);
    assert_int_equal(report->distance, 1);
  } else if (report->values[role] < 50) {
    Move list[MOVES_MOST];
    bool avoidable = false;
    uint32_t count = list_moves(spot.game, role, list);
    for (uint32_t i = 0; i < count; i++)
      avoidable |= !loses_at_once(&spot, role, list[i]);
    counts->lost++;
    counts->avoidable += avoidable;
    counts->at_once += avoidable && loses_at_once(&spot, role, best);
    assert_true(report->distance >= 2);
  }
}

static void play(TestGame *book, const char *agent, uint64_t seed,
                 Counts *counts) {
  Search *searches[2];
  Random random;
  Budget budget = {.simulations = 3000};
  random_seed(&random, seed);
  for (uint32_t role = 0; role < 2; role++)
    searches[role] = test_game_search(book, role, agent, seed);
  Game *game = search_game(searches[0]);
  for (uint32_t step = 0; !game_terminal(game); step++) {
    Move joint[2];
    for (uint32_t role = 0; role < 2; role++) {
      Move list[MOVES_MOST];
      uint32_t count = list_moves(search_game(searches[role]), role, list);
      joint[role] = list[random_below(&random, count)];
      if (step < OPENING || count < 2) continue;
      search_think(searches[role], &budget);
      judge(searches[role], role, counts);
      joint[role] = search_best(searches[role]);
    }
    for (uint32_t role = 0; role < 2; role++)
      search_advance(searches[role], joint);
  }
  for (uint32_t role = 0; role < 2; role++) search_delete(searches[role]);
}

static void expect_resistance(const char *agent, uint64_t games) {
  TestGame book;
  Counts counts = {0};
  test_game_open(&book, "connectFour", true);
  for (uint64_t seed = 1; seed <= games; seed++)
    play(&book, agent, seed, &counts);
  assert_true(counts.avoidable > 0 && counts.in_one > 0);
  assert_int_equal(counts.at_once, 0);
  assert_int_equal(counts.taken, counts.in_one);
  test_game_close(&book);
}

static void test_batch(void **state) {
  (void)state;
  expect_resistance("tafl:decisive=none,prune=0", 6);
}

static void test_sequential(void **state) {
  (void)state;
  expect_resistance("tafl:solver=2,lanes=1", 2);
}

/* ---- engines ---- */

static void test_rules_engine(void **state) {
  (void)state;
  TestGame book;
  Budget budget = {.simulations = 20000};
  test_game_open(&book, "ticTacToe", false);
  Search *search =
      test_game_search(&book, 0, "tafl:solver=2,playout=uniform", 1);
  search_think(search, &budget);
  const SearchReport *report = search_report(search);
  assert_true(report->proven);
  assert_true(report->values[0] == 50);
  assert_int_equal(report->distance, 9);
  search_delete(search);
  test_game_close(&book);
}

/* ---- ties ---- */

/* The second role does not care whether the first or the third wins. */
static const char *const kingmaker =
    "(role a) (role b) (role c) (init first)"
    "(<= (legal a left) (true first)) (<= (legal a right) (true first))"
    "(<= (legal a noop) (not (true first)))"
    "(<= (legal b noop) (true first))"
    "(<= (legal b x) (not (true first))) (<= (legal b y) (not (true first)))"
    "(legal c noop)"
    "(<= (next (gone ?m)) (does a ?m) (true first))"
    "(<= (next (gone ?m)) (true (gone ?m)))"
    "(<= (next (made ?m)) (does b ?m) (not (true first)))"
    "(<= terminal (true (made x))) (<= terminal (true (made y)))"
    "(<= (goal b 50) (true (gone left))) (<= (goal b 60) (true (gone right)))"
    "(<= (goal a 40) (true (gone right))) (<= (goal c 40) (true (gone right)))"
    "(<= (goal a 100) (true (gone left)) (true (made x)))"
    "(<= (goal c 0) (true (gone left)) (true (made x)))"
    "(<= (goal a 0) (true (gone left)) (true (made y)))"
    "(<= (goal c 100) (true (gone left)) (true (made y)))";

/* Both ways of the second role are taken in turn. */
static void test_kingmaker(void **state) {
  (void)state;
  static const char *const agents[] = {"tafl:solver=2", "tafl:solver=2,lanes=1",
                                       "tafl:solver=1"};
  TestGame book;
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30}};
  Budget budget = {.simulations = 4000};
  description_init(&book.description, "text", kingmaker, strlen(kingmaker));
  book_init(&book.rules, &book.description, &limits, true);
  for (uint32_t i = 0; i < 3; i++) {
    Search *search = test_game_search(&book, 0, agents[i], i);
    search_think(search, &budget);
    const SearchReport *report = search_report(search);
    const Node *root = tree_node(search->tree, search->root);
    assert_false(root->flags & NODE_PROVEN);
    assert_int_equal(report->moves.count, 2);
    for (uint32_t m = 0; m < 2; m++)
      if (report->moves.data[m].proven)
        assert_true(report->moves.data[m].value == 40);
      else
        assert_true(report->moves.data[m].value > 45 &&
                    report->moves.data[m].value < 55);
    search_delete(search);
  }
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_batch),
      cmocka_unit_test(test_sequential),
      cmocka_unit_test(test_rules_engine),
      cmocka_unit_test(test_kingmaker),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
