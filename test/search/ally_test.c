/* Searches with an ally that plays in this process: its results count like
   those of lanes, what is lost leaves no trace, what it found at the root
   counts for the answer. */
#include <math.h>

#include "search/outwork.h"
#include "search/roots.h"
#include "search/search_check.h"
#include "support/library.h"

enum { WAITING = 8 };

/* Plays tasks when their results are asked for. */
typedef struct Friend {
  Ally ally;
  Outwork *outwork;
  uint32_t tasks, lose; /* every so many tasks one is lost; 0: none */
  bool away;            /* it takes no leaves */
  AllyTask waiting[WAITING];
  uint32_t count;
  uint64_t leaves, scored;
  RootSums sums;
  bool told;
  uint32_t stands, rests;
  atomic_bool enough; /* the search may stop, since so many leaves are played,
                         or the sums have been told: */
  uint64_t wanted;
} Friend;

static void stand(Ally *ally, const AllyPosition *position) {
  Friend *friend = (Friend *)ally;
  assert_true(position->words > 0);
  for (uint32_t i = 0; i < friend->count; i++)
    memory_delete((void *)friend->waiting[i].states);
  friend->count = 0;
  friend->told = false;
  friend->leaves = 0;
  atomic_store(&friend->enough, false);
  friend->stands++;
}

static void rest(Ally *ally) {
  ((Friend *)ally)->rests++;
}

static uint32_t room(Ally *ally) {
  const Friend *friend = (const Friend *)ally;
  return friend->away || friend->count == WAITING ? 0 : 100;
}

static void play(Ally *ally, const AllyTask *task) {
  Friend *friend = (Friend *)ally;
  size_t bytes = (size_t)task->leaves * task->words * sizeof *task->states;
  uint64_t *states = memory_new(bytes);
  memcpy(states, task->states, bytes);
  assert_true(friend->count < WAITING);
  friend->waiting[friend->count] = *task;
  friend->waiting[friend->count++].states = states;
}

static bool take(Ally *ally, AllyResult *result) {
  Friend *friend = (Friend *)ally;
  if (!friend->count) return false;
  AllyTask task = friend->waiting[0];
  memmove(friend->waiting, friend->waiting + 1,
          --friend->count * sizeof *friend->waiting);
  if (friend->lose && ++friend->tasks % friend->lose == 0) {
    result->number = task.number;
    result->leaves = 0;
  } else {
    outwork_play(friend->outwork, &task, result);
    friend->leaves += task.leaves;
    if (friend->wanted && friend->leaves > friend->wanted)
      atomic_store(&friend->enough, true);
  }
  memory_delete((void *)task.states);
  return true;
}

static void score(Ally *ally, const double *scores, uint32_t count) {
  Friend *friend = (Friend *)ally;
  assert_true(count && isfinite(scores[0]));
  outwork_score(friend->outwork, scores);
  friend->scored++;
}

static bool roots(Ally *ally, RootSums *sums) {
  Friend *friend = (Friend *)ally;
  if (friend->told || !friend->sums.actions.count) return false;
  vector_clear(&sums->actions);
  for (uint32_t i = 0; i < friend->sums.actions.count; i++)
    vector_push(&sums->actions, friend->sums.actions.data[i]);
  sums->simulations = friend->sums.simulations;
  friend->told = true;
  if (!friend->wanted) atomic_store(&friend->enough, true);
  return true;
}

static void wait(Ally *ally, double seconds) {
  (void)ally;
  assert_true(seconds < 1);
}

static void wake(Ally *ally) {
  (void)ally;
}

static const AllyOperations operations = {stand, rest,  room, play, take,
                                          score, roots, wait, wake};

static Friend *friend_new(TestGame *book, const char *agent) {
  Settings settings;
  Text error = {0};
  assert_true(settings_parse(&settings, agent, &error));
  Friend *friend = memory_new(sizeof *friend);
  friend->ally.operations = &operations;
  friend->outwork = outwork_new(&book->rules, &settings, 7);
  assert_non_null(friend->outwork);
  return friend;
}

static void friend_delete(Friend *friend) {
  outwork_delete(friend->outwork);
  for (uint32_t i = 0; i < friend->count; i++)
    memory_delete((void *)friend->waiting[i].states);
  vector_free(&friend->sums.actions);
  memory_delete(friend);
}

static const char *const agents[] = {
    "tafl:mind=search", "tafl:mind=search,threads=3",
    "tafl:mind=search,rave=500", "tafl:mind=search,final=maximum,memory=1"};

/* Budgets hold, and nothing is pending in the end. */
static void test_leaves(void **state) {
  (void)state;
  static const char *const games[] = {"connectFour", "blocker", "checkers"};
  for (size_t g = 0; g < LENGTH(games); g++) {
    TestGame book;
    test_game_open(&book, games[g], true);
    for (size_t a = 0; a < LENGTH(agents); a++) {
      Friend *friend = friend_new(&book, agents[a]);
      Search *search = test_game_search(&book, 0, agents[a], 1);
      assert_true(search_set_ally(search, &friend->ally));
      friend->wanted = 1000;
      search_think(search, &(Budget){.stop = &friend->enough});
      const SearchReport *report = search_report(search);
      assert_in_range(report->allied, 1000, report->simulations);
      assert_int_equal(search->at_play, 0);
      search_check(search);
      friend->lose = 2;
      search_think(search, &(Budget){.stop = &friend->enough});
      search_check(search);
      assert_int_equal(search->at_play, 0);
      search_think(search, &(Budget){.simulations = 20000});
      assert_in_range(search_report(search)->simulations, 20000, 20200);
      search_check(search);
      assert_int_equal(search->at_play, 0);
      friend->away = true;
      search_think(search, &(Budget){.simulations = 5000});
      assert_int_equal(search_report(search)->allied, 0);
      search_check(search);
      assert_true(search_set_ally(search, NULL));
      search_think(search, &(Budget){.simulations = 1000});
      search_check(search);
      assert_int_equal(friend->stands, 4);
      assert_int_equal(friend->rests, 4);
      search_delete(search);
      friend_delete(friend);
    }
    test_game_close(&book);
  }
}

/* What an ally says of a move decides, or guides the search, but is not told
   as the search's own. */
static void test_roots(void **state) {
  (void)state;
  for (int joins = 0; joins < 2; joins++) {
    TestGame book;
    RootSums own = {0};
    test_game_open(&book, "connectFour", true);
    Friend *friend = friend_new(&book, "tafl");
    Search *search = test_game_search(&book, 0, "tafl:mind=search", 1);
    search_think(search, &(Budget){.simulations = 2000});
    const SearchReport *report = search_report(search);
    Move worst = report->moves.data[report->moves.count - 1].move;
    RootSum sum = {.move = numbering_number(&search->moves, 0, worst),
                   .visits = 1000000,
                   .total = 99e6,
                   .exact = -1};
    vector_push(&friend->sums.actions, sum);
    friend->sums.simulations = 1000000;
    friend->away = true;
    friend->ally.joins = joins;
    search_set_ally(search, &friend->ally);
    search_think(search, &(Budget){.stop = &friend->enough});
    report = search_report(search);
    assert_int_equal(search_best(search), worst);
    assert_int_equal(report->moves.data[0].move, worst);
    assert_true(report->moves.data[0].visits >= 1000000);
    assert_int_equal(report->allied, 1000000);
    const Node *root = tree_node(search->tree, search->root);
    roots_take(search, &own);
    uint64_t visits = joins ? 1000000 : 0;
    for (uint32_t i = 0; i < own.actions.count; i++)
      if (own.actions.data[i].move < book.rules.net.role_first.data[1])
        visits += own.actions.data[i].visits;
    assert_int_equal(visits, root->visits);
    Move joint[] = {worst, search_favourite(search, 1)};
    search_advance(search, joint);
    assert_int_equal(search->others.count, 0);
    vector_free(&own.actions);
    search_delete(search);
    friend_delete(friend);
    test_game_close(&book);
  }
}

/* Two searches that exchange what they found have the same answer. */
static void test_join(void **state) {
  (void)state;
  TestGame book;
  RootSums sums[2] = {0};
  Search *searches[2];
  test_game_open(&book, "connectFour", true);
  for (uint64_t i = 0; i < 2; i++) {
    searches[i] = test_game_search(&book, 0, "tafl:mind=search", 1 + i);
    search_think(searches[i], &(Budget){.simulations = 3000});
    roots_take(searches[i], &sums[i]);
    assert_true(sums[i].simulations >= 3000);
  }
  for (uint32_t i = 0; i < 2; i++) {
    RootSums again = {0};
    roots_join(searches[i], &sums[1 - i]);
    roots_take(searches[i], &again);
    assert_int_equal(again.actions.count, sums[i].actions.count);
    for (uint32_t k = 0; k < again.actions.count; k++) {
      assert_int_equal(again.actions.data[k].visits,
                       sums[i].actions.data[k].visits);
      assert_true(fabs(again.actions.data[k].total -
                       sums[i].actions.data[k].total) < 1e-6);
    }
    vector_free(&again.actions);
    search_think(searches[i], &(Budget){.simulations = 1});
    search_check(searches[i]);
  }
  uint32_t visits[2];
  for (uint32_t i = 0; i < 2; i++) {
    visits[i] = tree_node(searches[i]->tree, searches[i]->root)->visits;
    search_delete(searches[i]);
    vector_free(&sums[i].actions);
  }
  assert_true(abs((int)visits[0] - (int)visits[1]) < 40);
  test_game_close(&book);
}

/* Of a task with more leaves than the lanes hold, every leaf has its playouts,
   and their mean is that of other playouts. */
static void test_outwork(void **state) {
  (void)state;
  enum { LEAVES = 3000, REPEAT = 5 };
  TestGame book;
  Settings settings;
  Text error = {0};
  AllyResult result = {0};
  test_game_open(&book, "connectFour", true);
  Game *game = book_game(&book.rules);
  const uint64_t *start;
  uint32_t words = game_state(game, &start);
  uint64_t *states = memory_new((size_t)LEAVES * words * sizeof *states);
  for (uint32_t i = 0; i < LEAVES; i++)
    memcpy(states + (size_t)i * words, start, words * sizeof *states);
  settings_parse(&settings, "tafl:playout=uniform,gamma=1,returns=own,rave=9",
                 &error);
  Outwork *outwork = outwork_new(&book.rules, &settings, 3);
  const AllyTask task = {9, LEAVES, REPEAT, words, states};
  for (int round = 0; round < 2; round++) {
    double sums[2] = {0};
    uint64_t steps = 0;
    outwork_play(outwork, &task, &result);
    assert_int_equal(result.number, 9);
    assert_int_equal(result.leaves, LEAVES);
    assert_int_equal(result.ends.count, LEAVES);
    for (uint32_t i = 0; i < LEAVES; i++) {
      assert_int_equal(result.playouts.data[i], REPEAT);
      uint32_t tail = result.ends.data[i] - (i ? result.ends.data[i - 1] : 0);
      assert_true(tail >= 2 * 7 && tail <= 2 * 48);
      steps += result.steps.data[i];
      for (uint32_t role = 0; role < 2; role++)
        sums[role] += result.sums.data[2 * i + role];
    }
    assert_true(steps <= result.states);
    double mean = sums[0] / (LEAVES * REPEAT);
    assert_true(fabs(sums[0] + sums[1] - 100.0 * LEAVES * REPEAT) < 1e-6);
    assert_true(mean > 50 && mean < 65); /* the first player has the better of
                                            it, 4 standard deviations are 1.6 */
  }
  outwork_delete(outwork);
  ally_free_result(&result);
  memory_delete(states);
  game_delete(game);
  test_game_close(&book);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_leaves), cmocka_unit_test(test_roots),
      cmocka_unit_test(test_join), cmocka_unit_test(test_outwork)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
