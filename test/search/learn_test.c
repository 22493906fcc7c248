/* Backup and selection against numbers computed by hand: UCT bounds, RAVE
   blending and updates, MAST averages and Gibbs weights, discounted returns. */
#include <math.h>

#include "search/backup.h"
#include "search/grow.h"
#include "search/select.h"
#include "search/summary.h"
#include "support/library.h"

static TestGame book;

static int open_book(void **state) {
  (void)state;
  test_game_open(&book, "ticTacToe", true);
  return 0;
}

static int close_book(void **state) {
  (void)state;
  test_game_close(&book);
  return 0;
}

static Search *start(const char *agent) {
  return test_game_search(&book, 0, agent, 1);
}

static Action *root_actions(Search *search, uint32_t role) {
  uint32_t count;
  return node_actions(search->tree, tree_node(search->tree, search->root), role,
                      &count);
}

static ActionRave *root_rave(Search *search, uint32_t role) {
  const Node *root = tree_node(search->tree, search->root);
  return node_rave(search->tree, root) + node_firsts(root)[role];
}

static void set_action(Action *action, uint32_t visits, double mean) {
  action->visits = visits;
  action->total = visits * mean;
}

/* Visits all nine moves; move 0 is the one to compare with. */
static void fill_root(Search *search) {
  Node *root = tree_node(search->tree, search->root);
  Action *actions = root_actions(search, 0);
  set_action(&actions[0], 20, 60);
  set_action(&actions[1], 5, 0);
  for (int i = 2; i < 9; i++) set_action(&actions[i], 1000, 0);
  root->visits = 7025;
}

static uint32_t chosen(Search *search) {
  return select_action(search, &search->own,
                       tree_node(search->tree, search->root), 0);
}

/* Move 1 is chosen if its bound is a little above move 0's, else move 0. */
static void test_uct(void **state) {
  (void)state;
  Search *search = start("cadia2007");
  fill_root(search);
  double bound = 60 + 40 * sqrt(log(7025) / 20);
  double mean = bound - 40 * sqrt(log(7025) / 5);
  set_action(&root_actions(search, 0)[1], 5, mean + 1e-6);
  assert_int_equal(chosen(search), 1);
  set_action(&root_actions(search, 0)[1], 5, mean - 1e-6);
  assert_int_equal(chosen(search), 0);
  search_delete(search);
}

/* The same from terms kept in the actions, with two pending descents through
   move 1. */
static void test_uct_by_terms(void **state) {
  (void)state;
  static const uint32_t root_visits[] = {7023, 800};
  Search *search = start("tafl:c=40,loss=1");
  for (size_t i = 0; i < LENGTH(root_visits); i++) {
    Node *root = tree_node(search->tree, search->root);
    Action *actions = root_actions(search, 0);
    fill_root(search);
    root->visits = root_visits[i];
    root->pending = actions[1].pending = 2;
    double visits = root_visits[i] + 2;
    double bound = 60 + 40 * sqrt(log(visits) / 20);
    double mean = (bound - 40 * sqrt(log(visits) / 7)) * 7 / 5;
    for (int more = 0; more < 2; more++) {
      set_action(&actions[1], 5, mean + (more ? 1e-3 : -1e-3));
      for (uint32_t j = 0; j < 9; j++) select_note(search, root, j);
      assert_int_equal(chosen(search), more);
    }
    set_action(&actions[1], 5, 100);
    select_note(search, root, 1);
    assert_int_equal(chosen(search), 1);
    actions[1].exact = 0; /* exact: not chosen again, also if not noted yet */
    assert_int_equal(chosen(search), 0);
    assert_true(isinf(node_bounds(search->tree, root)[1].mean));
    actions[1].exact = -1;
    select_note(search, root, 1);
    actions[4].visits = 0; /* unexplored: comes first */
    select_note(search, root, 4);
    assert_int_equal(chosen(search), 4);
  }
  search_delete(search);
}

/* Where all actions have exact values, the role takes its best ones in turn; so
   in a node that ties leave unproved no descent is stuck with the first action.
 */
static void test_all_exact(void **state) {
  (void)state;
  static const char *const agents[] = {"cadia2007", "cadia2009", "tafl"};
  for (size_t i = 0; i < LENGTH(agents); i++) {
    Search *search = start(agents[i]);
    Action *actions = root_actions(search, 0);
    bool seen[9] = {false};
    for (int j = 0; j < 9; j++) actions[j].exact = j == 4 || j == 7 ? 50 : 10;
    tree_node(search->tree, search->root)->exact = 50;
    for (int j = 0; j < 50; j++) {
      uint32_t at = chosen(search);
      seen[at] = true;
      actions[at].visits++;
    }
    for (int j = 0; j < 9; j++) assert_int_equal(seen[j], j == 4 || j == 7);
    search_delete(search);
  }
}

static void test_rave_blend(void **state) {
  (void)state;
  Search *search = start("cadia2009");
  fill_root(search);
  Action *actions = root_actions(search, 0);
  double beta = sqrt(500.0 / (3 * 7025 + 500));
  root_rave(search, 0)[0] = (ActionRave){.total = 4 * 80, .visits = 4};
  root_rave(search, 0)[1] = (ActionRave){.total = 10 * 30, .visits = 10};
  double bound = beta * 80 + (1 - beta) * 60 + 40 * sqrt(log(7025) / 20);
  double mean = (bound - 40 * sqrt(log(7025) / 5) - beta * 30) / (1 - beta);
  set_action(&actions[1], 5, mean + 1e-6);
  assert_int_equal(chosen(search), 1);
  set_action(&actions[1], 5, mean - 1e-6);
  assert_int_equal(chosen(search), 0);
  search_delete(search);
}

/* Unexplored moves come first, each once. */
static void test_unexplored(void **state) {
  (void)state;
  Search *search = start("cadia2007");
  bool seen[9] = {false};
  for (int i = 0; i < 9; i++) {
    uint32_t choice = chosen(search);
    assert_false(seen[choice]);
    seen[choice] = true;
    set_action(&root_actions(search, 0)[choice], 1, 100);
    tree_node(search->tree, search->root)->visits++;
  }
  search_delete(search);
}

/* A path of two steps in the tree and one beyond it; values 100 and 40, γ =
   1/2. */
static void test_backup(void **state) {
  (void)state;
  Search *search = start("cadia2009:gamma=0.5,returns=own");
  NodeId root = search->root;
  uint32_t none[2] = {3, 0};
  uint32_t moves[6];
  moves[0] = root_actions(search, 0)[3].move;
  moves[1] = root_actions(search, 1)[0].move; /* waits */
  Move joint[2] = {moves[0], moves[1]};
  bool added;
  game_make(search->game, joint);
  NodeId child = grow_node(search, search->game, 1, &added);
  assert_true(added);
  tree_link(search->tree, NULL, tree_node(search->tree, root), none, child);
  uint32_t count;
  Node *node = tree_node(search->tree, child);
  moves[2] = node_actions(search->tree, node, 0, &count)[0].move;
  moves[3] = node_actions(search->tree, node, 1, &count)[5].move;
  moves[4] = root_actions(search, 0)[7].move; /* later: RAVE at the root */
  moves[5] = moves[1];
  search->own.number = 1;
  vector_clear(&search->path.nodes);
  vector_push(&search->path.nodes, root);
  vector_push(&search->path.nodes, child);
  uint32_t choices[4] = {3, 0, 0, 5};
  vector_clear(&search->path.choices);
  vector_clear(&search->path.moves);
  for (int i = 0; i < 4; i++) vector_push(&search->path.choices, choices[i]);
  for (int i = 0; i < 6; i++) vector_push(&search->path.moves, moves[i]);
  search->path.steps = 3;
  search->own.values[0] = 100;
  search->own.values[1] = 40;
  backup_path(search, &search->own, &search->path);

  const Action *first = root_actions(search, 0);
  const ActionRave *rave = root_rave(search, 0);
  assert_int_equal(tree_node(search->tree, root)->visits, 1);
  assert_int_equal(first[3].visits, 1);
  assert_true(fabs(first[3].total - 12.5) < 1e-12); /* 100 / 8 */
  assert_int_equal(rave[3].visits, 1);
  assert_int_equal(first[7].visits, 0);
  assert_int_equal(rave[7].visits, 1);
  assert_true(fabs(rave[7].total - 12.5) < 1e-12);
  assert_int_equal(rave[0].visits, 0);
  node = tree_node(search->tree, child);
  Action *second = node_actions(search->tree, node, 1, &count);
  assert_int_equal(second[5].visits, 1);
  assert_true(fabs(second[5].total - 10) < 1e-12); /* 40 / 4 */
  /* the second role waits in the first and third step: 40 / 8 and 40 / 2 */
  assert_true(fabs(mast_value(&search->mast, moves[4]) - 50) < 1e-12);
  assert_true(fabs(mast_value(&search->mast, moves[0]) - 12.5) < 1e-12);
  assert_true(fabs(mast_value(&search->mast, moves[1]) - (20 + 5) / 2.0) <
              1e-12);
  search_delete(search);
}

static void test_returns(void **state) {
  (void)state;
  const int goals[2] = {30, 90};
  double values[2];
  Search *search = start("cadia2007:returns=difference");
  backup_returns(search, goals, values);
  assert_true(values[0] == -60 && values[1] == 60);
  search_delete(search);
  search = start("cadia2007:returns=scaled");
  backup_returns(search, goals, values);
  assert_true(values[0] == 20 && values[1] == 80);
  search_delete(search);
  search = start("cadia2008:returns=own");
  backup_returns(search, goals, values);
  assert_true(values[0] == 30 && values[1] == 90);
  search_delete(search);
}

/* A bad move that was tried beats one that was not, even with a negative
   value; a worse one that was tried does not. */
static void test_final(void **state) {
  (void)state;
  Search *search = start("cadia2007:returns=difference");
  set_action(&root_actions(search, 0)[4], 3, -60);
  assert_int_equal(summary_best(search), 4);
  set_action(&root_actions(search, 0)[2], 5, -40);
  assert_int_equal(summary_best(search), 2);
  search_delete(search);
}

static void test_mast(void **state) {
  (void)state;
  Mast mast;
  mast_init(&mast, 100, 10);
  mast_grow(&mast, 3);
  mast_add(&mast, 1, 1, 50);
  mast_add(&mast, 1, 1, 70);
  assert_true(mast_value(&mast, 0) == 100);
  assert_true(fabs(mast_value(&mast, 1) - 60) < 1e-12);
  double ratio = mast_weight(&mast, 0, 0) / mast_weight(&mast, 0, 1);
  assert_true(fabs(ratio - exp(4)) < 1e-9);
  mast_decay(&mast, 0.5);
  assert_true(fabs(mast_value(&mast, 1) - 60) < 1e-12);
  mast_add(&mast, 1, 1, 0); /* one of two samples is left */
  assert_true(fabs(mast_value(&mast, 1) - 30) < 1e-12);
  mast_free(&mast);
}

/* Averages 40 (3000 visits) and 80 (1000): mean 50, variance (3 · 100 + 900) /
   4 = 300, of which chance has 2 · 2500 / 4000. A move that was not seen is
   average; those of others do not count. */
static void test_temper(void **state) {
  (void)state;
  Mast mast;
  double variance = 300 - 1.25, doubt = 2500 / variance;
  mast_init(&mast, 100, 10);
  mast_grow(&mast, 5);
  mast_add(&mast, 1, 3000, 120000);
  mast_add(&mast, 2, 1000, 80000);
  mast_add(&mast, 4, 1, 0);
  assert_true(fabs(mast_weight(&mast, 1, 1) - exp(-6)) < 1e-12);
  assert_true(mast_belief(&mast, 1, 3) == 100);
  mast_temper(&mast, 1, 1, 4, 2, 10);
  double tau = mast.roles[1].tau, belief = mast_belief(&mast, 1, 1);
  assert_true(fabs(tau - 2 * sqrt(variance)) < 1e-9);
  assert_true(fabs(belief - (120000 + 50 * doubt) / (3000 + doubt)) < 1e-9);
  assert_true(fabs(mast_belief(&mast, 1, 3) - 50) < 1e-9);
  assert_true(mast_value(&mast, 1) == 40);
  /* not the weight that was kept before */
  assert_true(fabs(mast_weight(&mast, 1, 1) - exp((belief - 100) / tau)) <
              1e-12);
  assert_true(mast.roles[0].tau == 10 && mast_belief(&mast, 0, 0) == 100);
  mast_temper(&mast, 1, 1, 4, 0.5, 10);
  assert_true(mast.roles[1].tau == 10); /* the least */
  mast_temper(&mast, 0, 0, 1, 2, 10);
  assert_true(mast.roles[0].tau == 10); /* nothing seen */
  mast_free(&mast);
}

/* Averages of two samples each, as far apart as chance alone makes them, are
   not believed. */
static void test_temper_chance(void **state) {
  (void)state;
  Mast mast;
  mast_init(&mast, 100, 1);
  mast_grow(&mast, 3);
  mast_add(&mast, 0, 2, 200);
  mast_add(&mast, 1, 2, 100);
  mast_add(&mast, 2, 2, 0);
  mast_temper(&mast, 0, 0, 3, 1.5, 1);
  assert_true(mast.roles[0].tau > 1); /* 1667 - 1250: little is left */
  assert_true(mast_belief(&mast, 0, 0) < 65);
  mast_add(&mast, 0, 2, 100);
  mast_add(&mast, 2, 2, 100);
  mast_temper(&mast, 0, 0, 3, 1.5, 1); /* averages 75, 50, 25 */
  assert_true(mast.roles[0].tau == 1);
  assert_true(fabs(mast_belief(&mast, 0, 0) - 50) < 1e-3);
  mast_free(&mast);
}

/* Five steps of two roles; role r makes move 10 r + step, in turns, and waits
   with move 10 r + 9. */
static void fill_path(Path *path) {
  *path = (Path){.steps = 5};
  for (uint32_t step = 0; step < 5; step++)
    for (uint32_t role = 0; role < 2; role++)
      vector_push(&path->moves, 10 * role + (step % 2 == role ? step : 9));
}

static void test_ngrams(void **state) {
  (void)state;
  Path path;
  Ngrams grams;
  fill_path(&path);
  ngrams_init(&grams, 2);
  /* Role 0's move 4 in step 4 follows 13 and 2. */
  ngrams_add(&grams, &path, 2, 4, 0, 60);
  assert_true(ngrams_value(&grams, &path, 2, 0, 4, 30) == 30); /* one visit */
  path.moves.data[4] = 7; /* step 2, role 0: another 3-gram, the same 2-gram */
  ngrams_add(&grams, &path, 2, 4, 0, 80);
  assert_true(fabs(ngrams_value(&grams, &path, 2, 0, 4, 30) - 50) < 1e-4);
  path.moves.data[4] = 2;
  ngrams_add(&grams, &path, 2, 4, 0, 100); /* 2-gram 80, 3-gram 80 */
  assert_true(fabs(ngrams_value(&grams, &path, 2, 0, 4, 20) - 60) < 1e-4);
  assert_true(ngrams_value(&grams, &path, 2, 0, 5, 20) == 20); /* other move */
  path.moves.data[7] = 19; /* step 3, role 1 */
  assert_true(ngrams_value(&grams, &path, 2, 0, 4, 20) == 20);
  path.moves.data[7] = 13;
  ngrams_decay(&grams, 0.7); /* 2.1 and 1.4 visits are left */
  assert_true(fabs(ngrams_value(&grams, &path, 2, 0, 4, 20) - 50) < 1e-4);
  ngrams_decay(&grams, 0);
  assert_int_equal(grams.list.count, 0);
  assert_true(ngrams_value(&grams, &path, 2, 0, 4, 20) == 20);
  path.steps = 1; /* nothing before the first step */
  ngrams_add(&grams, &path, 2, 0, 0, 100);
  assert_int_equal(grams.list.count, 0);
  ngrams_free(&grams);
  path_free(&path);
}

/* A move that is best by itself, but bad after the other's last move, is hardly
   ever chosen there. */
static void test_choice_by_ngrams(void **state) {
  (void)state;
  Search *search = start("cadia2008:playout=nst,grams=1,tau=1");
  const uint32_t numbers[2] = {4, 5};
  fill_path(&search->path);
  mast_add(&search->mast, 4, 1, 90);
  mast_add(&search->mast, 5, 1, 60);
  for (int i = 0; i < 3; i++) {
    ngrams_add(&search->ngrams, &search->path, 2, 4, 0, 10);
    assert_int_equal(select_by_ngrams(search, &search->own, 0, numbers, 2), 1);
  }
  search->path.moves.data[7] = 12;
  assert_int_equal(select_by_ngrams(search, &search->own, 0, numbers, 2), 0);
  search_delete(search);
}

/* A simulation in the sequential mode leaves n-grams behind. */
static void test_ngrams_are_learned(void **state) {
  (void)state;
  Search *search = start("cadia2008:playout=nst,epsilon=0.5");
  Budget budget = {.simulations = 50};
  search_think(search, &budget);
  assert_true(search->ngrams.list.count > 50);
  double samples = 0;
  for (uint32_t i = 0; i < search->ngrams.list.count; i++) {
    const Ngram *gram = &search->ngrams.list.data[i];
    assert_true(gram->total >= 0 && gram->total <= 100 * gram->visits);
    samples += gram->moves[2] == NGRAM_NONE ? gram->visits : 0;
  }
  /* two roles, each step but the first */
  assert_true(samples == 2.0 * (double)(search_report(search)->states - 50));
  search_delete(search);
}

/* Frequencies of the Gibbs choice among three moves, within five standard
   deviations. */
static void test_gibbs(void **state) {
  (void)state;
  enum { DRAWS = 100000 };
  Search *search = start("cadia2008");
  const uint32_t numbers[3] = {0, 1, 2};
  const double values[3] = {100, 95, 80};
  uint32_t counts[3] = {0};
  double sum = 0;
  for (uint32_t i = 0; i < 3; i++) {
    mast_add(&search->mast, i, 1, values[i]);
    sum += exp(values[i] / 10);
  }
  for (int i = 0; i < DRAWS; i++)
    counts[select_gibbs(search, &search->own, 0, numbers, 3, NULL)]++;
  for (uint32_t i = 0; i < 3; i++) {
    double p = exp(values[i] / 10) / sum;
    assert_true(fabs(counts[i] - DRAWS * p) < 5 * sqrt(DRAWS * p * (1 - p)));
  }
  search_delete(search);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_uct),
                                     cmocka_unit_test(test_uct_by_terms),
                                     cmocka_unit_test(test_all_exact),
                                     cmocka_unit_test(test_rave_blend),
                                     cmocka_unit_test(test_unexplored),
                                     cmocka_unit_test(test_backup),
                                     cmocka_unit_test(test_returns),
                                     cmocka_unit_test(test_final),
                                     cmocka_unit_test(test_mast),
                                     cmocka_unit_test(test_gibbs),
                                     cmocka_unit_test(test_temper),
                                     cmocka_unit_test(test_temper_chance),

                                     cmocka_unit_test(test_ngrams),
                                     cmocka_unit_test(test_choice_by_ngrams),
                                     cmocka_unit_test(test_ngrams_are_learned)};
  return cmocka_run_group_tests(tests, open_book, close_book);
}
