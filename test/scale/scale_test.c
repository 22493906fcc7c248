/* The model of scaling: its simulations are sound queues, agree with the
   formulas of docs/cluster.md where both hold, lose nothing on the way, and
   depend on their seed alone. */
#include <math.h>

#include "scale/bounds.h"
#include "scale/gains.h"
#include "scale/moments.h"
#include "scale/outlook.h"
#include "scale/station.h"
#include "scale/variate.h"
#include "support/unit.h"

static void assert_near(double found, double expected, double share) {
  if (fabs(found - expected) > share * fabs(expected))
    fail_msg("%g is not within %g %% of %g", found, 100 * share, expected);
}

static void assert_between(double found, double low, double high) {
  if (!(found >= low && found <= high))
    fail_msg("%g is not between %g and %g", found, low, high);
}

/* ---- the parts ---- */

static void test_moments_come_in_order(void **state) {
  (void)state;
  enum { COUNT = 5000 };
  Moments moments = {0};
  Random random;
  Event event, before = {.time = -1};
  random_seed(&random, 7);
  for (uint32_t i = 0; i < COUNT; i++)
    moments_add(&moments, random_below(&random, 100), 0, i);
  for (uint32_t i = 0; i < COUNT; i++) {
    assert_true(moments_take(&moments, &event));
    assert_true(event.time > before.time ||
                (event.time == before.time && event.item > before.item));
    before = event;
  }
  assert_false(moments_take(&moments, &event));
  moments_free(&moments);
}

static void test_variates_have_their_moments(void **state) {
  (void)state;
  enum { COUNT = 200000 };
  Random random;
  double sum = 0, squares = 0, waits = 0;
  random_seed(&random, 3);
  for (uint32_t i = 0; i < COUNT; i++) {
    double value = variate_around(&random, 5, 0.4);
    sum += value / COUNT;
    squares += value * value / COUNT;
    waits += variate_exponential(&random, 2) / COUNT;
  }
  assert_near(sum, 5, 0.01);
  assert_near(sqrt(squares - sum * sum) / sum, 0.4, 0.03);
  assert_near(waits, 2, 0.01);
  assert_true(variate_around(&random, 5, 0) == 5);
}

/* Arrivals at random, service of fixed length: M/D/1. */
static void test_station_waits_like_md1(void **state) {
  (void)state;
  static const double loads[] = {0.2, 0.5, 0.8, 0.9};
  for (size_t i = 0; i < LENGTH(loads); i++) {
    Station station = {0};
    Random random;
    double now = 0;
    random_seed(&random, 11);
    for (uint32_t k = 0; k < 1000000; k++) {
      now += variate_exponential(&random, 1 / loads[i]);
      station_serve(&station, now, 1);
    }
    assert_near(station.waits / (double)station.served,
                bounds_wait(loads[i], 1), 0.05);
  }
  assert_true(isinf(bounds_wait(1, 1)));
}

static void test_lock_costs_more_from_another(void **state) {
  (void)state;
  Station lock = {.owner = 1};
  assert_near(station_lock(&lock, 0, 1, 1, 10), 1, 1e-12);
  assert_near(station_lock(&lock, 0, 2, 1, 10), 12, 1e-12);
  assert_near(station_lock(&lock, 20, 2, 1, 10), 21, 1e-12);
}

/* ---- threads ---- */

static CrowdPlan quiet_crowd(uint32_t threads) {
  return (CrowdPlan){.threads = threads,
                     .descend = 2e-6,
                     .expand = 1e-6,
                     .backup = 1e-6,
                     .playout = 12e-6,
                     .held = 1,
                     .taught = 0.5,
                     .chunk = 1000000,
                     .depth = 8,
                     .best = 0.3,
                     .line = 0.5,
                     .lessons = 6,
                     .width = 16,
                     .rate = 1e12,
                     .leaves = 32,
                     .row = 1,
                     .turn = 1,
                     .seconds = 0.02,
                     .seed = 5};
}

static void test_threads_that_never_meet_are_linear(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 64; threads *= 4) {
    CrowdPlan plan = quiet_crowd(threads);
    plan.held = plan.taught = 0;
    assert_near(crowding_run(&plan).rate, threads / 16e-6, 0.02);
    assert_near(bounds_threads(&plan).rate, threads / 16e-6, 1e-9);
  }
}

/* Below saturation linear, above it the lock's own pace; in between no worse
   than with exponential times (mean value analysis), and no better than the
   asymptotes. */
static void test_one_lock_is_a_repairman(void **state) {
  (void)state;
  double service = 2e-6 + 0.5e-6 + 1e-6, away = 12.5e-6;
  for (uint32_t threads = 1; threads <= 64; threads *= 2) {
    CrowdPlan plan = quiet_crowd(threads);
    plan.one_lock = true;
    plan.seconds = 0.1;
    double rate = crowding_run(&plan).rate;
    assert_between(rate, 0.97 * bounds_repairman(threads, away, service),
                   1.02 * bounds_threads(&plan).rate);
  }
  assert_near(bounds_repairman(1, away, service), 1 / (away + service), 1e-9);
  assert_near(bounds_repairman(200, away, service), 1 / service, 1e-6);
}

/* A tree that is its root alone is one short lock, taken for each leaf going
   down and once a round going up. */
static void test_root_limits_threads(void **state) {
  (void)state;
  CrowdPlan plan = quiet_crowd(64);
  plan.depth = 1;
  plan.lock = 20e-9;
  plan.transfer = 200e-9;
  plan.seconds = 0.5; /* many rounds of all */
  assert_string_equal(bounds_threads(&plan).where, "root");
  CrowdResult result = crowding_run(&plan);
  assert_near(result.rate, bounds_threads(&plan).rate, 0.05);
  assert_near(result.root, 1, 0.02);
  assert_true(result.waiting > 0.5);
  plan.row = 8; /* fewer hand-overs */
  double rows = crowding_run(&plan).rate;
  assert_near(rows, bounds_threads(&plan).rate, 0.05);
  assert_true(rows > 1.02 * result.rate);
  plan.transfer = 2e-6; /* for each row, and once a round for lessons */
  double many = crowding_run(&plan).rate;
  assert_near(many, bounds_threads(&plan).rate, 0.05);
  plan.leaves = 8;
  assert_near(crowding_run(&plan).rate, bounds_threads(&plan).rate, 0.05);
  assert_true(crowding_run(&plan).rate < 0.95 * many);
}

/* Where all follow one line, its second node is asked for by each leaf. */
static void test_main_line_limits_threads(void **state) {
  (void)state;
  CrowdPlan plan = quiet_crowd(64);
  plan.best = 1;
  plan.line = 7;
  plan.row = 32;
  plan.transfer = 100e-9;
  plan.seconds = 0.1;
  assert_near(crowding_stay(&plan, 1), 6.0 / 7, 1e-9);
  assert_int_equal(crowding_levels(&plan), 8);
  Bound bound = bounds_threads(&plan);
  assert_string_equal(bound.where, "main line");
  assert_near(bounds_saturation(&plan),
              bounds_leaf_time(&plan) / bounds_hold(&plan, 1), 1e-9);
  assert_true(bounds_hold(&plan, 1) > bounds_hold(&plan, 0));
  assert_true(bounds_hold(&plan, 1) > bounds_hold(&plan, 2));
  assert_between(crowding_run(&plan).rate, 0.95 * bounds_threads_least(&plan),
                 1.02 * bound.rate);
  plan.turn = 8;
  assert_between(crowding_run(&plan).rate, 0.95 * bounds_threads_least(&plan),
                 1.02 * bounds_threads(&plan).rate);
  assert_true(bounds_threads(&plan).rate > 1.1 * bound.rate);
  /* What a descent leaves soon does not matter. */
  plan.best = 0.05;
  plan.line = 0.05;
  assert_string_equal(bounds_threads(&plan).where, "root");
}

static void test_memory_desk_and_clearing_limit_threads(void **state) {
  (void)state;
  CrowdPlan plan = quiet_crowd(32);
  plan.held = plan.taught = 0;
  plan.bytes = 1000;
  plan.rate = 5e8;
  assert_string_equal(bounds_threads(&plan).where, "memory");
  assert_near(crowding_run(&plan).rate, 5e5, 0.03);
  plan = quiet_crowd(32);
  plan.held = plan.taught = 0;
  plan.desk = 32e-6;
  assert_string_equal(bounds_threads(&plan).where, "desk");
  assert_near(crowding_run(&plan).rate, 1e6, 0.03);
  plan.desk = 0;
  double before = crowding_run(&plan).rate;
  plan.clear_every = 1e-3;
  plan.clear = 1e-3;
  assert_between(crowding_run(&plan).rate, 0.3 * before, 0.7 * before);
}

static void test_threads_lose_no_leaf(void **state) {
  (void)state;
  CrowdPlan plan = quiet_crowd(16);
  plan.transfer = 100e-9;
  plan.clear_every = 1e-3;
  plan.clear = 1e-5;
  CrowdResult result = crowding_run(&plan), again = crowding_run(&plan);
  assert_int_equal(result.begun, result.done + result.under_way);
  assert_true(result.under_way <= (uint64_t)plan.threads * plan.leaves);
  assert_memory_equal(&result, &again, sizeof result);
  plan.seed++;
  assert_true(crowding_run(&plan).rate != result.rate);
}

/* ---- leaf ---- */

static LeafPlan quiet_leaf(uint32_t threads) {
  return (LeafPlan){.threads = threads,
                    .stock = 3,
                    .most = 1 << 20,
                    .leaves = 50,
                    .repeat = 4,
                    .make = 1e-7,
                    .back = 1e-7,
                    .playout = 10e-6,
                    .slow_factor = 1,
                    .rate = 1e12,
                    .seconds = 1,
                    .seed = 5};
}

static void assert_leaf(const LeafPlan *plan, const char *where, double share) {
  Bound bound = bounds_leaf(plan);
  LeafResult result = leafwork_run(plan);
  assert_string_equal(bound.where, where);
  assert_near(result.rate, bound.rate, share);
  assert_int_equal(result.sent, result.returned + result.open);
  /* Little: what is under way is the rate times the time it takes. */
  assert_near(result.under_way, result.rate * result.turnaround, 0.35);
}

static void test_leaf_scheme_meets_its_bounds(void **state) {
  (void)state;
  LeafPlan plan = quiet_leaf(32);
  assert_leaf(&plan, "ranks", 0.03);
  plan.latency = 1e-3; /* hidden by the pieces under way */
  assert_leaf(&plan, "ranks", 0.03);
  plan = quiet_leaf(256);
  plan.make = plan.back = 2e-6;
  assert_leaf(&plan, "courier", 0.03);
  plan = quiet_leaf(256);
  plan.relay = 20e-6;
  assert_leaf(&plan, "foreman", 0.03);
  plan = quiet_leaf(256);
  plan.piece_leaf = 1000;
  plan.rate = 1e9;
  assert_leaf(&plan, "wire", 0.03);
  plan = quiet_leaf(64);
  plan.most = 500;
  assert_leaf(&plan, "leaves under way", 0.05);
}

static void test_latency_shows_when_little_is_under_way(void **state) {
  (void)state;
  LeafPlan plan = quiet_leaf(8);
  plan.stock = 1;
  plan.latency = 1e-3; /* four ways of it for each piece of 2 ms */
  assert_leaf(&plan, "ranks", 0.05);
  assert_near(leafwork_run(&plan).ranks, 1.0 / 3, 0.05);
}

static void test_slow_hosts_cost_their_share(void **state) {
  (void)state;
  LeafPlan plan = quiet_leaf(32);
  double before = leafwork_run(&plan).rate;
  plan.slow_share = 0.5;
  plan.slow_factor = 3;
  /* Whoever is faster gets more: 1/2 + 1/2 · 1/3 of the work. */
  assert_between(leafwork_run(&plan).rate, 0.60 * before, 0.70 * before);
}

static void test_leaf_scheme_depends_on_the_seed_alone(void **state) {
  (void)state;
  LeafPlan plan = quiet_leaf(16);
  plan.spread = 0.3;
  LeafResult one = leafwork_run(&plan), same = leafwork_run(&plan);
  assert_memory_equal(&one, &same, sizeof one);
  plan.seed++;
  assert_true(leafwork_run(&plan).turnaround != one.turnaround);
}

/* ---- root ---- */

static RootPlan quiet_root(uint32_t ranks) {
  return (RootPlan){.ranks = ranks,
                    .interval = 0.1,
                    .telling = 0.05,
                    .rate = 1e6,
                    .message = 10e-6,
                    .report = 10e-6,
                    .sum = 1e-7,
                    .bytes = 500,
                    .latency = 20e-6,
                    .speed = 1e9,
                    .seconds = 10,
                    .seed = 5};
}

static void test_root_schemes_meet_their_bounds(void **state) {
  (void)state;
  for (int back = 0; back < 2; back++)
    for (uint32_t ranks = 4; ranks <= 1024; ranks *= 4) {
      RootPlan plan = quiet_root(ranks);
      plan.back = back;
      RootResult result = rootwork_run(&plan);
      assert_int_equal(result.sent, result.taken + result.open);
      assert_near(result.rate, ranks * 1e6, 1e-6);
      assert_near(result.foreman, bounds_foreman(&plan), 0.03);
      assert_near(result.age, bounds_age(&plan), 0.12);
    }
}

static void test_foreman_falls_behind_beyond_its_ranks(void **state) {
  (void)state;
  RootPlan plan = quiet_root(1);
  plan.back = true;
  double most = bounds_root_ranks(&plan);
  plan.ranks = (uint32_t)(0.8 * most);
  assert_near(rootwork_run(&plan).foreman, 0.8, 0.05);
  assert_true(rootwork_run(&plan).age < 0.2);
  plan.ranks = (uint32_t)(1.5 * most);
  assert_true(rootwork_run(&plan).age > 0.5);
}

/* ---- strength ---- */

/* A match of a million games with this lead. */
static void add_match(Text *text, const char *series, double elo) {
  double games = 1e6, wins = round(games / (1 + pow(10, -elo / 400)));
  text_format(text, "%s nim %.0f %.0f 0 %.0f\n", series, games, wins,
              games - wins);
}

static void test_fit_finds_what_is_there(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  Matches matches = {0};
  text_add(&text, "# made up\n");
  add_match(&text, "double-2048", 80);
  add_match(&text, "double-8192", 80);
  add_match(&text, "times-16", 80 * 4);
  add_match(&text, "repeat-16", 80 * 0.4 * 2);
  add_match(&text, "repeat-64", 80 * 0.4 * 4);
  add_match(&text, "stale-1024", -80 * 1.5 * (1024 - 64) / 2048.0);
  add_match(&text, "more-4", 80 * 0.7 * 2);
  add_match(&text, "root-16", 80 * (0.7 - 1) * 4);
  add_match(&text, "runs-16", 80 * (0.9 - 1) * 4);
  assert_true(gains_parse(&matches, text_string(&text), &error));
  Gains gains = gains_fit(&matches);
  assert_near(gains.doubling.value, 80, 0.01);
  assert_near(gains.repeat.value, 0.4, 0.01);
  assert_near(gains.stale.value, 1.5, 0.01);
  assert_near(gains.root.value, 0.7, 0.01);
  assert_near(gains.runs.value, 0.9, 0.01);
  assert_true(gains.runs.half > 0 && gains.runs.half < 0.02);
  gains_free(&matches);
  text_free(&text);
}

/* What no match says anything of is not known. */
static void test_fit_of_few_matches(void **state) {
  (void)state;
  Text text = {0}, error = {0};
  Matches matches = {0};
  assert_true(isinf(gains_fit(&matches).doubling.half));
  add_match(&text, "times-16", 200);
  assert_true(gains_parse(&matches, text_string(&text), &error));
  Gains gains = gains_fit(&matches);
  assert_near(gains.doubling.value, 50, 0.01);
  assert_true(isinf(gains.root.half) && isinf(gains.stale.half));
  gains_free(&matches);
  text_free(&text);
}

static void test_interval_covers_the_truth(void **state) {
  (void)state;
  enum { ROUNDS = 2000, GAMES = 100 };
  Random random;
  uint32_t covered = 0;
  double elo = 60, chance = 1 / (1 + pow(10, -elo / 400));
  random_seed(&random, 9);
  for (uint32_t i = 0; i < ROUNDS; i++) {
    Match match = {.games = GAMES};
    for (uint32_t k = 0; k < GAMES; k++)
      match.wins += variate_unit(&random) < chance;
    match.losses = GAMES - match.wins;
    Gain found = gains_elo(&match);
    covered += fabs(found.value - elo) <= found.half;
  }
  assert_between((double)covered / ROUNDS, 0.93, 0.975);
}

static void test_bad_series_are_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"double-2048 nim 10 5 0\n",
                                    "double-2048 nim 10 5 0 4\n",
                                    "double-2048 nim x 5 0 5\n"};
  for (size_t i = 0; i < LENGTH(bad); i++) {
    Matches matches = {0};
    Text error = {0};
    assert_false(gains_parse(&matches, bad[i], &error));
    assert_non_null(strstr(text_string(&error), "line 1"));
    gains_free(&matches);
    text_free(&error);
  }
}

/* ---- files ---- */

static void assert_refused(const char *text, const char *why) {
  Costs costs;
  Text error = {0};
  assert_false(costs_parse(&costs, text, &error));
  if (!strstr(text_string(&error), why))
    fail_msg("\"%s\" does not say \"%s\"", text_string(&error), why);
  costs_free(&costs);
  text_free(&error);
}

static void test_bad_costs_are_refused(void **state) {
  (void)state;
  assert_refused("", "must be a machine");
  assert_refused("lock 1 ns: x\n", "line 1: before any section");
  assert_refused("machine a\n lock 1 us: x\n", "line 2: another unit");
  assert_refused("machine a\n lock 1 ns:\n", "line 2: no command");
  assert_refused("machine a\n lock -1 ns: x\n", "not a sensible number");
  assert_refused("machine a\n lack 1 ns: x\n", "no such cost: lack");
  assert_refused("machine a\n lock ns: x\n", "not \"name number unit");
  assert_refused("machine a\nmachine b\n", "the machine has no lock");
  assert_refused("machine a\n lock 1 ns: x\n", "the machine has no line");
  assert_refused("game\n", "without a name");
}

static void read_file(const char *path, Text *text) {
  Text error = {0};
  if (!text_read_file(text, path, 1 << 20, &error))
    fail_msg("%s", text_string(&error));
}

static void test_costs_survive_writing(void **state) {
  (void)state;
  Costs costs, again;
  Text text = {0}, error = {0};
  read_file("docs/cluster-costs.txt", &text);
  if (!costs_parse(&costs, text_string(&text), &error))
    fail_msg("%s", text_string(&error));
  text_clear(&text);
  costs_write_machine(&costs.machine, costs.machine_name, "x", &text);
  text_add(&text, "network none\n latency 1 us: x\n rate 1 GB/s: x\n");
  for (uint32_t i = 0; i < costs.games.count; i++)
    costs_write_game(&costs.games.data[i], "x", &text);
  if (!costs_parse(&again, text_string(&text), &error))
    fail_msg("%s", text_string(&error));
  assert_int_equal(again.games.count, costs.games.count);
  assert_near(again.machine.lock, costs.machine.lock, 0.01);
  assert_near(again.machine.copy, costs.machine.copy, 0.01);
  assert_near(again.games.data[0].best, costs.games.data[0].best, 0.01);
  assert_string_equal(again.games.data[0].name, costs.games.data[0].name);
  costs_free(&costs);
  costs_free(&again);
  text_free(&text);
}

/* With the costs of docs/cluster-costs.txt: what docs/cluster.md says of the
   simulations and the formulas holds for every game. */
static void test_measured_costs_agree(void **state) {
  (void)state;
  Costs costs;
  Text text = {0}, error = {0};
  read_file("docs/cluster-costs.txt", &text);
  assert_true(costs_parse(&costs, text_string(&text), &error));
  for (uint32_t i = 0; i < costs.games.count; i++) {
    const GameCosts *game = &costs.games.data[i];
    OutlookCrowds crowds = outlook_crowds(&costs, game);
    assert_between(crowds.fine[OUTLOOK_CROWDS - 1], 0.97 * crowds.least,
                   1.05 * crowds.bound.rate);
    assert_true(crowds.fine[OUTLOOK_CROWDS - 1] >
                crowds.one[OUTLOOK_CROWDS - 1]);
    OutlookLeaf leaf = outlook_leaf(&costs, game);
    for (uint32_t k = 0; k < OUTLOOK_REPEATS; k++)
      assert_between(leaf.results[k][OUTLOOK_POWERS - 1].rate,
                     0.7 * leaf.bounds[k].rate, 1.05 * leaf.bounds[k].rate);
    OutlookRoot root = outlook_root(&costs, game);
    for (int back = 0; back < 2; back++)
      assert_near(root.results[back][8].rate, 256 * root.results[back][0].rate,
                  0.02);
  }
  costs_free(&costs);
  text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_moments_come_in_order),
      cmocka_unit_test(test_variates_have_their_moments),
      cmocka_unit_test(test_station_waits_like_md1),
      cmocka_unit_test(test_lock_costs_more_from_another),
      cmocka_unit_test(test_threads_that_never_meet_are_linear),
      cmocka_unit_test(test_one_lock_is_a_repairman),
      cmocka_unit_test(test_root_limits_threads),
      cmocka_unit_test(test_main_line_limits_threads),
      cmocka_unit_test(test_memory_desk_and_clearing_limit_threads),
      cmocka_unit_test(test_threads_lose_no_leaf),
      cmocka_unit_test(test_leaf_scheme_meets_its_bounds),
      cmocka_unit_test(test_latency_shows_when_little_is_under_way),
      cmocka_unit_test(test_slow_hosts_cost_their_share),
      cmocka_unit_test(test_leaf_scheme_depends_on_the_seed_alone),
      cmocka_unit_test(test_root_schemes_meet_their_bounds),
      cmocka_unit_test(test_foreman_falls_behind_beyond_its_ranks),
      cmocka_unit_test(test_fit_finds_what_is_there),
      cmocka_unit_test(test_fit_of_few_matches),
      cmocka_unit_test(test_interval_covers_the_truth),
      cmocka_unit_test(test_bad_series_are_refused),
      cmocka_unit_test(test_bad_costs_are_refused),
      cmocka_unit_test(test_costs_survive_writing),
      cmocka_unit_test(test_measured_costs_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
