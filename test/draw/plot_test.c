/* Line charts: what they say, where points and arrows stand, and any input:
   labels stay inside and apart. */
#include "draw/plot.h"

#include <math.h>

#include "base/random.h"
#include "support/charts.h"
#include "support/markup.h"
#include "support/unit.h"

static const PlotPoint rising[] = {
    {80, 70, 66, 74}, {10, 50, 46, 54}, {20, 55, 51, 59}, {40, 64, 60, 68}};
static const PlotLine two[] = {
    {.name = "breakthrough", .points = rising, .count = 4},
    {.name = "mean of all", .points = rising, .count = 3, .strong = true}};
static const Plot example = {.title = "Response to c",
                             .x_name = "c",
                             .y_name = "win rate (%)",
                             .logarithmic = true,
                             .compare = true,
                             .reference = 50,
                             .reference_name = "equal strength",
                             .lines = two,
                             .line_count = 2};

static uint32_t occurrences(const Text *text, const char *word) {
  uint32_t count = 0;
  for (const char *at = text_string(text); (at = strstr(at, word)); at++)
    count++;
  return count;
}

static void test_says_everything(void **state) {
  (void)state;
  Text out = {0};
  plot_write(&example, &out);
  markup_assert_picture(&out);
  static const char *const said[] = {"Response to c",
                                     "c",
                                     "win rate (%)",
                                     "breakthrough",
                                     "mean of all",
                                     "10",
                                     "20",
                                     "40",
                                     "80",
                                     "equal strength"};
  for (size_t i = 0; i < LENGTH(said); i++) markup_assert_says(&out, said[i]);
  assert_non_null(strstr(text_string(&out), "breakthrough: at 10 50.0 ± 4.0; "
                                            "at 20 55.0 ± 4.0; at 40"));
  assert_int_equal(occurrences(&out, "class=\"whisker"), 7);
  text_free(&out);
}

/* On a logarithmic axis 10, 20, 40 and 80 are equally far from each other. */
static void test_points_stand_where_they_belong(void **state) {
  (void)state;
  Plot plot = example;
  plot.line_count = 1;
  plot.low = 0, plot.high = 100;
  Text out = {0};
  plot_write(&plot, &out);
  double x[4], y[4], top = NAN, bottom = NAN;
  const char *path = strstr(text_string(&out), "<path class=\"line s0\" d=\"");
  assert_non_null(path);
  assert_int_equal(sscanf(path, "%*[^M]M%lf %lfL%lf %lfL%lf %lfL%lf %lf", &x[0],
                          &y[0], &x[1], &y[1], &x[2], &y[2], &x[3], &y[3]),
                   8);
  for (int i = 2; i < 4; i++)
    assert_true(fabs(x[i] - x[i - 1] - (x[1] - x[0])) < .05);
  assert_true(x[1] > x[0]);
  /* the height of the axis follows from two points; a third one lies on it */
  double unit = (y[0] - y[3]) / 20;
  assert_true(fabs(y[0] - y[2] - 14 * unit) < .05);
  assert_true(fabs(y[0] - y[1] - 5 * unit) < .05);
  bottom = y[0] + 50 * unit, top = y[0] - 50 * unit;
  assert_true(fabs(bottom - top - 300) < .1);
  text_free(&out);
}

/* An infinite end, and one outside the range, ends in an arrow at the edge; NAN
   has no bar. */
static void test_open_intervals(void **state) {
  (void)state;
  PlotPoint points[] = {{1, 50, -INFINITY, 60}, {2, 50, 40, 250},
                        {3, 50, NAN, NAN},      {4, NAN, 40, 60},
                        {NAN, 50, 40, 60},      {5, 50, 50, 50}};
  PlotLine line = {.name = "a", .points = points, .count = 6};
  Plot plot = {.title = "t", .high = 100, .lines = &line, .line_count = 1};
  Text out = {0};
  plot_write(&plot, &out);
  markup_assert_picture(&out);
  assert_int_equal(occurrences(&out, "class=\"whisker"), 2);
  assert_int_equal(occurrences(&out, "<circle"), 4 + 1); /* and at the name */
  assert_non_null(strstr(text_string(&out), "50.0 (−∞ to 60.0)"));
  double x, from, to, wing_x, wing, tip_x, tip;
  const char *bar = strstr(text_string(&out), "class=\"whisker");
  assert_int_equal(sscanf(bar, "%*[^M]M%lf %lfL%*f %lfM%lf %lfL%lf %lf", &x,
                          &from, &to, &wing_x, &wing, &tip_x, &tip),
                   7);
  assert_true(tip_x == x && tip == from && wing < tip && wing_x != x);
  assert_true(from > to); /* it goes down to the edge */
  text_free(&out);
}

static void test_no_data(void **state) {
  (void)state;
  PlotPoint nothing[] = {{1, NAN, 0, 1}, {INFINITY, 2, 0, 1}};
  PlotLine line = {.name = "a", .points = nothing, .count = 2};
  Plot plots[] = {{0},
                  {.title = "Nothing"},
                  {.title = "Nothing", .lines = &line, .line_count = 1}};
  for (size_t i = 0; i < LENGTH(plots); i++) {
    Text out = {0};
    plot_write(&plots[i], &out);
    markup_assert_picture(&out);
    markup_assert_says(&out, "There is no data to show.");
    text_free(&out);
  }
}

static void test_single_values(void **state) {
  (void)state;
  PlotPoint point = {0, 0, NAN, NAN};
  PlotLine line = {.name = "a", .points = &point, .count = 1};
  Plot plot = {.lines = &line, .line_count = 1};
  for (int power = 0; power < 2; power++) {
    plot.logarithmic = power;
    Text out = {0};
    plot_write(&plot, &out);
    markup_assert_picture(&out);
    text_free(&out);
  }
}

static void test_series_differ_without_colour(void **state) {
  (void)state;
  PlotLine lines[12];
  for (int i = 0; i < 12; i++)
    lines[i] = (PlotLine){.name = "n", .points = rising, .count = 4};
  Plot plot = {.lines = lines, .line_count = 12};
  Text out = {0};
  plot_write(&plot, &out);
  markup_assert_picture(&out);
  assert_int_equal(occurrences(&out, "class=\"line s3\""), 1);
  assert_int_equal(occurrences(&out, "class=\"line s3 d1\""), 1);
  text_free(&out);
}

static void test_any_input(void **state) {
  (void)state;
  Charts charts;
  charts_start(&charts, 3);
  for (int round = 0; round < 300; round++) {
    PlotPoint points[8][12];
    PlotLine lines[8];
    uint32_t count = random_below(&charts.random, 9);
    for (uint32_t i = 0; i < count; i++) {
      lines[i] = (PlotLine){.name = charts_label(&charts),
                            .points = points[i],
                            .count = random_below(&charts.random, 13),
                            .strong = charts_chance(&charts, 4),
                            .bare = charts_chance(&charts, 4)};
      for (uint32_t p = 0; p < lines[i].count; p++)
        points[i][p] =
            (PlotPoint){charts_value(&charts), charts_value(&charts),
                        charts_value(&charts), charts_value(&charts)};
    }
    Plot plot = {.title = charts_label(&charts),
                 .description = charts_label(&charts),
                 .x_name = charts_label(&charts),
                 .y_name = charts_label(&charts),
                 .logarithmic = charts_chance(&charts, 2),
                 .high = charts_chance(&charts, 3) ? 100 : 0,
                 .compare = charts_chance(&charts, 2),
                 .reference = charts_value(&charts),
                 .reference_name = charts_label(&charts),
                 .lines = lines,
                 .line_count = count};
    Text out = {0}, again = {0};
    plot_write(&plot, &out);
    plot_write(&plot, &again);
    markup_assert_picture(&out);
    assert_string_equal(text_string(&out), text_string(&again));
    text_free(&out), text_free(&again);
    charts_clear(&charts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_says_everything),
      cmocka_unit_test(test_points_stand_where_they_belong),
      cmocka_unit_test(test_open_intervals),
      cmocka_unit_test(test_no_data),
      cmocka_unit_test(test_single_values),
      cmocka_unit_test(test_series_differ_without_colour),
      cmocka_unit_test(test_any_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
