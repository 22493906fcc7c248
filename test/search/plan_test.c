/* Puzzles: a good way, once found, is never lost, whatever happens to the tree;
   the maximum guides the search; the best possible score ends it; and the move
   to play by effective quality. */
#include "search/plan.h"

#include <math.h>

#include "search/backup.h"
#include "search/effective.h"
#include "search/summary.h"
#include "search/tree_check.h"
#include "support/library.h"

static void open_text(TestGame *book, const char *text) {
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30}};
  description_init(&book->description, "text", text, strlen(text));
  assert_true(description_valid(&book->description));
  book_init(&book->rules, &book->description, &limits, true);
  assert_true(book->rules.has_net);
}

static Search *new_search(TestGame *book, const char *agent, uint64_t seed) {
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, agent, &error));
  return search_new(&book->rules, 0, &settings, seed);
}

/* Plays on without any thinking; returns the goal. */
static int play_on(Search *search) {
  for (int step = 0; !game_terminal(search_game(search)); step++) {
    Move move = search_best(search);
    assert_true(step < 1000);
    search_advance(search, &move);
  }
  return game_goal(search_game(search), 0);
}

static void check_tree(Search *search) {
  char message[200];
  if (!tree_check(search->tree, search->root, message, sizeof message))
    fail_msg("%s", message);
}

/* ---- never lost ---- */

/* Thinks a little, then plays without thinking: the score is the best found. */
static void check_kept(const char *game, bool ground, const char *agent,
                       uint64_t simulations) {
  TestGame book;
  test_game_open(&book, game, ground);
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Search *search = new_search(&book, agent, seed);
    double best = 0;
    for (int part = 0; part < 8; part++) {
      Budget budget = {.simulations = simulations / 8};
      search_think(search, &budget);
      assert_true(search->plan.value >= best);
      best = search->plan.value;
    }
    assert_true(best > 0);
    check_tree(search);
    int goal = play_on(search);
    if (goal < best) fail_msg("%s: %s had %g, got %d", game, agent, best, goal);
    search_delete(search);
  }
  test_game_close(&book);
}

static void test_kept(void **state) {
  (void)state;
  static const char *const agents[] = {"cadia2008", "cadia2009", "mini",
                                       "mini:transpose=depth,merge=0",
                                       "mini-base:path=better"};
  for (size_t i = 0; i < LENGTH(agents) - 1; i++) {
    check_kept("hamilton", true, agents[i], 160);
    check_kept("knightsTour", true, agents[i], 160);
  }
  check_kept("hunter", false, "mini", 16);
  check_kept("hunter", false, "cadia2008", 16);
}

/* One way of ten steps among 1024 is worth 90, all others 10 at most. Nodes
   are recycled all the same. */
#define LOCK \
  "(role r) (init (at 0)) (init (step 0)) (legal r left) (legal r right)" \
  "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)" \
  "(succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10)" \
  "(key 0 left) (key 1 right) (key 2 right) (key 3 left) (key 4 right)" \
  "(key 5 left) (key 6 left) (key 7 right) (key 8 left) (key 9 right)" \
  "(<= (next (at ?n)) (true (at ?m)) (does r ?x) (key ?m ?x) (succ ?m ?n))" \
  "(<= (next (did ?m ?x)) (true (step ?m)) (does r ?x))" \
  "(<= (next (did ?m ?x)) (true (did ?m ?x)))" \
  "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))" \
  "(<= (some ?d) (true (did ?d left))) (<= (some ?d) (true (did ?d right)))" \
  "(<= all (some 0) (some 1) (some 2) (some 3) (some 4) (some 5) (some 6)" \
  "(some 7) (some 8) (some 9) (true (did 0 ?a)) (true (did 1 ?b)))" \
  "(<= terminal (true (step 10)))" \
  "(<= (goal r 90) (true (at 10)) all) (<= (goal r 100) (true (did 0 left)) " \
  "(true (did 0 right)))" \
  "(<= (goal r 10) (true (did 0 right)) (not (true (at 10))))" \
  "(<= (goal r 0) (not (true (did 0 right))) (not (true (at 10))))"

static void test_rare(void **state) {
  (void)state;
  static const char *const agents[] = {"cadia2008:memory=1", "mini:memory=1"};
  for (size_t i = 0; i < LENGTH(agents); i++) {
    TestGame book;
    uint32_t found = 0;
    open_text(&book, LOCK);
    for (uint64_t seed = 1; seed <= 3; seed++) {
      Search *search = new_search(&book, agents[i], seed);
      Budget budget = {.simulations = 4000};
      search_think(search, &budget);
      double best = search->plan.value;
      found += best == 90;
      tree_prune(search->tree, search->root, 0.9999);
      assert_true(tree_count(search->tree) < 20);
      plan_restore(search);
      check_tree(search);
      assert_true(search->tree->statistics.recycled > 0);
      assert_true(search->plan.value >= best);
      assert_true(play_on(search) >= best);
      search_delete(search);
    }
    assert_true(found > 0);
    test_game_close(&book);
  }
}

/* ---- who found it ---- */

/* Simulations one by one: whoever played the last one that was better than all
   before it found the way. Returns a bit for each strategy that did. */
static uint32_t check_found(TestGame *book, const char *agent, uint64_t seed) {
  Search *search = new_search(book, agent, seed);
  const Budget one = {.simulations = 1};
  const char *found = NULL;
  uint32_t finders = 0;
  for (int i = 0; i < 100; i++) {
    double before = search->plan.value;
    search_think(search, &one);
    const char *now = search_report(search)->found;
    if (search->plan.value == before) {
      assert_ptr_equal(now, found);
      continue;
    }
    found = now;
    if (strcmp(now, "tree") == 0) continue;
    uint32_t number = strategy_of(search->strategies, 0);
    StrategyKind kind = strategy_get(search->strategies, number)->kind;
    assert_string_equal(now, strategy_name(kind));
    finders |= 1u << kind;
  }
  search_reset(search);
  assert_null(search_report(search)->found);
  search_delete(search);
  return finders;
}

static void test_found(void **state) {
  (void)state;
  TestGame book;
  const Budget budget = {.simulations = 50};
  uint32_t finders = 0;
  test_game_open(&book, "hamilton", true);
  for (uint64_t seed = 1; seed <= 8; seed++)
    finders |= check_found(&book, "mini:strategies=every", seed);
  assert_true(finders & 1u << STRATEGY_RANDOM);
  assert_true(finders & 1u << STRATEGY_EXPLORE);
  Search *search = new_search(&book, "cadia2008", 1);
  search_think(search, &budget);
  assert_string_equal(search_report(search)->found, "playout");
  search_delete(search);
  search = new_search(&book, "mini-base", 1);
  search_think(search, &budget);
  assert_null(search_report(search)->found);
  search_delete(search);
  test_game_close(&book);
}

/* The best possible score ends the thinking, and is then played. */
static void test_done(void **state) {
  (void)state;
  TestGame book;
  Budget budget = {.simulations = 100000};
  test_game_open(&book, "buttons", true);
  Search *search = new_search(&book, "mini", 1);
  search_think(search, &budget);
  assert_true(plan_done(search));
  assert_true(search_report(search)->simulations < 2000);
  while (!game_terminal(search_game(search))) {
    search_think(search, &budget);
    assert_int_equal(search_report(search)->simulations, 0);
    Move move = search_best(search);
    search_advance(search, &move);
  }
  assert_int_equal(game_goal(search_game(search), 0), 100);
  search_delete(search);
  test_game_close(&book);
}

/* A move that is not the plan's makes the plan's moves void. */
static void test_left(void **state) {
  (void)state;
  TestGame book;
  const Move *legal;
  Budget budget = {.simulations = 300};
  test_game_open(&book, "knightsTour", true);
  Search *search = new_search(&book, "mini", 1);
  search_think(search, &budget);
  assert_true(search->plan.moves.count > 0);
  Move planned = numbering_move(&search->moves, search->plan.moves.data[0]);
  uint32_t count = game_legal(search_game(search), 0, &legal);
  assert_true(count > 1);
  Move other = legal[0] == planned ? legal[1] : legal[0];
  search_advance(search, &other);
  assert_int_equal(search->plan.moves.count, 0);
  search_think(search, &budget);
  assert_true(play_on(search) >= 0);
  search_delete(search);
  test_game_close(&book);
}

/* The column `single=0` of the paper: nothing is kept, and discounts hold. */
static void test_single(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "hamilton", true);
  Search *with = new_search(&book, "cadia2008", 1);
  Search *without = new_search(&book, "cadia2008:single=0", 1);
  assert_true(with->settings.gamma == 1 && without->settings.gamma == 0.999);
  assert_int_equal(with->settings.final, FINAL_MAXIMUM);
  assert_int_equal(without->settings.final, FINAL_VALUE);
  assert_int_equal(with->settings.path, PATH_EQUAL);
  assert_int_equal(without->settings.path, PATH_NONE);
  search_delete(with);
  search_delete(without);
  test_game_close(&book);
  test_game_open(&book, "ticTacToe", true);
  Search *two = new_search(&book, "mini", 1), *base;
  base = new_search(&book, "mini-base", 1);
  assert_true(!memcmp(&two->settings, &base->settings, sizeof(Settings)));
  search_delete(two);
  search_delete(base);
  test_game_close(&book);
}

/* ---- effective quality ---- */

/* x chooses a or b. After a, y chooses; after b, x chooses again; after c both
   do; d ends the game. Four goals of x lie below. */
#define TABLE \
  "(role x) (role y) (init start) (<= (legal x a) (true start))" \
  "(<= (legal x b) (true start)) (<= (legal x c) (true start))" \
  "(<= (legal x d) (true start)) (<= (legal y wait) (true start))" \
  "(<= (legal y p) (true (after a))) (<= (legal y q) (true (after a)))" \
  "(<= (legal x wait) (true (after a)))" \
  "(<= (legal x p) (true (after b))) (<= (legal x q) (true (after b)))" \
  "(<= (legal y wait) (true (after b)))" \
  "(<= (legal x p) (true (after c))) (<= (legal x q) (true (after c)))" \
  "(<= (legal y p) (true (after c))) (<= (legal y q) (true (after c)))" \
  "(<= (next (after ?m)) (true start) (does x ?m))" \
  "(<= (next (end ?k ?m ?n)) (true (after ?k)) (does x ?m) (does y ?n))" \
  "(<= terminal (true (end ?k ?m ?n))) (<= terminal (true (after d)))" \
  "(worth a wait p 70) (worth a wait q 30) (worth b p wait 60)" \
  "(worth b q wait 20) (worth c p p 10) (worth c p q 90) (worth c q p 50)" \
  "(worth c q q 80)" \
  "(<= (goal x ?v) (true (end ?k ?m ?n)) (worth ?k ?m ?n ?v))" \
  "(<= (goal y 0) (true (end ?k ?m ?n))) (<= (goal x 55) (true (after d)))" \
  "(<= (goal y 0) (true (after d)))"

static uint32_t action_named(Search *search, const char *name) {
  uint32_t count, found;
  const Action *actions = node_actions(
      search->tree, tree_node(search->tree, search->root), 0, &count);
  for (found = 0; found < count; found++) {
    Text text = {0};
    term_write(
        game_terms(search->game),
        game_move_term(search->game, 0,
                       numbering_move(&search->moves, actions[found].move)),
        &text);
    bool same = strcmp(text.bytes, name) == 0;
    text_free(&text);
    if (same) break;
  }
  assert_true(found < count);
  return found;
}

static double mean_after(Search *search, uint32_t action) {
  uint32_t count;
  double total = 0, visits = 0;
  Node *root = tree_node(search->tree, search->root);
  NodeId child = node_actions(search->tree, root, 0, &count)[action].child;
  Node *node = tree_node(search->tree, child);
  const Action *actions = node_actions(search->tree, node, 0, &count);
  for (uint32_t i = 0; i < count; i++) {
    total += actions[i].total;
    visits += actions[i].visits;
  }
  return total / visits;
}

static void test_effective(void **state) {
  (void)state;
  TestGame book;
  Budget budget = {.simulations = 400};
  open_text(&book, TABLE);
  Search *search = new_search(&book, "mini-base", 1);
  search_think(search, &budget);
  uint32_t a = action_named(search, "a"), b = action_named(search, "b");
  uint32_t c = action_named(search, "c"), d = action_named(search, "d");
  assert_true(effective_quality(search, a) == 30); /* Our = 1: the least */
  assert_true(effective_quality(search, b) == 60); /* Our = Total: the most */
  assert_true(fabs(effective_quality(search, c) -
                   (10 + mean_after(search, c)) / 2) < 1e-9);
  assert_true(effective_quality(search, d) == 55); /* terminal */
  assert_int_equal(summary_best(search), b);
  search_delete(search);
  test_game_close(&book);
}

/* Equal moves: by history, then by chance, but always the same at one root. */
static void test_equal(void **state) {
  (void)state;
  TestGame book;
  uint32_t count, chosen[2] = {0};
  open_text(&book, TABLE);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    Search *search = new_search(&book, "mini-base", seed);
    uint32_t a = action_named(search, "a"), b = action_named(search, "b");
    Action *actions = node_actions(
        search->tree, tree_node(search->tree, search->root), 0, &count);
    actions[a].visits = actions[b].visits = 10;
    actions[a].total = actions[b].total = 400;
    mast_add(&search->mast, actions[a].move, 1, 40);
    mast_add(&search->mast, actions[b].move, 1, 40);
    uint32_t best = effective_best(search);
    assert_true(best == a || best == b);
    chosen[best == b]++;
    for (int i = 0; i < 5; i++) assert_int_equal(effective_best(search), best);
    mast_add(&search->mast, actions[a].move, 1, 50);
    assert_int_equal(effective_best(search), a);
    mast_add(&search->mast, actions[b].move, 1, 90);
    assert_int_equal(effective_best(search), b);
    search_delete(search);
  }
  assert_true(chosen[0] > 0 && chosen[1] > 0);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kept),      cmocka_unit_test(test_rare),
      cmocka_unit_test(test_found),     cmocka_unit_test(test_done),
      cmocka_unit_test(test_left),      cmocka_unit_test(test_single),
      cmocka_unit_test(test_effective), cmocka_unit_test(test_equal)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
