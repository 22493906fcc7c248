/* A search whose leaves are all played out by hands in this process: every
   playout is counted, everything depends on the seed alone, and it matters
   whose scores the hands follow. */
#include "scale/handful.h"
#include "scale/lockstep.h"
#include "search/parts.h"
#include "search/search_check.h"
#include "support/ask.h"
#include "support/unit.h"

enum { PLAYOUTS = 4096, LEAVES = 16, REPEAT = 4 };

typedef struct Found {
  uint64_t made;
  uint32_t visits;
  Move best;
  double total; /* of the root's actions */
} Found;

static Asking asking;

static Found think(uint32_t hands, bool merged, uint64_t seed) {
  Settings settings;
  Text error = {0};
  asking_open(&asking, "games/connectFour.kif");
  assert_true(settings_parse(
      &settings, "tafl:mind=search,evaluation=none,lanes=64,repeat=4,memory=16",
      &error));
  const HandfulPlan plan = {
      .hands = hands, .leaves = LEAVES, .merged = merged, .seed = seed};
  Handful *handful = handful_new(&asking.book, &settings, &plan);
  assert_non_null(handful);
  Search *search = search_new(&asking.book, 0, &settings, seed);
  Lockstep *lockstep = lockstep_new(search, handful_ally(handful));
  Found found = {.made = lockstep_think(lockstep, PLAYOUTS),
                 .best = search_best(search)};
  search_check(search);
  uint32_t count;
  Node *root = tree_node(search->tree, search->root);
  const Action *actions = node_actions(search->tree, root, 0, &count);
  found.visits = root->visits;
  for (uint32_t i = 0; i < count; i++) found.total += actions[i].total;
  lockstep_delete(lockstep);
  search_delete(search);
  handful_delete(handful);
  return found;
}

static void test_all_playouts_are_counted(void **state) {
  (void)state;
  for (uint32_t hands = 1; hands <= 5; hands += 2) {
    Found found = think(hands, false, 3);
    assert_true(found.made >= PLAYOUTS && found.made < PLAYOUTS + REPEAT);
    assert_true(found.visits >= PLAYOUTS / REPEAT && found.visits <= PLAYOUTS);
  }
}

static void test_depends_on_the_seed_alone(void **state) {
  (void)state;
  for (int merged = 0; merged < 2; merged++) {
    Found one = think(3, merged, 7), same = think(3, merged, 7);
    assert_int_equal(one.best, same.best);
    assert_int_equal(one.visits, same.visits);
    assert_true(one.total == same.total);
    assert_true(think(3, merged, 8).total != one.total);
  }
}

static void test_scores_matter(void **state) {
  (void)state;
  assert_true(think(3, false, 7).total != think(3, true, 7).total);
}

static int close_game(void **state) {
  (void)state;
  asking_close(&asking);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_playouts_are_counted),
      cmocka_unit_test(test_depends_on_the_seed_alone),
      cmocka_unit_test(test_scores_matter),
  };
  return cmocka_run_group_tests(tests, NULL, close_game);
}
