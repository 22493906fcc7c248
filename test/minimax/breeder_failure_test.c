/* Alpha-beta whose graphics card, one made of software (test/gpu/
   machine_card.h), fails, is taken away or hangs: thinking goes on and ends in
   time, nobody waits for the card, nothing leaks. */
#include "base/clock.h"
#include "engine/moves.h"
#include "minimax/parts.h"
#include "search/card_child.h"
#include "support/cards.h"
#include "support/library.h"
#include "value/linear.h"

typedef struct Failure {
  const char *card; /* what the card does */
  const char *why;  /* what is said of it; NULL: nothing */
  bool late;        /* it has made broods before that, however slow it is */
} Failure;

static const double slack = 1; /* seconds: machines are busy */

static Minimax *open_mind(TestGame *book, uint32_t threads, double wait) {
  Settings settings;
  Text error = {0};
  CHECK(settings_parse(&settings, "minimax", &error));
  settings.memory = 16;
  settings.threads = threads;
  settings.gpuwait = wait;
  book_cones(&book->rules, 0);
  return minimax_new(&book->rules, 0, &settings, 1);
}

/* Of the root anew: what is found in the table is not asked for. */
static void think(Minimax *minimax, double seconds) {
  double start = clock_now();
  minimax_set_evaluation(minimax, NULL);
  minimax_think(minimax, &(Budget){.seconds = seconds});
  CHECK(clock_now() - start < seconds + slack);
  CHECK(moves_contain(minimax->game, 0, minimax_best(minimax)));
  CHECK(minimax_sound(minimax));
}

static void leave(Minimax *minimax) {
  double start = clock_now();
  minimax_delete(minimax);
  CHECK(clock_now() - start < slack);
}

static void check_trouble(Minimax *minimax, const char *trouble) {
  Text text = {0};
  CHECK(*trouble && !strchr(trouble, '\n'));
  minimax_explain(minimax, &text);
  CHECK(strstr(text_string(&text), trouble));
  text_free(&text);
}

/* Thinks until the card has failed, and on. */
static void survive(const Failure *failure, uint32_t threads) {
  TestGame book;
  bool hangs = strstr(failure->card, "HANG") || strstr(failure->card, "STUCK");
  bool failed = false;
  double until = clock_now() + 60;
  test_game_open(&book, "connectFour", true);
  Minimax *minimax = open_mind(&book, threads, hangs ? 0.4 : 60);
  for (int after = 0; after < 3; after += failed) {
    think(minimax, 0.06);
    const char *trouble = breeder_trouble(minimax->breeder);
    if (trouble) check_trouble(minimax, trouble);
    if (trouble && failure->why) CHECK(strstr(trouble, failure->why));
    if (!failure->why) CHECK(!trouble);
    /* it may only be slow, when it is opened */
    bool early = failure->late && !breeder_report(minimax->breeder).batches;
    failed = !failure->why || (trouble && !early);
    CHECK(!early || !trouble || hangs);
    CHECK(clock_now() < until);
  }
  BreederReport before = breeder_report(minimax->breeder);
  think(minimax, 0.03);
  if (!hangs) CHECK(breeder_report(minimax->breeder).batches == before.batches);
  leave(minimax);
  test_game_close(&book);
}

static void survive_alone(const void *context) {
  survive(context, 1);
}

static void survive_together(const void *context) {
  survive(context, 3);
}

enum { OFTEN = 15 }; /* the others in the long run */

static void test_failures(void **state) {
  (void)state;
  static const Failure failures[] = {
      {"TAFL_CARD_COUNT=0", NULL, false},
      {"TAFL_CARD_GONE=1", "the driver does not start", false},
      {"TAFL_CARD_GONE=100", "the card fails", false},
      {"TAFL_CARD_GONE=2000", "the card fails", false},
      {"TAFL_CARD_MEMORY=300000", "out of memory", false},
      {"TAFL_CARD_FAIL=9", "the card fails", false},
      {"TAFL_CARD_FAIL=50", "the card fails", true},
      {"TAFL_CARD_REFUSE=7", "the card fails", false},
      {"TAFL_CARD_STEPS=10", "the card fails", false},
      {"TAFL_CARD_HANG=1", "not answered", false},
      {"TAFL_CARD_HANG=48", "not answered", true},
      {"TAFL_CARD_STUCK=3", NULL, false},
      {"TAFL_CARD_STUCK=25", NULL, false},
      {"TAFL_CARD_STUCK=1000", "not answered", false},
      {"TAFL_CARD_COMPILE=2500", NULL, false},
      {"TAFL_CARD_GONE=30", "the card fails", false},
      {"TAFL_CARD_MEMORY=1000", "out of memory", false},
      {"TAFL_CARD_FAIL=1", "the card fails", false},
      {"TAFL_CARD_REFUSE=1", "the card fails", false},
      {"TAFL_CARD_REFUSE=45", "the card fails", true}};
  if (cards_real()) skip();
  for (size_t i = 0; i < (unit_long() ? LENGTH(failures) : OFTEN); i++) {
    if (i % 2 == 0 || unit_long())
      card_child(survive_alone, &failures[i], failures[i].card);
    if (i % 2 || unit_long())
      card_child(survive_together, &failures[i], failures[i].card);
  }
}

/* ---- leaving ---- */

/* Whatever the card is at: it is opened, has kernels made, makes broods. */
static void leave_early(const void *context) {
  TestGame book;
  (void)context;
  test_game_open(&book, "connectFour", true);
  for (int i = 0; i < 6; i++) {
    Minimax *minimax = open_mind(&book, 2, 60);
    think(minimax, 0.002 + 0.01 * i * i);
    leave(minimax);
  }
  test_game_close(&book);
}

static void test_early(void **state) {
  (void)state;
  static const char *const cards[] = {
      "", "TAFL_CARD_HANG=1", "TAFL_CARD_COMPILE=300", "TAFL_CARD_STUCK=20"};
  for (size_t i = 0; i < LENGTH(cards); i++)
    if (!i || !cards_real()) card_child(leave_early, NULL, cards[i]);
}

/* The process ends while a batch is under way that takes longer than
   breeder_delete waits. */
static void end_meanwhile(const void *context) {
  double until = clock_now() + 60;
  TestGame book;
  test_game_open(&book, context, true);
  Minimax *minimax = open_mind(&book, 1, 60);
  Linear *linear = linear_new(&book.rules);
  linear_freeze(linear);
  think(minimax, 0.1);
  Breeder *breeder = minimax->breeder;
  CHECK(breeder);
  while (!breeder_report(breeder).batches) {
    minimax_set_evaluation(minimax, &linear->evaluation);
    minimax_think(minimax, &(Budget){.seconds = 0.1});
    CHECK(clock_now() < until);
  }
  breeder_begin(breeder, &(Budget){.seconds = 60}, &linear->evaluation);
  for (uint64_t key = 1; key < 5000; key++)
    breeder_ask(breeder, key, minimax->root_state.data, BREEDER_ALL);
  usleep(500000);
  breeder_end(breeder);
  leave(minimax);
  evaluation_delete(&linear->evaluation);
  test_game_close(&book);
}

static void test_end(void **state) {
  (void)state;
  card_child(end_meanwhile, "connectFour", "TAFL_CARD_RACES=1");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_failures),
                                     cmocka_unit_test(test_early),
                                     cmocka_unit_test(test_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
