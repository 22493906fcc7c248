/* Heat maps: figures, colours, frames, and any input. */
#include "draw/heat.h"

#include <math.h>

#include "base/random.h"
#include "support/charts.h"
#include "support/markup.h"
#include "support/unit.h"

static const char *const numbers[] = {"10", "20", "40"};
static const char *const others[] = {"100", "500"};
static const HeatCell cells[] = {{40, 3.2, false}, {50, 3, false},
                                 {60, 0, true},    {NAN, 1, false},
                                 {52, NAN, false}, {45, 2, false}};
static const Heat example = {.title = "Response to c and k",
                             .row_name = "c",
                             .column_name = "k",
                             .value_name = "win rate (%)",
                             .rows = numbers,
                             .columns = others,
                             .row_count = 3,
                             .column_count = 2,
                             .cells = cells,
                             .diverging = true,
                             .middle = 50,
                             .decimals = 1};

static void test_says_everything(void **state) {
  (void)state;
  Text out = {0};
  heat_write(&example, &out);
  markup_assert_picture(&out);
  static const char *const said[] = {
      "Response to c and k", "c", "k", "10", "500", "40.0", "± 3.2", "60.0",
      "win rate (%)"};
  for (size_t i = 0; i < LENGTH(said); i++) markup_assert_says(&out, said[i]);
  const char *all = text_string(&out);
  const char *frame = strstr(all, "class=\"frame\"");
  assert_non_null(frame);
  assert_null(strstr(frame + 1, "class=\"frame\""));
  assert_non_null(strstr(all, "class=\"blank\""));
  assert_non_null(strstr(all, "20: 100 60.0 (marked); 500 none."));
  text_free(&out);
}

/* The ends and the middle have the colours of the palette, and the figures the
   colour with more contrast: all five colours are light enough for black but
   the ends. */
static void test_colours(void **state) {
  (void)state;
  Text out = {0};
  heat_write(&example, &out);
  const char *all = text_string(&out);
  assert_non_null(strstr(all, "fill=\"#b35806\"")); /* 40 */
  assert_non_null(strstr(all, "fill=\"#f7f7f7\"")); /* 50 */
  assert_non_null(strstr(all, "fill=\"#2166ac\"")); /* 60 */
  assert_non_null(strstr(all, "fill=\"#f1a340\"")); /* 45 */
  assert_non_null(strstr(all, "fill=\"#bdd8e7\"")); /* 52: between two */
  assert_non_null(strstr(all, "class=\"chalk\" font-weight=\"600\" "
                              "text-anchor=\"middle\">60.0"));
  assert_non_null(strstr(all, "class=\"ink\" font-weight=\"600\" "
                              "text-anchor=\"middle\">50.0"));
  text_free(&out);
}

static void test_no_data(void **state) {
  (void)state;
  HeatCell empty = {NAN, 0, false};
  Heat heats[] = {{.title = "t"},
                  {.rows = numbers,
                   .columns = numbers,
                   .row_count = 1,
                   .column_count = 1,
                   .cells = &empty}};
  for (size_t i = 0; i < LENGTH(heats); i++) {
    Text out = {0};
    heat_write(&heats[i], &out);
    markup_assert_picture(&out);
    markup_assert_says(&out, "There is no data to show.");
    text_free(&out);
  }
}

static void test_any_input(void **state) {
  (void)state;
  Charts charts;
  charts_start(&charts, 5);
  for (int round = 0; round < 300; round++) {
    const char *labels[2][12];
    HeatCell many[144];
    for (int i = 0; i < 24; i++) {
      const char *label = charts_label(&charts);
      labels[i / 12][i % 12] = label ? label : "";
    }
    for (int i = 0; i < 144; i++)
      many[i] = (HeatCell){charts_value(&charts), charts_value(&charts),
                           charts_chance(&charts, 5)};
    Heat heat = {.title = charts_label(&charts),
                 .description = charts_label(&charts),
                 .row_name = charts_label(&charts),
                 .column_name = charts_label(&charts),
                 .value_name = charts_label(&charts),
                 .rows = labels[0],
                 .columns = labels[1],
                 .row_count = random_below(&charts.random, 13),
                 .column_count = random_below(&charts.random, 13),
                 .cells = many,
                 .high = charts_chance(&charts, 3) ? 100 : 0,
                 .diverging = charts_chance(&charts, 2),
                 .middle = 50,
                 .decimals = (int)random_below(&charts.random, 3)};
    Text out = {0};
    heat_write(&heat, &out);
    markup_assert_picture(&out);
    text_free(&out);
    charts_clear(&charts);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_says_everything),
      cmocka_unit_test(test_colours),
      cmocka_unit_test(test_no_data),
      cmocka_unit_test(test_any_input),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
