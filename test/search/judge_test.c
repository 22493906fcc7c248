/* The evaluation in the search, against slow twins: an evaluation that is a
   hash of the state tells every mistake about which state was judged, for whom.
   Without an evaluation nothing changes. */
#include <math.h>

#include "base/hash.h"
#include "search/judge.h"
#include "search/survey.h"
#include "support/front.h"
#include "support/library.h"

/* ---- an evaluation that knows nothing ---- */

static float hashed_goal(const uint64_t *state, uint32_t words) {
  uint64_t key = 1;
  for (uint32_t i = 0; i < words; i++) key = hash_pair(key, state[i]);
  return (float)(key % 1000) / 10;
}

/* The sum is the value times 10, made anew in both ways. */
static void begin(const Evaluation *evaluation, const uint64_t *state,
                  int32_t *sums) {
  sums[0] = (int32_t)lrintf(10 * hashed_goal(state, evaluation->words));
}

static void update(const Evaluation *evaluation, const uint64_t *from,
                   const uint64_t *to, int32_t *sums) {
  assert_int_equal(sums[0],
                   (int32_t)lrintf(10 * hashed_goal(from, evaluation->words)));
  begin(evaluation, to, sums);
}

static void values(const Evaluation *evaluation, const uint64_t *state,
                   const int32_t *sums, const uint32_t *legal, float *goals) {
  (void)state, (void)legal, (void)evaluation;
  goals[0] = (float)sums[0] / 10;
  goals[1] = 100 - goals[0];
}

static const EvaluationOperations operations = {
    .name = "hash", .begin = begin, .update = update, .values = values};

static Evaluation make_evaluation(const TestGame *book) {
  return (Evaluation){.operations = &operations,
                      .role_count = 2,
                      .words = book->rules.words,
                      .sum_count = 1};
}

/* ---- the twin ---- */

/* What a role gets after its move at the root: the goal that the rules or the
   evaluation give the successor. */
static double twin_goal(Search *search, uint32_t role, uint32_t number,
                        bool *ended) {
  Game *game = book_game(search->book);
  const uint64_t *state;
  const Move *list;
  Move joint[2];
  game_enter(game, search->root_state.data, search->root_state.count);
  for (uint32_t r = 0; r < 2; r++) {
    game_legal(game, r, &list);
    joint[r] = r == role ? numbering_move(&search->moves, number) : list[0];
  }
  game_make(game, joint);
  *ended = game_terminal(game);
  uint32_t words = game_state(game, &state);
  double goal = *ended ? game_goal(game, 0) : (double)hashed_goal(state, words);
  game_delete(game);
  return role == 0 ? goal : 100 - goal;
}

static Search *think(TestGame *book, const char *agent,
                     const Evaluation *evaluation, uint64_t simulations) {
  Search *search = test_game_search(book, 0, agent, 7);
  Budget budget = {.simulations = simulations};
  if (evaluation) search_set_evaluation(search, evaluation);
  search_think(search, &budget);
  return search;
}

static void write_search(Search *search, Text *text) {
  const SearchReport *report = search_report(search);
  text_clear(text);
  text_format(text, "%llu %llu %u", (unsigned long long)report->simulations,
              (unsigned long long)report->states, report->nodes);
  for (uint32_t i = 0; i < report->moves.count; i++)
    text_format(text, " %u:%u:%.17g", report->moves.data[i].move,
                report->moves.data[i].visits, report->moves.data[i].value);
}

/* ---- tests ---- */

static const char *const settings[] = {
    "tafl:judge=0.5", "tafl:judge=1",
    "tafl:prior=5",   "tafl:prior=5,implicit=0.4",
    "tafl:cutoff=4",  "tafl:judge=0.3,prior=2,implicit=0.4,cutoff=6"};

static void test_none(void **state) {
  (void)state;
  static const char *const games[] = {"connectFour", "breakthrough", "blocker"};
  Text plain = {0}, other = {0};
  for (size_t g = 0; g < LENGTH(games); g++) {
    TestGame book;
    test_game_open(&book, games[g], true);
    Search *search = think(&book, "tafl", NULL, 4000);
    write_search(search, &plain);
    search_delete(search);
    for (size_t i = 0; i < LENGTH(settings); i++) {
      search = think(&book, settings[i], NULL, 4000);
      write_search(search, &other);
      assert_string_equal(text_string(&plain), text_string(&other));
      search_delete(search);
    }
    test_game_close(&book);
  }
  text_free(&plain);
  text_free(&other);
}

/* With an evaluation the search differs, but is the same every time. */
static void test_same(void **state) {
  (void)state;
  Text plain = {0}, first = {0}, second = {0};
  TestGame book;
  test_game_open(&book, "breakthrough", true);
  Evaluation evaluation = make_evaluation(&book);
  Search *search = think(&book, "tafl", NULL, 3000);
  write_search(search, &plain);
  search_delete(search);
  for (size_t i = 0; i < LENGTH(settings); i++) {
    search = think(&book, settings[i], &evaluation, 3000);
    write_search(search, &first);
    search_delete(search);
    search = think(&book, settings[i], &evaluation, 3000);
    write_search(search, &second);
    search_delete(search);
    assert_string_equal(text_string(&first), text_string(&second));
    assert_string_not_equal(text_string(&first), text_string(&plain));
  }
  test_game_close(&book);
  text_free(&plain);
  text_free(&first);
  text_free(&second);
}

/* judge=1: what was visited once has the value of the successor, or, one
   simulation at a time, of a state after that. */
static void test_alone(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Evaluation evaluation = make_evaluation(&book);
  Search *search =
      think(&book, "tafl:judge=1,gamma=1,loss=0,leaves=7", &evaluation, 8);
  Node *root = tree_node(search->tree, search->root);
  uint32_t count, checked = 0;
  const Action *actions = node_actions(search->tree, root, root->main, &count);
  for (uint32_t i = 0; i < count; i++) {
    bool ended;
    double goal = twin_goal(search, root->main, actions[i].move, &ended);
    double wanted = aim_return(&search->aim, goal, 100 - goal);
    if (actions[i].visits != 1) continue;
    assert_true(fabs(actions[i].total - wanted) < 1e-4);
    checked++;
  }
  assert_true(checked > 0);
  search_delete(search);
  search = think(&book, "cadia2007:judge=1,gamma=1,expand=1", &evaluation, 300);
  assert_int_equal(search_report(search)->cut_off, 0);
  assert_int_equal(search_report(search)->simulations, 300);
  search_delete(search);
  test_game_close(&book);
}

/* Half the evaluation, half the playouts: nothing else is in between. */
static void test_mix(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Search *search = test_game_search(&book, 0, "tafl:judge=0.25", 1);
  double returns[2] = {80, 20};
  search->own.values[0] = 40;
  search->own.values[1] = 60;
  judge_mix(search, &search->own, returns);
  assert_true(fabs(search->own.values[0] - 50) < 1e-9);
  assert_true(fabs(search->own.values[1] - 50) < 1e-9);
  search_delete(search);
  test_game_close(&book);
}

static void check_survey(Search *search) {
  Node *root = tree_node(search->tree, search->root);
  uint32_t count, first = node_firsts(root)[root->main];
  const Action *actions = node_actions(search->tree, root, root->main, &count);
  assert_true(root->flags & NODE_SURVEYED);
  for (uint32_t i = 0; i < count; i++) {
    bool ended;
    double goal = twin_goal(search, root->main, actions[i].move, &ended);
    double wanted = aim_return(&search->aim, goal, 100 - goal);
    double judged = (double)node_judged(search->tree, root)[first + i];
    assert_true(fabs(judged - wanted) < 1e-3);
    const ActionBound *bound = node_bounds(search->tree, root) + first + i;
    double visits = actions[i].visits + 5.0;
    if (actions[i].exact >= 0) continue;
    assert_true(fabs((double)bound->mean -
                     (actions[i].total + 5 * wanted) / visits) < 1e-2);
    assert_true(fabs((double)bound->width - 1 / sqrt(visits)) < 1e-5);
  }
}

static void test_first_values(void **state) {
  (void)state;
  static const char *const games[] = {"connectFour", "breakthrough"};
  for (size_t g = 0; g < LENGTH(games); g++) {
    TestGame book;
    test_game_open(&book, games[g], true);
    Evaluation evaluation = make_evaluation(&book);
    Search *search = think(&book, "tafl:prior=5", &evaluation, 2000);
    for (int step = 0; step < 6; step++) {
      Move joint[2];
      const Move *list;
      Budget budget = {.simulations = 1000};
      search_think(search, &budget);
      check_survey(search);
      for (uint32_t role = 0; role < 2; role++) {
        game_legal(search_game(search), role, &list);
        joint[role] = list[0];
      }
      search_advance(search, joint);
    }
    search_delete(search);
    test_game_close(&book);
  }
}

/* Minimax of the judgements, by the twin: brought up to date from the bottom,
   every action has what its child's role thinks best. */
static double twin_minimax(Search *search, Node *node, uint32_t depth) {
  uint32_t count, choices[2] = {0}, first = node_firsts(node)[node->main];
  const Action *actions = node_actions(search->tree, node, node->main, &count);
  double best = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    NodeId id = actions[i].child;
    Node *child = id ? tree_node(search->tree, id) : NULL;
    if (child && depth && child->flags & NODE_SURVEYED) {
      double value = twin_minimax(search, child, depth - 1);
      choices[node->main] = i;
      survey_back_up(search, node, choices, id, survey_judgement(search, id));
      double wanted = child->main == node->main ? value : 100 - value;
      assert_true(fabs((double)node_judged(search->tree, node)[first + i] -
                       wanted) < 1e-3);
    }
    double value = actions[i].exact >= 0
                       ? aim_of_value(&search->aim, actions[i].exact)
                       : (double)node_judged(search->tree, node)[first + i];
    best = value > best ? value : best;
  }
  return best;
}

static void test_minimax(void **state) {
  (void)state;
  static const char *const games[] = {"connectFour", "breakthrough"};
  for (size_t g = 0; g < LENGTH(games); g++) {
    TestGame book;
    test_game_open(&book, games[g], true);
    Evaluation evaluation = make_evaluation(&book);
    Search *search =
        think(&book, "tafl:prior=5,implicit=0.4", &evaluation, 3000);
    assert_true(search->minimax);
    assert_true(fabs(search->returns - 100) < 1e-9);
    twin_minimax(search, tree_node(search->tree, search->root), 3);
    search_delete(search);
    test_game_close(&book);
  }
}

/* What is told of the tree. */
typedef struct Told {
  uint32_t least, count;
} Told;

static void hear(void *context, const SearchNode *node) {
  Told *told = context;
  assert_true(node->role < 2);
  assert_true(node->exact || node->visits >= told->least);
  assert_true(node->value >= -0.001 && node->value <= 100.001);
  told->count++;
}

static void test_tell(void **state) {
  (void)state;
  TestGame book;
  test_game_open(&book, "connectFour", true);
  Search *search = think(&book, "tafl:returns=own", NULL, 20000);
  Told some = {.least = 20}, all = {.least = 1};
  search_tell(search, some.least, hear, &some);
  search_tell(search, all.least, hear, &all);
  assert_true(some.count > 10 && all.count > some.count);
  search_delete(search);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_none),         cmocka_unit_test(test_same),
      cmocka_unit_test(test_alone),        cmocka_unit_test(test_mix),
      cmocka_unit_test(test_first_values), cmocka_unit_test(test_minimax),
      cmocka_unit_test(test_tell)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
