/* Searches whose graphics card, one made of software (test/gpu/machine_card.h),
   fails, is taken away or hangs: thinking goes on and ends in time, nothing is
   pending, nothing leaks. */
#include "base/clock.h"
#include "search/card_child.h"
#include "search/search_check.h"
#include "support/cards.h"
#include "support/library.h"

typedef struct Failure {
  const char *card; /* what the card does */
  const char *why;  /* what is said of it; NULL: nothing */
} Failure;

static const double slack = 1; /* seconds: machines are busy */

/* Thinks in moves of a tenth of a second until the card has failed, and on. */
static void survive(const Failure *failure, const char *settings) {
  TestGame book;
  Text agent = {0};
  bool hangs = strstr(failure->card, "HANG");
  text_format(&agent, "%s,gpuleaves=16,%s,gpuwait=%g", CARD_AGENT, settings,
              hangs ? 0.5 : 60);
  bool failed = false;
  double until = clock_now() + 60;
  test_game_open(&book, "ticTacToe", true);
  Search *search = test_game_search(&book, 0, text_string(&agent), 1);
  for (int after = 0; after < 4; after += failed) {
    double start = clock_now();
    search_think(search, &(Budget){.seconds = 0.1});
    CHECK(clock_now() - start < 0.1 + slack);
    const SearchReport *report = search_report(search);
    CHECK(report->simulations > 0);
    CHECK(search->at_play == 0);
    search_check(search);
    if (failed) CHECK(report->offloaded == 0);
    if (report->card && failure->why) CHECK(strstr(report->card, failure->why));
    if (!failure->why) CHECK(!report->card);
    failed = report->card || !failure->why;
    CHECK(clock_now() < until);
  }
  double start = clock_now();
  search_delete(search);
  CHECK(clock_now() - start < slack);
  text_free(&agent);
  test_game_close(&book);
}

static void survive_alone(const void *context) {
  survive(context, "threads=1");
}

static void survive_together(const void *context) {
  survive(context, "threads=3");
}

static void survive_with_tree(const void *context) {
  survive(context, "threads=2,gputree=1");
}

static void test_failures(void **state) {
  (void)state;
  static const Failure failures[] = {
      {"TAFL_CARD_COUNT=0", NULL},
      {"TAFL_CARD_GONE=1", "the driver does not start"},
      {"TAFL_CARD_GONE=30", "the card fails"},
      {"TAFL_CARD_GONE=400", "the card fails"},
      {"TAFL_CARD_GONE=1000", "the card fails"},
      {"TAFL_CARD_MEMORY=1000", "out of memory"},
      {"TAFL_CARD_MEMORY=30000", "out of memory"},
      {"TAFL_CARD_FAIL=1", "the card fails"},
      {"TAFL_CARD_FAIL=9", "the card fails"},
      {"TAFL_CARD_REFUSE=1", "the card fails"},
      {"TAFL_CARD_REFUSE=7", "the card fails"},
      {"TAFL_CARD_STEPS=10", "the card fails"},
      {"TAFL_CARD_HANG=1", "not answered"},
      {"TAFL_CARD_HANG=8", "not answered"},
      {"TAFL_CARD_COMPILE=2500", NULL},
      {"TAFL_CARD_STUCK=3", NULL},
      {"TAFL_CARD_STUCK=14", NULL},
      {"TAFL_CARD_STUCK=25", NULL}};
  if (cards_real()) skip();
  for (size_t i = 0; i < LENGTH(failures); i++) {
    card_child(survive_alone, &failures[i], failures[i].card);
    card_child(survive_together, &failures[i], failures[i].card);
    if (i % 2 || unit_long())
      card_child(survive_with_tree, &failures[i], failures[i].card);
  }
}

/* A search that is deleted at once has nothing under way any more. */
static void leave_early(const void *context) {
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  for (int i = 0; i < 6; i++) {
    Search *search = test_game_search(&book, 0, context, 1);
    search_think(search, &(Budget){.seconds = 0.002 + 0.005 * i});
    search_delete(search);
  }
  test_game_close(&book);
}

static void test_early(void **state) {
  (void)state;
  static const char *const agents[] = {CARD_AGENT ",threads=2",
                                       CARD_TREE ",threads=2"};
  for (size_t i = 0; i < LENGTH(agents); i++) {
    card_child(leave_early, agents[i], "");
    card_child(leave_early, agents[i], "TAFL_CARD_HANG=1");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures),
                                     cmocka_unit_test(test_early)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
