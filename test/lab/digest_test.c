/* Figures without games: what is read, what is refused and where it says so,
   and those that come with the program, against the page of them. */
#include "lab/digest.h"

#include <glob.h>
#include <math.h>
#include <stdlib.h>

#include "lab/review.h"
#include "support/results.h"
#include "support/unit.h"

/* Cells that agree, are near and differ, one that is not played, and one in
   which the paper has no figure. */
static const char table_text[] =
    "{\"title\": \"Two players: win rates\", \"source\": \"A Paper, 2009\", "
    "\"measure\": \"win\", \"games\": 250, \"game\": \"nim\", \"players\": "
    "[\"random\", \"legal\"], \"means\": true, \"mean_figures\": [70, 55, "
    "null], "
    "\"rows\": [{\"name\": \"Nim\"}, {\"name\": \"Chess\"}], "
    "\"columns\": [{\"name\": \"A – B\"}, {\"name\": \"C\"}, {\"name\": "
    "\"D\"}], \"figures\": [[[80, 8], [58, 5], 40], [[60, 3], 52, null]]}";

static const char good[] =
    "{\n"
    " \"versions\": {\"1.0 (a)\": 80, \"1.1\": 221},\n"
    " \"last\": \"2026-11-16\",\n"
    " \"rows\": [\"Nim\", \"Chess\"],\n"
    " \"columns\": [\"A – B\", \"C\", \"D\"],\n"
    " \"figures\": [\n"
    "  [\n"
    "   {\"value\": 80.0, \"interval\": 9.0, \"deviation\": 40.2, "
    "\"games\": 100},\n"
    "   {\"value\": 70.5, \"interval\": 8.58, \"deviation\": 40.2, "
    "\"games\": 100, \"cut\": 20},\n"
    "   {\"value\": 100.0, \"games\": 1}\n"
    "  ],\n"
    "  [\n"
    "   {\"value\": 90.0, \"interval\": 7.66, \"deviation\": 30.151, "
    "\"games\": 100, \"errors\": 1},\n"
    "   null,\n"
    "   null\n"
    "  ]\n"
    " ]\n"
    "}\n";

static const char path[] = "tables/figures/x.json";

static void parse_table(Table *table) {
  Text error = {0};
  if (!table_parse(table, "tables/x.json", table_text, strlen(table_text),
                   &error))
    fail_msg("%s", error.bytes);
}

/* ---- reading ---- */

static void test_whole(void **state) {
  (void)state;
  Table table;
  Comparison comparison;
  Survey survey;
  Text error = {0}, again = {0};
  parse_table(&table);
  if (!digest_parse(&comparison, &survey, &table, path, good, strlen(good),
                    &error))
    fail_msg("%s", error.bytes);
  const ComparisonCell *cells = comparison.cells;
  assert_int_equal(comparison.count, 5);
  assert_int_equal(comparison.played, 4);
  assert_int_equal(comparison.games, 301);
  assert_int_equal(comparison.least, 1);
  assert_int_equal(comparison.most, 100);
  assert_int_equal(comparison.errors, 1);
  assert_int_equal(comparison.cut, 20);
  assert_int_equal(cells[0].verdict, ESTIMATE_AGREE);
  assert_int_equal(cells[1].verdict, ESTIMATE_NEAR);
  assert_int_equal(cells[2].verdict, ESTIMATE_UNKNOWN); /* one game */
  assert_int_equal(cells[3].verdict, ESTIMATE_DIFFER);
  assert_int_equal(cells[4].verdict, ESTIMATE_UNKNOWN);
  assert_true(isnan(cells[4].ours.value) && cells[4].theirs.value == 52);
  assert_true(isnan(cells[5].theirs.value));
  assert_true(fabs(comparison.distance - (0 + 12.5 + 60 + 30) / 4) < 1e-9);
  assert_true(fabs(cells[0].figure.interval - 1.96 * 40.2 / 10) < 1e-9);
  assert_true(comparison.means[0].ours.value == 85);
  assert_true(comparison.means[0].theirs.value == 70);
  assert_int_equal(survey.games, 301);
  assert_int_equal(survey.versions.count, 2);
  assert_string_equal(text_string(&survey.versions.data[0].name), "1.0 (a)");
  assert_string_equal(text_string(&survey.last), "2026-11-16");
  digest_write(&comparison, &survey, &again);
  assert_string_equal(text_string(&again), good);
  comparison_free(&comparison);
  survey_free(&survey);
  table_free(&table);
  text_free(&again);
}

static void test_path(void **state) {
  (void)state;
  Text text = {0};
  digest_path("/usr/share/tables/x.1.json", &text);
  assert_string_equal(text_string(&text), "/usr/share/tables/figures/x.1.json");
  text_clear(&text);
  digest_path("x.json", &text);
  assert_string_equal(text_string(&text), "figures/x.json");
  text_free(&text);
}

/* ---- what is refused ---- */

static void assert_wrong(const char *text, const char *reason) {
  Table table;
  Comparison comparison;
  Survey survey;
  Text error = {0}, expected = {0};
  parse_table(&table);
  if (digest_parse(&comparison, &survey, &table, path, text, strlen(text),
                   &error))
    fail_msg("not refused: %s", reason);
  text_format(&expected, "%s%s", path, reason);
  if (strncmp(text_string(&error), expected.bytes, expected.length) != 0)
    fail_msg("%s instead of %s", text_string(&error), expected.bytes);
  table_free(&table);
  text_free(&error);
  text_free(&expected);
}

/* The good text with the first occurrence of a part replaced. */
static void change(Text *text, const char *from, const char *to) {
  const char *place = strstr(good, from);
  if (!place) fail_msg("there is no %s", from);
  text_add_bytes(text, good, (size_t)(place - good));
  text_format(text, "%s%s", to, place + strlen(from));
}

static void test_wrong(void **state) {
  (void)state;
  static const struct {
    const char *from, *to, *reason;
  } cases[] = {
      {"\"last\"", "\"first\"", ": unknown key 'first'"},
      {"{\"1.0 (a)\": 80, \"1.1\": 221}", "{}",
       ": versions: expected an object of 1 to 256 numbers"},
      {"{\"1.0 (a)\": 80, \"1.1\": 221}", "[1]", ": versions: expected an"},
      {"80,", "0,", ": versions: expected names with numbers from 1 to "},
      {"80,", "\"80\",", ": versions: expected names with numbers"},
      {"1.0 (a)", "", ": versions: expected names"},
      {"\"2026-11-16\"", "20261116", ": last: expected a date"},
      {"2026-11-16", "2026-11-16T10", ": last: expected a date"},
      {"2026-11-16", "2026-1l-16", ": last: expected a date"},
      {"\"Chess\"]", "\"Go\"]", ": rows: expected the names of the table"},
      {", \"Chess\"]", "]", ": rows: expected the names of the table"},
      {"\"D\"]", "4]", ": columns: expected the names of the table"},
      {",\n   null,\n   null\n", ",\n   null\n",
       ": figures: expected a list of 2 lists of 3 figures"},
      {"   null,\n   null\n", "   null,\n   {\"value\": 1, \"games\": 2}\n",
       ": figures[1][2]: the paper has no figure here"},
      {"   null,\n", "   7,\n", ": figures[1][1]: expected an object or null"},
      {"\"games\": 1}", "\"game\": 1}", ": figures[0][2]: unknown key 'game'"},
      {", \"games\": 1}", "}", ": figures[0][2].games: expected a number"},
      {"\"games\": 1}", "\"games\": 0}",
       ": figures[0][2].games: expected a whole number from 1 to 1000000000"},
      {"\"games\": 1}", "\"games\": 1.5}", ": figures[0][2].games: expected"},
      {"\"games\": 1}", "\"games\": 4294967297}",
       ": figures[0][2].games: expected a whole number"},
      {"\"value\": 80.0, ", "", ": figures[0][0].value: expected a number"},
      {"80.0", "100.5",
       ": figures[0][0].value: expected a number from 0 to 100"},
      {"80.0", "null", ": figures[0][0].value: expected a number from 0"},
      {"9.0", "-1", ": figures[0][0].interval: expected a number from 0"},
      {"40.2", "1e16", ": figures[0][0].deviation: expected a number from 0"},
      {"\"cut\": 20", "\"cut\": 101",
       ": figures[0][1].cut: more than there are games"},
      {"\"errors\": 1", "\"errors\": true", ": figures[1][0].errors: expected"},
      {"\"last\"", "\"rows\": [], \"last\"", ":4:"}, /* twice */
      {"]\n}", "]", ":18:"}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Text text = {0};
    change(&text, cases[i].from, cases[i].to);
    assert_wrong(text.bytes, cases[i].reason);
    text_free(&text);
  }
  assert_wrong("", ":1:0: ");
  assert_wrong("[]", ": expected an object");
  assert_wrong("{\"versions\": {\"1\": 1}, \"last\": \"2026-11-16\", \"rows\": "
               "[\"Nim\", \"Chess\"], \"columns\": [\"A – B\", \"C\", \"D\"], "
               "\"figures\": [[null, null, null], [null, null, null]]}",
               ": figures: none of them was played");
}

static void test_no_file(void **state) {
  (void)state;
  Table table;
  Comparison comparison;
  Survey survey;
  Text error = {0};
  parse_table(&table);
  assert_false(
      digest_read(&comparison, &survey, &table, "figures/none.json", &error));
  assert_string_equal(error.bytes,
                      "figures/none.json: No such file or directory");
  table_free(&table);
  text_free(&error);
}

/* ---- those that come with the program ---- */

enum { TABLES = 17 };

/* Written again, the file is the same. */
static void check_file(const Review *review, uint32_t number,
                       const char *file) {
  Text is = {0}, again = {0}, error = {0};
  if (!text_read_file(&is, file, TABLE_BYTES, &error))
    fail_msg("%s: %s", file, error.bytes);
  digest_write(&review->comparisons[number], &review->surveys[number], &again);
  if (strcmp(is.bytes, again.bytes) != 0) fail_msg("%s: other bytes", file);
  text_free(&is);
  text_free(&again);
}

/* Fails unless the two pages have the same summary. */
static void assert_summary(const char *page, const char *other) {
  const char *one = strstr(page, "## Summary"), *two = strstr(other, "## Summ");
  assert_true(one && two);
  size_t length = (size_t)(strstr(one, "## How") - one);
  if (strncmp(one, two, length) != 0)
    fail_msg("%.*s\ninstead of\n%.*s", (int)length, two, (int)length, one);
}

/* Every table has a file, and all of them together give the summary of
   docs/experiments.md: the same command writes both. */
static void test_ours(void **state) {
  (void)state;
  Table tables[TABLES];
  Review review;
  glob_t files;
  Text page = {0}, written = {0}, error = {0};
  Results *results = results_make("digest.db");
  assert_int_equal(glob("tables/*.json", 0, NULL, &files), 0);
  assert_int_equal(files.gl_pathc, TABLES);
  for (size_t i = 0; i < TABLES; i++)
    assert_true(table_read(&tables[i], files.gl_pathv[i], &error));
  qsort(tables, TABLES, sizeof *tables, table_compare);
  assert_true(review_read(&review, results, tables, TABLES));
  for (uint32_t i = 0; i < TABLES; i++) {
    Text file = {0};
    text_format(&file, "tables/figures/%s.json", tables[i].id.bytes);
    if (!review_fill(&review, i, file.bytes, &error))
      fail_msg("%s", error.bytes);
    assert_true(review.shipped[i]);
    check_file(&review, i, file.bytes);
    text_free(&file);
  }
  review_write(&review, &written);
  assert_true(text_read_file(&page, "docs/experiments.md", 1 << 20, &error));
  assert_summary(page.bytes, written.bytes);
  review_free(&review);
  for (size_t i = 0; i < TABLES; i++) table_free(&tables[i]);
  globfree(&files);
  results_close(results);
  text_free(&page);
  text_free(&written);
}

static int tear_down(void **state) {
  (void)state;
  results_remove();
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole), cmocka_unit_test(test_path),
      cmocka_unit_test(test_wrong), cmocka_unit_test(test_no_file),
      cmocka_unit_test(test_ours)};
  return cmocka_run_group_tests(tests, NULL, tear_down);
}
