/* Searches that leave out symmetric moves: the same exact values, reports with
   all moves, and nothing changed where there are no symmetries. */
#include "minimax/minimax.h"
#include "support/library.h"

enum { SIMULATIONS = 60000, STATES = 2000000 };

static void open(TestGame *book, const char *name) {
  test_game_open(book, name, true);
  book->rules.limits.prove_seconds = 1;
}

static const SearchMove *find(const SearchReport *report, Move move) {
  for (uint32_t i = 0; i < report->moves.count; i++)
    if (report->moves.data[i].move == move) return &report->moves.data[i];
  return NULL;
}

/* Makes the legal moves with these numbers, counted from 0. */
static void advance(Search *search, uint32_t choice) {
  Move joint[2];
  for (uint32_t role = 0; role < 2; role++) {
    const Move *legal;
    uint32_t count = game_legal(search_game(search), role, &legal);
    joint[role] = legal[count > 1 ? choice : 0];
  }
  search_advance(search, joint);
}

static uint32_t count_actions(const Search *search, uint32_t role) {
  const Node *root = tree_node(search->tree, search->root);
  const uint32_t *firsts = node_firsts(root) + role;
  return firsts[1] - firsts[0];
}

/* ---- the first mind ---- */

static void test_report(void **state) {
  (void)state;
  static const char *const agents[] = {"tafl:symmetry=1",
                                       "cadia2007:symmetry=1"};
  for (uint32_t i = 0; i < 2; i++) {
    TestGame book;
    open(&book, "ticTacToe");
    Search *search = test_game_search(&book, 0, agents[i], 1);
    assert_int_equal(count_actions(search, 0), 3);
    search_think(search, &(Budget){.simulations = 500});
    const SearchReport *report = search_report(search);
    assert_int_equal(report->moves.count, 9);
    for (uint32_t k = 0; k < 9; k++) {
      const SearchMove *move = &report->moves.data[k];
      bool twin = move->action == SEARCH_NO_ACTION;
      assert_int_equal(twin, k >= 3);
      assert_int_equal(move->visits > 0, !twin);
      assert_int_equal(move->line_steps > 0, !twin);
      assert_true(move->value >= 0);
      assert_ptr_equal(find(report, move->move), move);
    }
    search_delete(search);
    test_game_close(&book);
  }
}

/* The value and the moves that keep it, with and without. */
static void test_exact(void **state) {
  (void)state;
  uint64_t simulations[2] = {0};
  for (uint32_t first = 0; first < 9; first++) {
    TestGame book;
    open(&book, "ticTacToe");
    Search *plain = test_game_search(&book, 1, "tafl", 1);
    Search *reduced = test_game_search(&book, 1, "tafl:symmetry=1", 1);
    advance(plain, first);
    advance(reduced, first);
    assert_true(count_actions(reduced, 1) < count_actions(plain, 1));
    search_think(plain, &(Budget){.simulations = SIMULATIONS});
    search_think(reduced, &(Budget){.simulations = SIMULATIONS});
    const SearchReport *a = search_report(plain), *b = search_report(reduced);
    assert_int_equal(a->moves.count, 8);
    assert_int_equal(b->moves.count, 8);
    assert_true(a->proven && b->proven);
    assert_true(a->values[1] == b->values[1]);
    for (uint32_t i = 0; i < 8; i++) {
      const SearchMove *own = &a->moves.data[i], *other = find(b, own->move);
      assert_non_null(other);
      if (own->proven && other->proven) assert_true(own->value == other->value);
    }
    simulations[0] += a->simulations;
    simulations[1] += b->simulations;
    search_delete(plain);
    search_delete(reduced);
    test_game_close(&book);
  }
  assert_true(simulations[1] < simulations[0]);
}

/* Checks that states are found by their keys, and that actions are legal. */
static void check_tree(Search *search) {
  Tree *tree = search->tree;
  Game *game = book_game(search->book);
  size_t place = TREE_FIRST_BLOCK;
  for (Node *node; (node = node_next(tree, &place));) {
    if (node->flags & NODE_DEAD) continue;
    game_enter(game, node_state(tree, node), node->state_words);
    assert_int_equal(node->key, game_key(game));
    assert_int_equal(
        tree_find(tree, node->key, node_state(tree, node), node->state_words),
        node->id);
    assert_int_equal(game_terminal(game), (node->flags & NODE_TERMINAL) != 0);
    if (node->flags & NODE_TERMINAL)
      assert_int_equal(game_goal(game, 0), node_goals(tree, node)[0]);
    if (node->flags & (NODE_CLOSED | NODE_TERMINAL)) continue;
    for (uint32_t role = 0; role < 2; role++) {
      const Move *legal;
      uint32_t all = game_legal(game, role, &legal), count;
      const Action *actions = node_actions(tree, node, role, &count);
      for (uint32_t i = 0; i < count; i++) {
        uint32_t k = 0;
        while (k < all && legal[k] != actions[i].move) k++;
        assert_true(k < all);
      }
    }
  }
  game_delete(game);
}

/* A move that was left out may be made; what was found below the one that
   stood for it is kept. */
static void test_advance(void **state) {
  (void)state;
  for (uint32_t choice = 0; choice < 9; choice++) {
    TestGame book;
    open(&book, "ticTacToe");
    Search *search = test_game_search(&book, 1, "tafl:symmetry=1,prune=0", 1);
    search_think(search, &(Budget){.simulations = 10000});
    advance(search, choice);
    assert_true(tree_node(search->tree, search->root)->visits > 0);
    assert_true(count_actions(search, 1) <= 5);
    check_tree(search);
    advance(search, 0);
    check_tree(search);
    advance(search, 0);
    search_think(search, &(Budget){.simulations = 2000});
    check_tree(search);
    assert_int_equal(search_report(search)->moves.count, 6);
    const Move *legal;
    uint32_t count = game_legal(search_game(search), 1, &legal), i = 0;
    while (i < count && legal[i] != search_best(search)) i++;
    assert_true(i < count);
    search_delete(search);
    test_game_close(&book);
  }
}

/* Without symmetries, and with fewer than two roles, nothing changes. */
static void test_none(void **state) {
  (void)state;
  static const char *const games[] = {"checkers", "skirmish", "eightPuzzle"};
  for (uint32_t i = 0; i < sizeof games / sizeof *games; i++) {
    TestGame book;
    open(&book, games[i]);
    const Symmetries *symmetries = book_symmetries(&book.rules);
    Search *plain = test_game_search(&book, 0, "tafl", 7);
    Search *other = test_game_search(&book, 0, "tafl:symmetry=1", 7);
    assert_non_null(symmetries);
    assert_true(plain->role_count < 2 || !symmetries->count);
    search_think(plain, &(Budget){.simulations = 3000});
    search_think(other, &(Budget){.simulations = 3000});
    const SearchReport *a = search_report(plain), *b = search_report(other);
    assert_int_equal(a->moves.count, b->moves.count);
    assert_int_equal(a->states, b->states);
    for (uint32_t k = 0; k < a->moves.count; k++) {
      assert_int_equal(a->moves.data[k].move, b->moves.data[k].move);
      assert_int_equal(a->moves.data[k].visits, b->moves.data[k].visits);
    }
    search_delete(plain);
    search_delete(other);
    test_game_close(&book);
  }
}

/* ---- the second mind ---- */

static void test_minimax(void **state) {
  (void)state;
  TestGame book;
  Settings settings;
  Text error = {0};
  uint64_t states[2];
  double values[2];
  open(&book, "ticTacToe");
  for (uint32_t symmetry = 0; symmetry < 2; symmetry++) {
    assert_true(settings_parse(&settings,
                               symmetry ? "minimax:memory=16,symmetry=1"
                                        : "minimax:memory=16,symmetry=0",
                               &error));
    Minimax *minimax = minimax_new(&book.rules, 0, &settings, 1);
    minimax_think(minimax, &(Budget){.states = STATES});
    const MinimaxReport *report = minimax_report(minimax);
    assert_true(report->proven);
    assert_int_equal(report->moves.count, 9);
    for (uint32_t i = 0; i < 9; i++) {
      assert_true(report->moves.data[i].value >= 0);
      for (uint32_t k = 0; k < i; k++)
        assert_int_not_equal(report->moves.data[i].move,
                             report->moves.data[k].move);
    }
    states[symmetry] = report->states;
    values[symmetry] = report->value;
    minimax_delete(minimax);
  }
  assert_true(values[0] == values[1]);
  assert_true(states[1] * 2 < states[0]);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_report),  cmocka_unit_test(test_exact),
      cmocka_unit_test(test_advance), cmocka_unit_test(test_none),
      cmocka_unit_test(test_minimax),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
