/* Tables: all of tables/ can be read and mean what they should; what is wrong
   with a file is said with its place. */
#include "lab/table.h"

#include <glob.h>
#include <math.h>
#include <unistd.h>

#include "support/unit.h"

/* Two games and two pairs, with every key there is. */
static const char sample[] =
    "{\n"
    "  \"title\": \"A title\", \"source\": \"A paper, Table 1\",\n"
    "  \"measure\": \"win\", \"notes\": [\"One.\", \"Two.\"],\n"
    "  \"games\": 250, \"unit\": \"states\", \"play\": 10, \"start\": 20,\n"
    "  \"seed\": 3, \"idle\": true, \"with\": {\"org\": \"random\"},\n"
    "  \"rows\": [{\"name\": \"Othello\", \"game\": \"othello\",\n"
    "              \"rate\": 135, \"with\": {\"org\": \"mc-org:share=0.758\","
    "              \"c\": \"30\"}},\n"
    "             {\"name\": \"Nim\", \"game\": \"nim\", \"play\": 5,\n"
    "              \"games\": 20, \"with\": {\"c\": \"20\"}}],\n"
    "  \"columns\": [{\"name\": \"A\", \"x\": 1, \"start\": 40,\n"
    "                 \"players\": [\"cadia2007:c={c}\", \"{org}\"]},\n"
    "                {\"name\": \"B\", \"x\": 2.5, \"games\": 7,\n"
    "                 \"with\": {\"c\": \"9\"},\n"
    "                 \"players\": [\"legal\", "
    "\"cadia2007:c={c},tau={c}\"]}],\n"
    "  \"figures\": [[[76.8, 5.12], 50], [null, [0, 0]]],\n"
    "  \"means\": true, \"mean_figures\": [65.58, null],\n"
    "  \"chart\": \"plot\", \"x_title\": \"seconds\"\n"
    "}\n";

static bool parse(Table *table, const char *text, Text *error) {
  return table_parse(table, "tables/x.json", text, strlen(text), error);
}

static void test_whole(void **state) {
  (void)state;
  Table table;
  Text error = {0};
  if (!parse(&table, sample, &error)) fail_msg("%s", error.bytes);
  assert_string_equal(table.id.bytes, "x");
  assert_string_equal(table.title.bytes, "A title");
  assert_string_equal(table.source.bytes, "A paper, Table 1");
  assert_string_equal(table.chart.bytes, "plot");
  assert_string_equal(table.x_title.bytes, "seconds");
  assert_int_equal(table.measure, MEASURE_WIN);
  assert_int_equal(table.notes.count, 2);
  assert_string_equal(table.notes.data[1].bytes, "Two.");
  assert_int_equal(table.rows.count, 2);
  assert_string_equal(table.rows.data[1].bytes, "Nim");
  assert_int_equal(table.columns.count, 2);
  assert_string_equal(table.columns.data[1].name.bytes, "B");
  assert_true(table.columns.data[1].x == 2.5);
  assert_true(table.means && table.columns.data[0].mean == 65.58);
  assert_true(isnan(table.columns.data[1].mean));
  table_free(&table);
}

/* The row wins over the table, the column over both; placeholders, too. */
static void test_cells(void **state) {
  (void)state;
  Table table;
  Text error = {0};
  assert_true(parse(&table, sample, &error));
  const TableCell *cell = table_cell(&table, 0, 0);
  assert_true(cell->there && cell->figure == 76.8 && cell->interval == 5.12);
  assert_string_equal(cell->series.game.bytes, "othello");
  assert_string_equal(cell->series.players.data[0].bytes, "cadia2007:c=30");
  assert_string_equal(cell->series.players.data[1].bytes, "mc-org:share=0.758");
  assert_int_equal(cell->series.games, 250);
  assert_int_equal(cell->series.seed, 3);
  assert_int_equal(cell->series.unit, UNIT_STATES);
  assert_true(cell->series.play == 1350 && cell->series.start == 5400);
  assert_true(cell->series.idle);

  cell = table_cell(&table, 0, 1);
  assert_true(cell->there && cell->figure == 50 && isnan(cell->interval));
  assert_int_equal(cell->series.games, 7);
  assert_string_equal(cell->series.players.data[1].bytes,
                      "cadia2007:c=9,tau=9");
  assert_true(cell->series.play == 1350 && cell->series.start == 2700);

  assert_false(table_cell(&table, 1, 0)->there);
  cell = table_cell(&table, 1, 1); /* without a rate */
  assert_true(cell->there && cell->figure == 0 && cell->interval == 0);
  assert_true(cell->series.play == 5 && cell->series.start == 20);
  assert_int_equal(cell->series.games, 7);
  table_free(&table);
}

#define POOL(row, rate) \
  "{\"title\":\"t\",\"source\":\"s\",\"measure\":\"found\"," \
  "\"unit\":\"states\",\"rate\":" rate ",\"start\":60,\"play\":0," \
  "\"players\":[\"mini\"],\"pool\":[\"hanoi\",\"peg\"]," \
  "\"rows\":[{\"name\":\"a\",\"found\":\"random\"}," row "]," \
  "\"columns\":[{\"name\":\"c\"},{\"name\":\"d\",\"start\":1}]," \
  "\"figures\":[[1,2],[null,4]]}"

static void test_pool(void **state) {
  (void)state;
  Table table;
  Text error = {0};
  const char *text =
      POOL("{\"name\":\"b\",\"found\":\"none\",\"games\":300}", "60000");
  if (!parse(&table, text, &error)) fail_msg("%s", error.bytes);
  assert_string_equal(table.found.data[1].bytes, "none");
  SeriesVector list = {0};
  table_cell_series(&table, table_cell(&table, 0, 1), &list);
  assert_int_equal(list.count, 2);
  assert_string_equal(list.data[0].game.bytes, "hanoi");
  assert_string_equal(list.data[1].game.bytes, "peg");
  assert_true(list.data[0].play == 1 && list.data[0].start == 60000);
  table_cell_series(&table, table_cell(&table, 1, 0), &list);
  assert_int_equal(list.count, 2);
  /* cells of a column share their series; the one with most games counts */
  table_series(&table, &list);
  assert_int_equal(list.count, 6);
  for (uint32_t i = 2; i < 6; i++) {
    assert_string_equal(list.data[i].game.bytes, i % 2 ? "peg" : "hanoi");
    assert_true(list.data[i].start == (i < 4 ? 3600000 : 60000));
    assert_int_equal(list.data[i].games, i < 4 ? 100 : 300);
  }
  series_vector_free(&list);
  table_free(&table);
  assert_false(parse(&table, POOL("{\"name\":\"b\"}", "1"), &error));
  assert_string_equal(error.bytes, "tables/x.json: rows[1].found: expected a "
                                   "text that is not empty");
  text_free(&error);
}

/* ---- what is wrong ---- */

/* Returns the sample with one place replaced; the caller frees it. */
static char *changed(const char *from, const char *to) {
  const char *place = strstr(sample, from);
  if (!place) fail_msg("the sample has no %s", from);
  Text text = {0};
  text_add_bytes(&text, sample, (size_t)(place - sample));
  text_add(&text, to);
  text_add(&text, place + strlen(from));
  return text.bytes;
}

static void assert_wrong(const char *text, const char *error) {
  Table table;
  Text own = {0};
  if (parse(&table, text, &own)) fail_msg("accepted; expected: %s", error);
  if (strncmp(text_string(&own), error, strlen(error)) != 0)
    fail_msg("%s\n  instead of %s", text_string(&own), error);
  text_free(&own);
}

static void test_wrong(void **state) {
  (void)state;
  static const char no_text[] = "expected a text that is not empty";
  const struct {
    const char *from, *to, *place, *error;
  } cases[] = {
      {"\"title\"", "\"titel\"", "", "unknown key 'titel'"},
      {"\"A title\"", "7", "title: ", no_text},
      {"\"A title\"", "\"\"", "title: ", no_text},
      {"\"A paper, Table 1\"", "null", "source: ", no_text},
      {"\"win\"", "\"wins\"",
       "measure: ", "expected \"win\", \"goal\", \"speed\" or \"found\""},
      {"\"win\"", "true", "measure: ", "expected"},
      {"\"win\"", "\"found\"", "rows[0].found: ", no_text},
      {"[\"One.\", \"Two.\"]", "\"One.\"",
       "notes: ", "expected a list of texts"},
      {"\"Two.\"", "2", "notes: ", "expected a list of texts"},
      {"\"games\": 250", "\"games\": \"250\"",
       "games: ", "expected a whole number from 1 to 1000000000"},
      {"\"seed\": 3", "\"seed\": 3.5", "seed: ", "expected a whole number"},
      {"\"states\"", "\"nodes\"", "unit: ", "expected \"seconds\""},
      {"\"states\"", "\"seconds\"", "rows[0] with columns[0]: ",
       "a rate is for budgets in simulations or states"},
      {"\"idle\": true", "\"idle\": 1", "idle: ", "expected true or false"},
      {"{\"org\": \"random\"}", "[]", "with: ", "expected an object of texts"},
      {"{\"org\": \"random\"}", "{\"org\": 1}",
       "with: ", "expected an object of texts"},
      {"{\"org\": \"random\"}", "{}", "rows[0] with columns[0]: ", NULL},
      {"\"c\": \"20\"", "\"c\": 20", "rows[1].with: ", "expected an object"},
      {"\"name\": \"Nim\"", "\"name\": []", "rows[1].name: ", no_text},
      {"\"name\": \"Nim\", ", "", "rows[1].name: ", no_text},
      {"\"game\": \"nim\"", "\"gmae\": \"nim\"",
       "rows[1]: ", "unknown key 'gmae'"},
      {"\"game\": \"nim\",", "", "rows[1] with columns[1]: ", "no game"},
      {"\"game\": \"nim\"", "\"found\": \"goal\", \"game\": \"nim\"",
       "rows[1].found: ", "the measure is another one"},
      {"\"play\": 5", "\"play\": -5",
       "rows[1].play: ", "expected a number from 0 to 1e+15"},
      {"\"rate\": 135", "\"rate\": 0",
       "rows[0].rate: ", "expected a number above 0"},
      {"\"rate\": 135", "\"rate\": \"135\"", "rows[0].rate: ", "expected"},
      {"\"rate\": 135", "\"rate\": 1e12", "rows[0] with columns[0]: ", NULL},
      {"\"play\": 10", "\"play\": 1e15",
       "rows[0] with columns[0]: ", "a budget of more than 1e+15"},
      {"\"x\": 1,", "", "columns[0].x: ", "expected a number"},
      {"\"x\": 2.5", "\"x\": []", "columns[1].x: ", "expected a number"},
      {"\"x\": 2.5", "\"y\": 2.5", "columns[1]: ", "unknown key 'y'"},
      {"\"name\": \"B\"", "\"name\": null", "columns[1].name: ", no_text},
      {"\"legal\"", "\"leagl\"",
       "rows[0] with columns[1]: ", "players: 'leagl' is no agent"},
      {"\"legal\", \"cadia2007:c={c},tau={c}\"", "\"legal\", 1",
       "columns[1].players: ", "expected an agent as text at place 2"},
      {"\"legal\", \"cadia2007:c={c},tau={c}\"", "\"leagl\"",
       "columns[1].players: ", "'leagl' is no agent"},
      {"[\"legal\", \"cadia2007:c={c},tau={c}\"]", "\"legal\"",
       "columns[1].players: ", "expected a list of 1 to 64 agents"},
      {"tau={c}", "tau={c", "rows[0] with columns[1]: ",
       "nothing is given for {c in 'cadia2007:c={c},tau={c'"},
      {"tau={c}", "tau={d}", "rows[0] with columns[1]: ",
       "nothing is given for {d} in 'cadia2007:c={c},tau={d}'"},
      {"\"figures\"", "\"title2\"", "", "unknown key 'title2'"},
      {"[[76.8, 5.12], 50]", "[[76.8, 5.12]]",
       "figures: ", "expected a list of 2 lists of 2 figures"},
      {"[[76.8, 5.12], 50], ", "", "figures: ", "expected a list of 2"},
      {"[[76.8, 5.12], 50]", "50", "figures: ", "expected a list of 2"},
      {"[76.8, 5.12]", "[76.8]",
       "figures[0][0]: ", "expected null, a number, or a number and half"},
      {"[76.8, 5.12]", "[76.8, -1]", "figures[0][0]: ", "expected null"},
      {"[76.8, 5.12]", "[76.8, null]", "figures[0][0]: ", "expected null"},
      {"[0, 0]", "\"0\"", "figures[1][1]: ", "expected null"},
      {"\"means\": true", "\"means\": 1", "means: ", "expected true or false"},
      {"\"means\": true, ", "",
       "mean_figures: ", "there are no means without \"means\": true"},
      {"[65.58, null]", "[65.58]",
       "mean_figures: ", "expected a number or null for each column"},
      {"[65.58, null]", "[null, \"\"]", "mean_figures: ", "expected"},
      {"[65.58, null]", "[1, 2, 3]", "mean_figures: ", "expected"},
      {"\"plot\"", "\"pie\"",
       "chart: ", "expected \"forest\", \"plot\" or \"heat\""},
      {"\"plot\"", "3", "chart: ", "expected \"forest\", \"plot\" or \"heat\""},
      {"\"seconds\"\n", "4\n", "x_title: ", no_text},
      {"\"means\"", "\"pool\": [\"peg\"], \"means\"",
       "rows[0] with columns[0]: ", "a game, and a pool of games"},
      {"\"means\"", "\"pool\": [], \"means\"", "pool: ", "expected a list"},
  };
  for (size_t i = 0; i < LENGTH(cases); i++) {
    char *text = changed(cases[i].from, cases[i].to);
    Text error = {0};
    text_format(&error, "tables/x.json: %s%s", cases[i].place,
                cases[i].error ? cases[i].error : "");
    if (cases[i].error)
      assert_wrong(text, error.bytes);
    else { /* nothing is wrong, or only in a cell that is not there */
      Table table;
      Text none = {0};
      assert_true(parse(&table, text, &none));
      table_free(&table);
    }
    memory_delete(text);
    text_free(&error);
  }
}

static void test_no_table(void **state) {
  (void)state;
  assert_wrong("", "tables/x.json:1:0: ");
  assert_wrong("[]", "tables/x.json: expected an object");
  assert_wrong("{\n  \"title\": \"a\",\n  }", "tables/x.json:3:3: ");
  assert_wrong("{\"title\": \"a\", \"title\": \"b\"}", "tables/x.json:1:");
  assert_wrong("{\"title\":\"a\",\"source\":\"b\",\"measure\":\"win\"}",
               "tables/x.json: rows: expected a list of 1 to 4096 objects");
  Table table;
  Text error = {0};
  assert_false(table_read(&table, "tables/none.json", &error));
  assert_string_equal(error.bytes,
                      "tables/none.json: No such file or directory");
  text_free(&error);
}

/* No table has more than so many cells. */
static void test_size(void **state) {
  (void)state;
  Text text = {0}, rows = {0};
  for (int i = 0; i < 65; i++)
    text_format(&rows, "%s{\"name\":\"%d\"}", i ? "," : "", i);
  text_format(&text,
              "{\"title\":\"a\",\"source\":\"b\",\"measure\":\"win\","
              "\"rows\":[%s],\"columns\":[%s]}",
              rows.bytes, rows.bytes);
  assert_wrong(text.bytes,
               "tables/x.json: rows: more than 4096 cells in the table");
  text_free(&text);
  text_free(&rows);
}

/* ---- our tables ---- */

/* Agents that differ from cell to cell are complete, and games exist. */
static void check_cell(const Table *table, const TableCell *cell) {
  SeriesVector list = {0};
  table_cell_series(table, cell, &list);
  assert_true(list.count > 0);
  for (uint32_t i = 0; i < list.count; i++) {
    const Series *series = &list.data[i];
    Text path = {0};
    text_format(&path, "games/%s.kif", series->game.bytes);
    if (access(path.bytes, R_OK) != 0)
      fail_msg("%s: no %s", table->id.bytes, path.bytes);
    assert_int_equal(series->unit, UNIT_STATES);
    assert_true(series->play >= 1 && series->start >= 1);
    assert_true(
        series->players.count ==
        (table->measure == MEASURE_GOAL || table->measure == MEASURE_FOUND
             ? 1
             : 2));
    text_free(&path);
  }
  bool percent = table->measure != MEASURE_SPEED;
  assert_true(cell->figure >= 0 && (!percent || cell->figure <= 100));
  series_vector_free(&list);
}

static void test_ours(void **state) {
  (void)state;
  glob_t files;
  assert_int_equal(glob("tables/*.json", 0, NULL, &files), 0);
  assert_int_equal(files.gl_pathc, 17);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    Table table;
    Text error = {0};
    if (!table_read(&table, files.gl_pathv[i], &error))
      fail_msg("%s", error.bytes);
    assert_true(table.notes.count > 0);
    for (uint32_t row = 0; row < table.rows.count; row++)
      for (uint32_t column = 0; column < table.columns.count; column++)
        check_cell(&table, table_cell(&table, row, column));
    table_free(&table);
  }
  globfree(&files);
}

static void read_ours(Table *table, const char *name) {
  Text path = {0}, error = {0};
  text_format(&path, "tables/%s.json", name);
  if (!table_read(table, path.bytes, &error)) fail_msg("%s", error.bytes);
  text_free(&path);
}

/* The papers' means are those of their figures, but for rounding, and for one
   of mini-7, which has 49.53 where the figures have 49.43. */
static void test_means(void **state) {
  (void)state;
  uint32_t others = 0;
  const char *const names[] = {"2010-1", "ieee-4", "mini-5", "mini-6",
                               "mini-7"};
  for (size_t i = 0; i < LENGTH(names); i++) {
    Table table;
    read_ours(&table, names[i]);
    for (uint32_t column = 0; column < table.columns.count; column++) {
      double sum = 0;
      for (uint32_t row = 0; row < table.rows.count; row++)
        sum += table_cell(&table, row, column)->figure;
      double mean = sum / table.rows.count;
      double away = fabs(mean - table.columns.data[column].mean);
      assert_true(away < 0.1);
      others += away > 0.01;
    }
    table_free(&table);
  }
  assert_int_equal(others, 1);
}

/* Shares of who found a score add up. */
static void test_shares(void **state) {
  (void)state;
  Table table;
  SeriesVector list = {0};
  read_ours(&table, "mini-3");
  for (uint32_t column = 0; column < table.columns.count; column++) {
    double sum = 0;
    for (uint32_t row = 0; row < table.rows.count; row++)
      sum += table_cell(&table, row, column)->figure;
    assert_true(fabs(sum - 100) < 1e-9);
  }
  table_series(&table, &list);
  assert_int_equal(list.count, 5 * 10);
  series_vector_free(&list);
  table_free(&table);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_whole), cmocka_unit_test(test_cells),
      cmocka_unit_test(test_pool),  cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_size),  cmocka_unit_test(test_no_table),
      cmocka_unit_test(test_ours),  cmocka_unit_test(test_means),
      cmocka_unit_test(test_shares)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
