/* Searches with a graphics card made of software (test/gpu/machine_card.h), or
   with a real one (CARD=real): its results count like those of lanes, and what
   is limited in simulations does without it. */
#include <math.h>

#include "base/clock.h"
#include "search/card_child.h"
#include "search/offload.h"
#include "search/outwork.h"
#include "search/search_check.h"
#include "support/cards.h"
#include "support/library.h"

/* ---- sums ---- */

typedef struct SumCase {
  const char *game, *agent;
  bool single; /* the first kernel, else the second */
} SumCase;

enum { STARTS = 32, REPEAT = 500, PLAYOUTS = STARTS * REPEAT };

/* Five deviations of the difference of two means of returns that are at most
   `range` apart. */
static double tolerance(double range) {
  return 5 * sqrt(2.0 / PLAYOUTS) * range / 2;
}

static void play_on_card(Book *book, const Settings *settings, bool single,
                         const uint64_t *states, double *means,
                         uint64_t *cut_off) {
  Text why = {0};
  Aim aim;
  Card *card = card_open(&why);
  CHECK(card);
  GpuOptions options = {.seed = 5,
                        .step_limit = (uint32_t)settings->steps,
                        .batches = 1,
                        .starts = STARTS,
                        .gamma = settings->gamma,
                        .kernels = single ? GPU_TEAM : GPU_ALL};
  Gpu *gpu = gpu_new(card, book_cones(book, 0), &options, &why);
  CHECK(gpu);
  if (!single) CHECK(gpu_setup(gpu, true).second > 0);
  uint32_t roles = book->net.role_count;
  aim_init(&aim, book, roles, settings);
  CHECK(gpu_begin(gpu, 0, states, STARTS, REPEAT) && gpu_wait(gpu, 0));
  *cut_off = 0;
  for (uint32_t role = 0; role < roles; role++) means[role] = 0;
  for (uint32_t i = 0; i < STARTS; i++) {
    const GpuSums *sums = gpu_sums(gpu, 0, i);
    CHECK(sums->ended + sums->cut_off + sums->stuck == REPEAT);
    *cut_off += sums->cut_off;
    for (uint32_t role = 0; role < roles; role++)
      means[role] +=
          offload_returns(&aim, sums, gpu_role_sums(gpu, 0, i, 0), role) /
          PLAYOUTS;
  }
  aim_free(&aim);
  gpu_delete(gpu);
  card_close(card);
  text_free(&why);
}

static void play_in_lanes(Book *book, const Settings *settings,
                          const uint64_t *states, double *means,
                          uint64_t *cut_off) {
  AllyResult result = {0};
  Outwork *outwork = outwork_new(book, settings, 3);
  const AllyTask task = {1, STARTS, REPEAT, book->words, states};
  uint32_t roles = book->net.role_count;
  outwork_play(outwork, &task, &result);
  *cut_off = result.cut_off;
  for (uint32_t role = 0; role < roles; role++) {
    means[role] = 0;
    for (uint32_t i = 0; i < STARTS; i++)
      means[role] += result.sums.data[i * roles + role] / PLAYOUTS;
  }
  ally_free_result(&result);
  outwork_delete(outwork);
}

static void compare_sums(const void *context) {
  const SumCase *sum = context;
  TestGame book;
  Settings settings;
  Text error = {0};
  double card[RULE_ROLES], lanes[RULE_ROLES];
  uint64_t cut_card, cut_lanes;
  test_game_open(&book, sum->game, true);
  CHECK(settings_parse(&settings, sum->agent, &error));
  Game *game = book_game(&book.rules);
  const uint64_t *start;
  uint32_t words = game_state(game, &start);
  uint64_t *states = memory_new((size_t)STARTS * words * sizeof *states);
  for (uint32_t i = 0; i < STARTS; i++)
    memcpy(states + (size_t)i * words, start, words * sizeof *states);
  play_on_card(&book.rules, &settings, sum->single, states, card, &cut_card);
  play_in_lanes(&book.rules, &settings, states, lanes, &cut_lanes);
  double range = settings.returns == RETURNS_DIFFERENCE ? 200 : 100;
  for (uint32_t role = 0; role < book.rules.net.role_count; role++) {
    if (fabs(card[role] - lanes[role]) > tolerance(range))
      fprintf(stderr, "%s %s: role %u has %g on the card, %g in lanes\n",
              sum->game, sum->agent, role, card[role], lanes[role]);
    CHECK(fabs(card[role] - lanes[role]) <= tolerance(range));
  }
  double share = ((double)cut_card - (double)cut_lanes) / PLAYOUTS;
  CHECK(fabs(share) <= tolerance(1));
  if (settings.steps < 10) CHECK(cut_card > PLAYOUTS / 4);
  memory_delete(states);
  game_delete(game);
  test_game_close(&book);
}

#define UNIFORM "tafl:playout=uniform,decisive=none,capture=0"

/* Returns of playouts on the card are those of lanes: with discounts, with
   every kind of return, where playouts are cut off, with one role and two. */
static void test_sums(void **state) {
  (void)state;
  static const SumCase cases[] = {
      {"ticTacToe", UNIFORM ",returns=own,gamma=0.9", true},
      {"ticTacToe", UNIFORM ",returns=own,gamma=0.9", false},
      {"ticTacToe", UNIFORM ",returns=mixed,envy=0.4,gamma=0.8,steps=7,cut=80",
       true},
      {"ticTacToe", UNIFORM ",returns=scaled,gamma=0.8,steps=6,cut=90", false},
      {"ticTacToe", UNIFORM ",returns=difference,gamma=0.95", false},
      {"lightsOut", UNIFORM ",gamma=0.98,steps=8", true}};
  for (size_t i = 0; i < LENGTH(cases); i++)
    card_child(compare_sums, &cases[i], "");
}

/* ---- thinking ---- */

/* Thinks until the card has made so many simulations. */
static void think_on_card(Search *search, uint64_t simulations) {
  double until = clock_now() + 100;
  uint64_t made = 0;
  while (made < simulations) {
    search_think(search, &(Budget){.seconds = 0.3});
    const SearchReport *report = search_report(search);
    CHECK(!report->card);
    CHECK(report->offloaded <= report->simulations);
    CHECK(search->at_play == 0);
    search_check(search);
    made += report->offloaded;
    CHECK(clock_now() < until);
  }
}

static double value_of(Search *search) {
  return search_report(search)->values[0];
}

static void join_results(const void *context) {
  const char *agent = context;
  TestGame book;
  Text plain = {0};
  test_game_open(&book, "ticTacToe", true);
  text_format(&plain, "%s,gpu=0", agent);
  Search *search = test_game_search(&book, 0, agent, 1);
  Search *other = test_game_search(&book, 0, text_string(&plain), 1);
  think_on_card(search, 4000);
  /* as many leaves, each of which has four playouts in lanes */
  uint64_t visits = tree_node(search->tree, search->root)->visits;
  search_think(other, &(Budget){.simulations = 4 * visits});
  CHECK(search_report(other)->offloaded == 0 && !search_report(other)->card);
  CHECK(fabs(value_of(search) - value_of(other)) < 5);
  /* what was under way at another state is dropped */
  Move joint[] = {search_best(search), search_favourite(search, 1)};
  search_advance(search, joint);
  think_on_card(search, 1000);
  search_delete(search);
  search_delete(other);
  text_free(&plain);
  test_game_close(&book);
}

static void test_join(void **state) {
  (void)state;
  static const char *const agents[] = {
      CARD_AGENT, CARD_AGENT ",threads=3,gpuleaves=32",
      CARD_AGENT ",playout=uniform,gpurepeat=40",
      CARD_AGENT ",lanes=64,gpuleaves=5", CARD_AGENT ",gpuplayout=uniform"};
  for (size_t i = 0; i < LENGTH(agents); i++)
    card_child(join_results, agents[i], "");
  card_child(join_results, CARD_AGENT, "TAFL_CARD_LATE=0");
}

/* ---- a tree of the card's own ---- */

static uint64_t visits_of(Search *search) {
  const SearchReport *report = search_report(search);
  uint64_t visits = 0;
  for (uint32_t i = 0; i < report->moves.count; i++)
    visits += (uint64_t)report->moves.data[i].visits;
  return visits;
}

/* Thinks until the card has told of its root, and has made so many playouts
   there; a small tree may be whole before. */
static void grow_on_card(Search *search, uint64_t playouts) {
  double until = clock_now() + 100;
  for (bool told = false; !told;) {
    search_think(search, &(Budget){.seconds = 0.3});
    const SearchReport *report = search_report(search);
    CHECK(!report->card && !report->offloaded);
    search_check(search);
    told = report->allied >= playouts &&
           visits_of(search) > tree_node(search->tree, search->root)->visits;
    CHECK(clock_now() < until);
  }
}

/* What the card found counts as visits of the root's moves, with the values
   that the search has found there too. */
static void tell_root(const void *context) {
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  Search *search = test_game_search(&book, 0, context, 1);
  for (int step = 0; step < 3; step++) {
    grow_on_card(search, step ? 0 : 1000);
    const SearchReport *report = search_report(search);
    for (uint32_t i = 0; i < report->moves.count; i++) {
      const Action *action =
          node_all(search->tree, tree_node(search->tree, search->root));
      while (action->move != report->moves.data[i].move) action++;
      double mean = action->total / action->visits;
      CHECK(fabs(report->moves.data[i].value - mean) < 25);
    }
    for (int i = 0; i < 2; i++) {
      Move joint[] = {search_favourite(search, 0), search_favourite(search, 1)};
      search_advance(search, joint);
    }
  }
  search_delete(search);
  test_game_close(&book);
}

static void test_tree(void **state) {
  (void)state;
  card_child(tell_root, CARD_TREE, "");
  card_child(tell_root, CARD_TREE ",threads=3", "");
  card_child(tell_root, CARD_TREE ",gpuplayout=uniform", "TAFL_CARD_LATE=0");
}

/* Thinking that is limited in simulations or states is the same with and
   without the card, which is ready. */
static void count_alike(const void *context) {
  const char *agent = context;
  TestGame book;
  Text plain = {0};
  text_format(&plain, "%s,gpu=0", agent);
  test_game_open(&book, "ticTacToe", true);
  Search *ready = test_game_search(&book, 0, CARD_AGENT, 2);
  think_on_card(ready, 1000);
  for (int i = 0; i < 2; i++) {
    Budget budget = i ? (Budget){.states = 30000}
                      : (Budget){.simulations = 5000, .seconds = 100};
    Search *with = test_game_search(&book, 0, agent, 3);
    Search *without = test_game_search(&book, 0, text_string(&plain), 3);
    search_think(with, &budget);
    search_think(without, &budget);
    const SearchReport *a = search_report(with), *b = search_report(without);
    CHECK(a->offloaded == 0 && a->simulations == b->simulations);
    CHECK(a->allied == 0);
    CHECK(a->moves.count == b->moves.count);
    for (uint32_t k = 0; k < a->moves.count; k++)
      CHECK(a->moves.data[k].visits == b->moves.data[k].visits);
    search_delete(with);
    search_delete(without);
  }
  search_think(ready, &(Budget){.simulations = 5000});
  CHECK(search_report(ready)->offloaded == 0);
  think_on_card(ready, 100);
  search_delete(ready);
  text_free(&plain);
  test_game_close(&book);
}

static void test_counted(void **state) {
  (void)state;
  card_child(count_alike, CARD_AGENT, "");
  card_child(count_alike, CARD_TREE, "");
}

/* Settings for which the card cannot be used say so. */
static void name_obstacle(const void *context) {
  const char *const *words = context;
  TestGame book;
  test_game_open(&book, "ticTacToe", true);
  Search *search = test_game_search(&book, 0, words[0], 1);
  search_think(search, &(Budget){.seconds = 0.2});
  const SearchReport *report = search_report(search);
  CHECK(report->simulations > 0 && report->offloaded == 0);
  CHECK(report->card && strstr(report->card, words[1]));
  search_delete(search);
  test_game_close(&book);
}

static void test_obstacles(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {CARD_AGENT ",rave=500", "RAVE"},
      {CARD_AGENT ",final=maximum", "highest"},
      {CARD_AGENT ",gamma=0", "gamma"},
      {CARD_TREE ",rave=500", "RAVE"},
      {CARD_TREE ",final=maximum", "highest"}};
  for (size_t i = 0; i < LENGTH(cases); i++)
    card_child(name_obstacle, cases[i], "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sums), cmocka_unit_test(test_join),
      cmocka_unit_test(test_tree), cmocka_unit_test(test_counted),
      cmocka_unit_test(test_obstacles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
