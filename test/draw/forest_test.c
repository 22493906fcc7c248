/* Forest plots: rows, headings, two series, notes, and any input. */
#include "draw/forest.h"

#include <math.h>

#include "base/random.h"
#include "support/charts.h"
#include "support/markup.h"
#include "support/unit.h"

static const ForestRow rows[] = {
    {.label = "Games for two", .heading = true, .marks = {{9, 9, 9}}},
    {.label = "breakthrough",
     .note = "agrees",
     .marks = {{52, 48, 56}, {55, 51.2, 60}}},
    {.label = "knightthrough",
     .note = "no figure",
     .marks = {{82, 78, INFINITY}, {NAN, NAN, NAN}}}};
static const Forest example = {.title = "FAST against UCT",
                               .x_name = "win rate (%)",
                               .series = {"ours", "paper"},
                               .series_count = 2,
                               .compare = true,
                               .reference = 50,
                               .decimals = 1,
                               .rows = rows,
                               .row_count = LENGTH(rows)};

static uint32_t occurrences(const Text *text, const char *word) {
  uint32_t count = 0;
  for (const char *at = text_string(text); (at = strstr(at, word)); at++)
    count++;
  return count;
}

static void test_says_everything(void **state) {
  (void)state;
  Text out = {0};
  forest_write(&example, &out);
  markup_assert_picture(&out);
  static const char *const said[] = {"FAST against UCT", "Games for two",
                                     "breakthrough",     "52.0 ± 4.0",
                                     "agrees",           "55.0 (51.2 to 60.0)",
                                     "knightthrough",    "ours",
                                     "82.0 (78.0 to ∞)", "paper",
                                     "win rate (%)",     "no figure"};
  for (size_t i = 0; i < LENGTH(said); i++) markup_assert_says(&out, said[i]);
  assert_int_equal(occurrences(&out, "class=\"whisker s0"), 2);
  assert_int_equal(occurrences(&out, "class=\"whisker s1"), 1);
  assert_int_equal(occurrences(&out, "class=\"marker f1"), 1 + 1);
  assert_int_equal(occurrences(&out, "class=\"reference"), 1);
  assert_non_null(
      strstr(text_string(&out), "breakthrough: ours 52.0 ± 4.0; paper 55.0"));
  text_free(&out);
}

/* Whiskers are where the axis says: from 48 to 56 is four times from 50 to
   52. */
static void test_values_stand_where_they_belong(void **state) {
  (void)state;
  Text out = {0};
  forest_write(&example, &out);
  double low, high, dot, line;
  const char *whisker = strstr(text_string(&out), "class=\"whisker s0");
  assert_int_equal(sscanf(whisker, "%*[^M]M%lf %*fL%lf", &low, &high), 2);
  const char *marker = strstr(whisker, "cx=\"");
  assert_int_equal(sscanf(marker, "cx=\"%lf", &dot), 1);
  const char *reference = strstr(text_string(&out), "class=\"reference\"");
  assert_int_equal(sscanf(reference, "class=\"reference\" x1=\"%lf", &line), 1);
  assert_true(fabs((high - low) - 4 * (dot - line)) < .1);
  assert_true(fabs((high + low) / 2 - dot) < .1);
  text_free(&out);
}

static void test_no_data(void **state) {
  (void)state;
  ForestRow empty[] = {{.label = "a", .heading = true},
                       {.label = "b", .marks = {{NAN, 0, 1}}}};
  Forest forests[] = {{.title = "t"}, {.rows = empty, .row_count = 2}};
  for (size_t i = 0; i < LENGTH(forests); i++) {
    Text out = {0};
    forest_write(&forests[i], &out);
    markup_assert_picture(&out);
    markup_assert_says(&out, "There is no data to show.");
    text_free(&out);
  }
}

static void test_any_input(void **state) {
  (void)state;
  Charts charts;
  charts_start(&charts, 4);
  for (int round = 0; round < 300; round++) {
    ForestRow many[40];
    uint32_t count = random_below(&charts.random, 41);
    for (uint32_t r = 0; r < count; r++) {
      many[r] = (ForestRow){.label = charts_label(&charts),
                            .heading = charts_chance(&charts, 6),
                            .note = charts_label(&charts)};
      for (int s = 0; s < FOREST_SERIES; s++)
        many[r].marks[s] =
            (ForestMark){charts_value(&charts), charts_value(&charts),
                         charts_value(&charts)};
    }
    Forest forest = {.title = charts_label(&charts),
                     .x_name = charts_label(&charts),
                     .series_count =
                         random_below(&charts.random, FOREST_SERIES + 2),
                     .high = charts_chance(&charts, 3) ? 100 : 0,
                     .compare = charts_chance(&charts, 2),
                     .reference = charts_value(&charts),
                     .decimals = (int)random_below(&charts.random, 3),
                     .rows = many,
                     .row_count = count};
    for (int s = 0; s < FOREST_SERIES; s++)
      forest.series[s] = charts_label(&charts);
    Text out = {0};
    forest_write(&forest, &out);
    markup_assert_picture(&out);
    text_free(&out);
    charts_clear(&charts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_says_everything),
      cmocka_unit_test(test_values_stand_where_they_belong),
      cmocka_unit_test(test_no_data),
      cmocka_unit_test(test_any_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
