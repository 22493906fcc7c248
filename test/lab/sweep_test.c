/* Sweeps: what --vary means, the points and series of it, errors that name the
   setting, and judgements against figures worked out by hand. */
#include "lab/sweep.h"

#include <math.h>

#include "io/json.h"
#include "support/unit.h"

static void make(Sweep *sweep, const char *agent, const char *against,
                 const char *vary) {
  Text error = {0};
  if (!sweep_init(sweep, agent, against, vary, &error))
    fail_msg("%s", text_string(&error));
  text_free(&error);
}

static void assert_wrong(const char *agent, const char *against,
                         const char *vary, const char *expected) {
  Sweep sweep;
  Text error = {0};
  assert_false(sweep_init(&sweep, agent, against, vary, &error));
  assert_string_equal(text_string(&error), expected);
  text_free(&error);
}

static void assert_point(const Sweep *sweep, uint32_t point, const char *name,
                         const char *agent) {
  Text text = {0};
  sweep_name(sweep, point, &text);
  assert_string_equal(text_string(&text), name);
  assert_string_equal(sweep->points.data[point].spec.text, agent);
  text_free(&text);
}

static void test_one_setting(void **state) {
  (void)state;
  Sweep sweep;
  make(&sweep, "cadia2010", "cadia2007", "c=10,40,80.5");
  assert_int_equal(sweep.points.count, 3);
  assert_int_equal(sweep.grid, 3);
  assert_int_equal(sweep.usual, 1);
  assert_point(&sweep, 0, "c=10", "cadia2010:c=10");
  assert_point(&sweep, 1, "c=40", "cadia2010"); /* as it is */
  assert_point(&sweep, 2, "c=80.5", "cadia2010:c=80.5");
  for (int i = 0; i < 3; i++) assert_false(sweep.points.data[i].twin);
  double values[3];
  assert_true(sweep_numbers(&sweep, 0, values));
  assert_true(values[0] == 10 && values[1] == 40 && values[2] == 80.5);
  sweep_free(&sweep);
}

/* The agent as it is comes last if it was not asked for. */
static void test_usual_is_added(void **state) {
  (void)state;
  Sweep sweep;
  make(&sweep, "cadia2010:gamma=1", "", "c=10,20,rave=0,100");
  assert_int_equal(sweep.axis_count, 2);
  assert_int_equal(sweep.grid, 4);
  assert_int_equal(sweep.points.count, 5);
  assert_int_equal(sweep.usual, 4);
  assert_point(&sweep, 1, "c=10, rave=100", "cadia2010:gamma=1,c=10,rave=100");
  assert_point(&sweep, 2, "c=20, rave=0", "cadia2010:gamma=1,c=20,rave=0");
  assert_point(&sweep, 4, "c=40, rave=500", "cadia2010:gamma=1");
  assert_true(sweep.points.data[4].twin);
  assert_false(sweep.points.data[0].twin);
  Text text = {0};
  sweep_value(&sweep, 4, 1, &text);
  assert_string_equal(text_string(&text), "500");
  text_free(&text);
  sweep_free(&sweep);
}

static void test_words(void **state) {
  (void)state;
  Sweep sweep;
  double values[4];
  make(&sweep, "tafl1", "random", "final=visits,lower");
  assert_int_equal(sweep.points.count, 3);
  assert_point(&sweep, 2, "final=value", "tafl1");
  assert_false(sweep_numbers(&sweep, 0, values));
  sweep_free(&sweep);
}

static void test_errors(void **state) {
  (void)state;
  assert_wrong("cadia2010", "", "c=10,x",
               "c takes a number from 0 to 10000, not 'x'");
  assert_wrong("cadia2010", "", "c=10,20000",
               "c takes a number from 0 to 10000, not '20000'");
  assert_wrong("cadia2010", "",
               "c=", "c takes a number from 0 to 10000, not ''");
  assert_wrong("cadia2010", "", "rave=1.5",
               "rave takes a whole number from 0 to 1000000, not '1.5'");
  assert_wrong("cadia2010", "", "tree=oak",
               "tree takes none|keep|forget, not 'oak'");
  assert_wrong("cadia2010", "", "lamda=1",
               "no setting 'lamda'; did you mean lambda?");
  assert_wrong("cadia2010", "", "10,20",
               "expected SETTING=VALUE,VALUE,... and not '10,20'");
  assert_wrong("cadia2010", "", "",
               "expected SETTING=VALUE,VALUE,... and not ''");
  assert_wrong("cadia2010", "", "c=1,2,c=3", "c is there twice");
  assert_wrong("cadia2010", "", "c=1,rave=2,tau=3",
               "at most 2 settings can vary, tau is one more");
  assert_wrong("cadia2010", "", "c=10,10.0",
               "cadia2010:c=10 and cadia2010:c=10.0 are the same agent");
  assert_wrong("random", "", "c=1", "random has no settings");
  assert_wrong("cadia2010", "human", "c=1",
               "human cannot play here, only agents of this program can");
}

static void test_plan(void **state) {
  (void)state;
  Sweep sweep;
  SeriesVector list = {0};
  make(&sweep, "cadia2010", "", "c=10,40");
  sweep_add_game(&sweep, "connectFour", 2);
  sweep_add_game(&sweep, "hanoi", 1);
  sweep.common.games = 7;
  sweep.common.unit = UNIT_STATES;
  sweep.common.play = 300;
  sweep_plan(&sweep, &list);
  /* the twin does not play against itself, but it plays the puzzle */
  static const struct {
    const char *game, *agent;
    uint32_t players;
  } expected[] = {{"connectFour", "cadia2010:c=10", 2},
                  {"hanoi", "cadia2010:c=10", 1},
                  {"hanoi", "cadia2010", 1}};
  assert_int_equal(list.count, LENGTH(expected));
  for (uint32_t i = 0; i < list.count; i++) {
    const Series *series = &list.data[i];
    assert_string_equal(text_string(&series->game), expected[i].game);
    assert_int_equal(series->players.count, expected[i].players);
    assert_string_equal(text_string(&series->players.data[0]),
                        expected[i].agent);
    assert_int_equal(series->games, 7);
    assert_true(series->unit == UNIT_STATES && series->play == 300);
  }
  assert_string_equal(text_string(&list.data[0].players.data[1]), "cadia2010");
  series_vector_free(&list);
  sweep_free(&sweep);
}

/* Sweeps that are told apart have other specifications, and only those. */
static void test_specification(void **state) {
  (void)state;
  static const char *const varied[] = {"c=10,20", "c=10,30", "tau=10,20"};
  Text texts[LENGTH(varied) + 2] = {{0}};
  for (size_t i = 0; i < LENGTH(texts); i++) {
    Sweep sweep;
    make(&sweep, "cadia2010", "cadia2007", varied[i < 3 ? i : 0]);
    sweep_add_game(&sweep, i == 3 ? "othello" : "chess", 2);
    sweep.common.games = (uint32_t)i + 1; /* may grow: the same experiment */
    json_t *object = sweep_specification(&sweep);
    json_add_text(object, JSON_SORT_KEYS | JSON_COMPACT, &texts[i]);
    json_decref(object);
    sweep_free(&sweep);
  }
  for (size_t i = 0; i < LENGTH(texts); i++)
    for (size_t j = 0; j < i; j++)
      assert_true(!strcmp(text_string(&texts[i]), text_string(&texts[j])) ==
                  (i == 4 && j == 0));
  for (size_t i = 0; i < LENGTH(texts); i++) text_free(&texts[i]);
}

static Tally tally_of(uint64_t wins, uint64_t draws, uint64_t losses) {
  Tally tally = {0};
  for (uint64_t i = 0; i < wins; i++) tally_add(&tally, SCORE_WIN, 100);
  for (uint64_t i = 0; i < draws; i++) tally_add(&tally, SCORE_DRAW, 50);
  for (uint64_t i = 0; i < losses; i++) tally_add(&tally, SCORE_LOSS, 0);
  return tally;
}

/* Means over two games, against the agent as it is: the lead is the mean less
   50, and its interval that of the mean. */
static void test_judgement_against_itself(void **state) {
  (void)state;
  Sweep sweep;
  SweepResult result;
  make(&sweep, "cadia2010", "", "c=10,20");
  sweep_add_game(&sweep, "connectFour", 2);
  sweep_add_game(&sweep, "breakthrough", 2);
  Tally tallies[6] = {tally_of(60, 0, 40), tally_of(45, 10, 45),
                      tally_of(80, 0, 20), tally_of(70, 0, 30)};
  sweep_judge(&result, &sweep, tallies);
  assert_true(fabs(result.means[0].value - 55) < 1e-9);
  assert_true(fabs(result.means[1].value - 75) < 1e-9);
  assert_true(result.means[2].value == 50 && result.means[2].half == 0);
  assert_int_equal(result.best, 1);
  double a = estimate_rate(&tallies[2]).half,
         b = estimate_rate(&tallies[3]).half;
  assert_true(fabs(result.means[1].half - hypot(a, b) / 2) < 1e-9);
  assert_true(fabs(result.lead.value - 25) < 1e-9);
  assert_true(fabs(result.lead.half - result.means[1].half) < 1e-9);
  assert_int_equal(result.comparisons, 2);
  assert_true(result.chance < 1e-10);
  sweep_result_free(&result);
  sweep_free(&sweep);
}

/* A lead of 1.96 standard errors has a chance of 5 %, and among four points of
   four times as much. */
static void test_chance(void **state) {
  (void)state;
  for (uint32_t others = 1; others <= 4; others += 3) {
    Sweep sweep;
    SweepResult result;
    make(&sweep, "cadia2010", "random", others == 1 ? "c=80" : "c=80,1,2,3");
    sweep_add_game(&sweep, "connectFour", 2);
    Tally tallies[5];
    for (int i = 0; i < 5; i++) tallies[i] = tally_of(40, 0, 60);
    tallies[0] = tally_of(54, 0, 46);
    sweep_judge(&result, &sweep, tallies);
    double half =
        hypot(estimate_rate(&tallies[0]).half, estimate_rate(&tallies[1]).half);
    double expected = erfc(14 * 1.959964 / half / sqrt(2)) * others;
    assert_int_equal(result.best, 0);
    assert_int_equal(result.comparisons, others);
    assert_true(fabs(result.lead.value - 14) < 1e-9);
    assert_true(fabs(result.lead.half - half) < 1e-9);
    assert_true(half > 13.5 && half < 14.2); /* nearly the whole lead */
    assert_true(fabs(result.chance - expected) < 1e-9);
    assert_true(result.chance > .04 * others && result.chance < .06 * others);
    sweep_result_free(&result);
    sweep_free(&sweep);
  }
}

static void test_the_usual_may_be_the_best(void **state) {
  (void)state;
  Sweep sweep;
  SweepResult result;
  make(&sweep, "cadia2010", "random", "c=10,40");
  sweep_add_game(&sweep, "connectFour", 2);
  Tally tallies[] = {tally_of(40, 0, 60), tally_of(50, 0, 50)};
  sweep_judge(&result, &sweep, tallies);
  assert_int_equal(result.best, 1);
  assert_true(result.lead.value == 0 && isnan(result.chance));
  sweep_result_free(&result);
  sweep_free(&sweep);
}

/* A point that lacks a game has no mean: it could not be compared. */
static void test_missing_games(void **state) {
  (void)state;
  Sweep sweep;
  SweepResult result;
  make(&sweep, "cadia2010", "random", "c=10,40");
  sweep_add_game(&sweep, "connectFour", 2);
  sweep_add_game(&sweep, "hanoi", 1);
  Tally tallies[4] = {tally_of(9, 0, 1)};
  tallies[2] = tally_of(5, 0, 5);
  for (int i = 0; i < 4; i++) tally_add(&tallies[3], SCORE_NONE, 60 + 10 * i);
  sweep_judge(&result, &sweep, tallies);
  assert_true(isnan(result.means[0].value));
  assert_true(fabs(result.means[1].value - (50 + 75) / 2.) < 1e-9);
  assert_int_equal(result.best, 1);
  assert_true(fabs(result.cells[3].score.value - 75) < 1e-9);
  sweep_result_free(&result);
  Tally none[4] = {{0}};
  sweep_judge(&result, &sweep, none);
  assert_true(result.best == UINT32_MAX && isnan(result.chance));
  sweep_result_free(&result);
  sweep_free(&sweep);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_setting),
      cmocka_unit_test(test_usual_is_added),
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_plan),
      cmocka_unit_test(test_specification),
      cmocka_unit_test(test_judgement_against_itself),
      cmocka_unit_test(test_chance),
      cmocka_unit_test(test_the_usual_may_be_the_best),
      cmocka_unit_test(test_missing_games),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
