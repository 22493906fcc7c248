/* What a search sends to the graphics card, here one made of software
   (test/gpu/machine_card.h), and what it gets back: how many leaves are there
   at once, and by which policy they are played out. */
#include <stdlib.h>

#include "base/clock.h"
#include "search/batch.h"
#include "search/card_child.h"
#include "search/descend.h"
#include "search/feeder.h"
#include "search/leaves.h"
#include "search/workers.h"
#include "support/cards.h"
#include "support/library.h"

#define GAMBLER CARD_AGENT ",gpu=0,returns=own,gamma=1,gpurepeat=256"

static const double patience = 100; /* seconds */

/* ---- the policy ---- */

/* Moves that do not matter, but make states differ, so that no tree reaches the
   last one, of which one in four wins. */
static const char gamble[] =
    "(role gambler) (role other) (init (step 0))"
    "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)"
    "(succ 6 7) (succ 7 8) (succ 8 9) (succ 9 10) (succ 10 11) (succ 11 12)"
    "(sign a) (sign b) (sign c) (sign d)"
    "(<= (legal gambler (write ?x)) (sign ?x) (not (true (step 11))))"
    "(<= (legal gambler (bet ?x)) (sign ?x) (true (step 11)))"
    "(legal other wait)"
    "(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))"
    "(<= (next (written ?n ?x)) (true (step ?n)) (does gambler (write ?x)))"
    "(<= (next (written ?n ?x)) (true (written ?n ?x)))"
    "(<= (next won) (does gambler (bet c)))"
    "(<= terminal (true (step 12)))"
    "(<= (goal gambler 100) (true won))"
    "(<= (goal gambler 0) (not (true won)))"
    "(<= (goal other 0) (true won))"
    "(<= (goal other 100) (not (true won)))";

static void open_gamble(TestGame *book) {
  BookLimits limits = {.ground = {.memory = (size_t)1 << 30}};
  description_init(&book->description, "gamble", gamble, strlen(gamble));
  assert_true(description_valid(&book->description));
  book_init(&book->rules, &book->description, &limits, true);
  assert_true(book->rules.has_net);
}

/* A search that has thought in lanes, and its stream of leaves for the card,
   which is driven by hand. */
typedef struct Desk {
  Search *search;
  Offload *offload;
  Batch *card;
} Desk;

static void open_desk(Desk *desk, TestGame *book, const char *agent) {
  double until = clock_now() + patience;
  desk->search = test_game_search(book, 0, agent, 1);
  search_think(desk->search, &(Budget){.simulations = 20000});
  const Cones *cones = book_cones(&book->rules, 0);
  desk->offload = offload_new(desk->search, cones, 0);
  offload_begin(desk->offload, &(Budget){.seconds = patience});
  while (!offload_gpu(desk->offload)) {
    assert_true(clock_now() < until);
    usleep(1000);
  }
  Batch *lanes = workers_first(desk->search);
  BatchPlan plan = {.growing = cones,
                    .locks = lanes->locks,
                    .leaves = offload_most(desk->offload),
                    .partner = lanes};
  desk->card = batch_new(desk->search, &plan);
  desk->card->sharers = 1;
  desk->card->feeder = feeder_new(desk->card, desk->offload, 0);
  leaves_set_scores(desk->card);
  feeder_set_scores(desk->card->feeder);
}

static void close_desk(Desk *desk) {
  feeder_drop(desk->card->feeder);
  feeder_delete(desk->card->feeder);
  batch_delete(desk->card);
  offload_delete(desk->offload);
  search_delete(desk->search);
}

/* Sends leaves to the card. */
static void send(Batch *card) {
  assert_true(feeder_wants(card->feeder));
  uint32_t count = feeder_leaves(card->feeder) - card->at_play;
  descend_round(card, count, feeder_playouts(card->feeder));
  leaves_collect_steps(card);
  leaves_expand(card);
  leaves_place(card);
  feeder_play(card->feeder);
  assert_true(card->at_play > 0);
}

/* Waits until the leaves are back. */
static void receive(Batch *card) {
  double until = clock_now() + patience;
  while (card->at_play) {
    feeder_wants(card->feeder);
    feeder_back_up(card->feeder);
    assert_true(clock_now() < until);
    usleep(1000);
  }
}

/* Returns the first role's mean over the playouts of some leaves. */
static double bet(TestGame *book, const char *agent) {
  Desk desk;
  double sum = 0;
  uint64_t playouts = 0;
  open_desk(&desk, book, agent);
  const Batch *card = desk.card;
  send(desk.card);
  receive(desk.card);
  for (uint32_t i = 0; i < card->leaves; i++) {
    sum += card->sums.data[(size_t)i * desk.search->role_count];
    playouts += card->list[i].heard;
  }
  assert_true(playouts > 1000);
  close_desk(&desk);
  return sum / (double)playouts;
}

/* One bet in four wins where moves are chosen uniformly; nearly all do where
   they are chosen by scores. A thousand uniform playouts are five standard
   errors away from these bounds. */
static void test_policy(void **state) {
  TestGame book;
  (void)state;
  open_gamble(&book);
  double same = bet(&book, GAMBLER);
  double uniform = bet(&book, GAMBLER ",gpuplayout=uniform");
  print_message("# %.1f %% by scores, %.1f %% uniformly\n", same, uniform);
  assert_true(same > 60);
  assert_true(uniform > 18 && uniform < 32);
  test_game_close(&book);
}

/* ---- the number of leaves ---- */

/* Fills both slots of a stream that is one of so many. */
static void fill_slots(TestGame *book, uint32_t sharers) {
  Desk desk;
  open_desk(&desk, book, CARD_AGENT ",gpu=0,gpuleaves=1024,gpurepeat=32");
  const Search *search = desk.search;
  uint32_t visits = tree_node(search->tree, search->root)->visits;
  uint32_t most = visits / 128 / sharers;
  assert_true(most > 10);
  desk.card->sharers = sharers;
  send(desk.card);
  assert_true(desk.card->at_play <= most / 2);
  send(desk.card);
  assert_true(desk.card->at_play <= most && desk.card->at_play > most / 2);
  receive(desk.card);
  close_desk(&desk);
}

/* The card has room for more, but descents must know of each other's results:
   128 visits of the root for each leaf of all threads. */
static void test_leaves(void **state) {
  TestGame book;
  (void)state;
  test_game_open(&book, "connectFour", true);
  fill_slots(&book, 1);
  fill_slots(&book, 3);
  test_game_close(&book);
}

static int begin(void **state) {
  (void)state;
  setenv("TAFL_CARD_QUIET", "1", 1);
  setenv("TAFL_CARD_RACES", "0", 1);
  setenv("TAFL_CARD_LATE", "1", 1);
  cards_find();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_policy),
                                     cmocka_unit_test(test_leaves)};
  return cmocka_run_group_tests(tests, begin, NULL);
}
