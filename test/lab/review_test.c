/* The report: a store of made-up games whose figures are known, what the page
   says of them, and whether tables, links and charts of the page are whole. */
#include "lab/review.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <unistd.h>

#include "base/file.h"
#include "lab/digest.h"
#include "lab/markdown.h"
#include "lab/review_chart.h"
#include "support/markup.h"
#include "support/unit.h"

/* Two games and two players; one cell agrees, one is near, one differs, one is
   not played. */
static const char first[] =
    "{\"title\": \"Two players: win rates\", \"source\": \"A. Author, A Paper, "
    "2009, Table 3\", \"measure\": \"win\", \"games\": 250, "
    "\"unit\": \"states\", \"play\": 10, \"start\": 10, \"idle\": true, "
    "\"chart\": \"forest\", \"means\": true, \"mean_figures\": [70, 55], "
    "\"notes\": [\"Only here.\", \"In both.\"], "
    "\"rows\": [{\"name\": \"Nim | small\", \"game\": \"nim\", \"rate\": "
    "1000}, "
    "{\"name\": \"Chess\", \"game\": \"chess\", \"rate\": 200, \"start\": "
    "30}], "
    "\"columns\": [{\"name\": \"A – B\", \"players\": [\"cadia2008\", "
    "\"cadia2007\"]}, {\"name\": \"C\", \"players\": [\"cadia2009\", "
    "\"cadia2007\"]}], "
    "\"figures\": [[[80, 8], [58, 5]], [[60, 3], 52]], "
    "\"explain\": {\"Chess / A – B\": \"The board has other corners.\", "
    "\"Chess\": \"Not this one.\"}}";

/* Goals over a number; one of its series is also one of the first table. */
static const char second[] =
    "{\"title\": \"Goals\", \"source\": \"A. Author, A Paper, 2009, Table 4\", "
    "\"measure\": \"goal\", \"games\": 4, \"unit\": \"states\", \"idle\": "
    "true, "
    "\"chart\": \"plot\", \"x_title\": \"seconds\", \"interval\": 6, "
    "\"notes\": [\"In both.\"], "
    "\"rows\": [{\"name\": \"Nim\", \"game\": \"nim\", \"rate\": 1000}], "
    "\"players\": [\"cadia2008\", \"cadia2007\"], "
    "\"columns\": [{\"name\": \"10 s\", \"x\": 10, \"play\": 10, "
    "\"start\": 10}, {\"name\": \"20 s\", \"x\": 20, \"play\": 20, "
    "\"start\": 20}], \"figures\": [[79, 30]]}";

typedef struct Fixtures {
  Results *results;
  Table tables[2];
  Review review;
  Text path;
} Fixtures;

/* ---- a store that is made up ---- */

static void execute(Results *results, const char *statement) {
  char *error = NULL;
  if (sqlite3_exec(results_database(results), statement, NULL, NULL, &error))
    fail_msg("%s: %s", statement, error);
}

/* Adds a series with games of the first player, numbered from `number` on. */
static void add_games(Results *results, const Table *table, uint32_t place,
                      uint32_t number, uint32_t count, double score,
                      const char *version, const char *ending) {
  Text key = {0}, line = {0};
  series_key(&table->cells[place].series, &key);
  char *quoted = sqlite3_mprintf(
      "INSERT OR IGNORE INTO series (key, game) VALUES (%Q, 1)", key.bytes);
  execute(results, quoted);
  sqlite3_free(quoted);
  int64_t series = survey_find(results, key.bytes);
  assert_true(series > 0);
  execute(results, "BEGIN");
  for (uint32_t i = 0; i < count; i++) {
    text_clear(&line);
    text_format(&line,
                "INSERT INTO matches (series, number, seed, version, finished, "
                "seconds, ending, steps, error) VALUES (%lld, %u, '1', '%s', "
                "'2026-11-%02uT10:00:00Z', 1, '%s', 9, '');"
                "INSERT INTO sides (match, role, player, agent, goal, score, "
                "simulations, states, seconds) SELECT max(id), 0, 0, 1, %g, "
                "%g, 1, 1, 1 "
                "FROM matches;"
                "INSERT INTO sides (match, role, player, agent, goal, score, "
                "simulations, states, seconds) SELECT max(id), 1, 1, 1, %g, "
                "%g, 1, 1, 1 "
                "FROM matches",
                (long long)series, number + i, version, 1 + number % 20, ending,
                100 * score, score, 100 - 100 * score, 1 - score);
    execute(results, line.bytes);
  }
  execute(results, "COMMIT");
  text_free(&key);
  text_free(&line);
}

static void parse(Table *table, const char *path, const char *text) {
  Text error = {0};
  if (!table_parse(table, path, text, strlen(text), &error))
    fail_msg("%s", error.bytes);
}

static void set_up(Fixtures *all) {
  Text error = {0};
  *all = (Fixtures){0};
  char name[] = "/tmp/review_test_XXXXXX";
  int file = mkstemp(name);
  assert_true(file >= 0);
  close(file);
  text_add(&all->path, name);
  all->results = results_open(name, "1.0", &error);
  if (!all->results) fail_msg("%s", error.bytes);
  parse(&all->tables[0], "tables/x-1.2.json", first);
  parse(&all->tables[1], "tables/x-2.json", second);
  execute(all->results, "INSERT INTO games (name, hash, rules) VALUES ('nim', "
                        "'0', ''); INSERT INTO agents (agent, settings) "
                        "VALUES ('cadia2008', '')");
}

static void fill(Fixtures *all) {
  Results *results = all->results;
  const Table *table = &all->tables[0];
  add_games(results, table, 0, 0, 80, 1, "1.0", "ended");
  add_games(results, table, 0, 80, 20, 0, "1.1", "ended");
  add_games(results, table, 1, 0, 60, 1, "1.1", "ended");
  add_games(results, table, 1, 60, 20, 0.5, "1.1", "cut off");
  add_games(results, table, 1, 80, 20, 0, "1.1", "ended");
  add_games(results, table, 2, 0, 90, 1, "1.1", "ended");
  add_games(results, table, 2, 90, 10, 0, "1.1", "ended");
  add_games(results, table, 2, 100, 1, 0, "1.1", "failed");
}

static void tear_down(Fixtures *all) {
  static const char *const endings[] = {"", "-wal", "-shm"};
  review_free(&all->review);
  results_close(all->results);
  table_free(&all->tables[0]);
  table_free(&all->tables[1]);
  for (size_t i = 0; i < LENGTH(endings); i++) {
    Text path = {0};
    text_format(&path, "%s%s", all->path.bytes, endings[i]);
    unlink(path.bytes);
    text_free(&path);
  }
  text_free(&all->path);
}

static void read_review(Fixtures *all) {
  assert_true(review_read(&all->review, all->results, all->tables, 2));
}

/* ---- explanations ---- */

#define EXPLAINED(what) \
  "{\"title\": \"t\", \"source\": \"s\", \"measure\": \"goal\", " \
  "\"game\": \"nim\", \"players\": [\"random\"], " \
  "\"rows\": [{\"name\": \"a\"}, {\"name\": \"ab\"}], " \
  "\"columns\": [{\"name\": \"x\"}, {\"name\": \"y\"}], " \
  "\"figures\": [[1, 2], [3, 4]], " what "}"

static void test_explanations(void **state) {
  (void)state;
  Table table;
  parse(&table, "t.json",
        EXPLAINED("\"explain\": {\"*\": \"all\", \"x\": \"column\", "
                  "\"ab\": \"row\", \"ab / y\": \"cell\"}"));
  assert_string_equal(table_explanation(&table, 0, 0), "column");
  assert_string_equal(table_explanation(&table, 0, 1), "all");
  assert_string_equal(table_explanation(&table, 1, 0), "row");
  assert_string_equal(table_explanation(&table, 1, 1), "cell");
  assert_true(isnan(table.interval));
  table_free(&table);
  parse(&table, "t.json", EXPLAINED("\"chart\": \"heat\", \"interval\": 6"));
  assert_null(table_explanation(&table, 1, 1));
  assert_true(table.interval == 6);
  table_free(&table);
}

static void test_wrong(void **state) {
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {EXPLAINED("\"explain\": {\"abc\": \"?\"}"),
       "t.json: explain: there is no row, column or cell 'abc'"},
      {EXPLAINED("\"explain\": {\"a / z\": \"?\"}"),
       "t.json: explain: there is no row, column or cell 'a / z'"},
      {EXPLAINED("\"explain\": {\"a\": \"\"}"),
       "t.json: explain: expected an object of texts that are not empty"},
      {EXPLAINED("\"explain\": [1]"),
       "t.json: explain: expected an object of texts"},
      {EXPLAINED("\"interval\": -1"),
       "t.json: interval: expected a number that is not negative"},
      {EXPLAINED("\"chart\": \"pie\""),
       "t.json: chart: expected \"forest\", \"plot\" or \"heat\""}};
  for (size_t i = 0; i < LENGTH(cases); i++) {
    Table table;
    Text error = {0};
    assert_false(table_parse(&table, "t.json", cases[i].text,
                             strlen(cases[i].text), &error));
    assert_string_equal(error.bytes, cases[i].error);
    text_free(&error);
  }
}

/* ---- comparisons ---- */

static void test_comparison(void **state) {
  (void)state;
  Fixtures all;
  set_up(&all);
  fill(&all);
  read_review(&all);
  const Comparison *comparison = &all.review.comparisons[0];
  const ComparisonCell *cells = comparison->cells;
  assert_int_equal(comparison->count, 4);
  assert_int_equal(comparison->played, 3);
  assert_int_equal(comparison->games, 300);
  assert_int_equal(comparison->errors, 1);
  assert_int_equal(comparison->cut, 20);
  assert_int_equal(cells[0].verdict, ESTIMATE_AGREE);
  assert_int_equal(cells[1].verdict, ESTIMATE_NEAR);
  assert_int_equal(cells[2].verdict, ESTIMATE_DIFFER);
  assert_int_equal(cells[3].verdict, ESTIMATE_UNKNOWN);
  assert_true(cells[0].ours.value == 80 && cells[1].ours.value == 70);
  assert_true(fabs(comparison->distance - (0 + 12 + 30) / 3.0) < 1e-9);
  /* sqrt(2 / pi) / 1.96 of hypot(8, 7.88), hypot(5, 7.88), hypot(3, 5.91) */
  assert_true(fabs(comparison->chance - 3.6893) < 1e-3);
  /* 52 of 250 games: 1.96 sqrt(0.52 0.48 / 250) = 6.2 */
  assert_true(cells[3].derived && fabs(cells[3].theirs.half - 6.2) < 0.1);
  assert_true(!cells[0].derived && cells[0].theirs.half == 8);
  /* The first column is whole and has the paper's own mean; of the second one
     row was played, so both means are of that row. */
  assert_true(comparison_whole(comparison, 0));
  assert_false(comparison_whole(comparison, 1));
  assert_true(comparison->means[0].theirs.value == 70);
  assert_true(fabs(comparison->means[0].theirs.half - hypot(8, 3) / 2) < 1e-9);
  assert_true(comparison->means[0].ours.value == 85);
  assert_true(comparison->means[1].theirs.value == 58);
  assert_true(comparison->means[1].ours.value == 70);

  /* The other table has a series of the first one. */
  comparison = &all.review.comparisons[1];
  assert_int_equal(comparison->played, 1);
  assert_true(comparison->cells[0].ours.value == 80);
  assert_true(comparison->cells[0].theirs.half == 6);
  assert_int_equal(all.review.survey.games, 301);
  assert_int_equal(all.review.survey.versions.count, 2);
  assert_int_equal(all.review.survey.versions.data[0].games, 80);
  tear_down(&all);
}

/* ---- figures that come with the program ---- */

static void assert_same_figures(const Comparison *a, const Comparison *b) {
  assert_int_equal(a->played, b->played);
  assert_int_equal(a->games, b->games);
  assert_int_equal(a->errors, b->errors);
  assert_int_equal(a->cut, b->cut);
  assert_int_equal(a->least, b->least);
  assert_int_equal(a->most, b->most);
  assert_memory_equal(a->verdicts, b->verdicts, sizeof a->verdicts);
  assert_true(fabs(a->distance - b->distance) < 1e-6);
  assert_true(fabs(a->chance - b->chance) < 1e-6);
  for (uint32_t i = 0; i < a->table->columns.count; i++) {
    assert_int_equal(a->means[i].verdict, b->means[i].verdict);
    assert_true(fabs(a->means[i].ours.half - b->means[i].ours.half) < 1e-6);
  }
}

/* Writes the figures of the first table to a file beside the store. */
static void write_figures(const Fixtures *all, Text *path) {
  Text text = {0}, error = {0};
  text_format(path, "%s.json", all->path.bytes);
  digest_write(&all->review.comparisons[0], &all->review.surveys[0], &text);
  assert_true(file_replace(path->bytes, text.bytes, text.length, &error));
  text_free(&text);
}

/* A store with games, whose figures are in the file, and one without. */
static void set_up_both(Fixtures *played, Fixtures *fresh, Text *path) {
  set_up(played);
  fill(played);
  read_review(played);
  write_figures(played, path);
  set_up(fresh);
  read_review(fresh);
}

/* A table without games gets the figures of the file; one with games keeps its
   own, and so does the survey of the store. */
static void test_fill(void **state) {
  (void)state;
  Fixtures played, fresh;
  Text path = {0}, error = {0};
  set_up_both(&played, &fresh, &path);
  assert_true(review_fill(&fresh.review, 0, path.bytes, &error));
  assert_true(fresh.review.shipped[0] && !fresh.review.shipped[1]);
  assert_same_figures(&fresh.review.comparisons[0],
                      &played.review.comparisons[0]);
  assert_int_equal(fresh.review.surveys[0].games, 301);
  assert_int_equal(fresh.review.survey.games, 0);
  assert_string_equal(text_string(&fresh.review.surveys[0].last), "2026-11-11");
  ReviewCharts charts = {0};
  review_chart_list(&fresh.review.comparisons[0], &charts);
  assert_int_equal(charts.count, 1);
  review_chart_free(&charts);

  review_free(&fresh.review);
  add_games(fresh.results, &fresh.tables[0], 0, 0, 2, 1, "2.0", "ended");
  read_review(&fresh);
  assert_true(review_fill(&fresh.review, 0, path.bytes, &error));
  assert_false(fresh.review.shipped[0]);
  assert_int_equal(fresh.review.comparisons[0].games, 2);
  unlink(path.bytes);
  text_free(&path);
  tear_down(&fresh);
  tear_down(&played);
}

/* Without a file, or with one of another table, the table stays as it was. */
static void test_fill_wrong(void **state) {
  (void)state;
  Fixtures played, fresh;
  Text path = {0}, error = {0};
  set_up_both(&played, &fresh, &path);
  assert_false(review_fill(&fresh.review, 1, path.bytes, &error));
  assert_non_null(strstr(error.bytes, "rows: expected the names of the table"));
  unlink(path.bytes);
  assert_true(review_fill(&fresh.review, 0, path.bytes, &error));
  for (uint32_t i = 0; i < 2; i++) {
    assert_false(fresh.review.shipped[i]);
    assert_int_equal(fresh.review.comparisons[i].played, 0);
  }
  text_free(&path);
  text_free(&error);
  tear_down(&fresh);
  tear_down(&played);
}

/* ---- the page ---- */

/* Fails if a table of the page has rows of different lengths. */
static void assert_tables(const char *page) {
  uint32_t expected = 0, tables = 0;
  for (const char *line = page; *line;) {
    size_t length = strcspn(line, "\n");
    uint32_t bars = 0;
    for (size_t i = 0; i < length; i++)
      bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (*line != '|')
      expected = 0;
    else if (!expected)
      tables++, expected = bars;
    else if (bars != expected)
      fail_msg("%u bars instead of %u: %.*s", bars, expected, (int)length,
               line);
    line += length + (line[length] == '\n');
  }
  assert_true(tables > 0);
}

/* Returns true if the page has a heading or an anchor of this name. */
static bool has_anchor(const char *page, const char *name, size_t length) {
  Text wanted = {0}, tag = {0};
  bool found = false;
  text_add_bytes(&wanted, name, length);
  text_format(&tag, "<a id=\"%s\">", wanted.bytes);
  found = strstr(page, tag.bytes) != NULL;
  for (const char *at = page; !found && (at = strstr(at, "\n#")); at++) {
    Text heading = {0}, anchor = {0};
    const char *text = at + 1 + strspn(at + 1, "#") + 1;
    text_add_bytes(&heading, text, strcspn(text, "\n"));
    markdown_anchor(&anchor, heading.bytes);
    found = strcmp(anchor.bytes, wanted.bytes) == 0;
    text_free(&heading);
    text_free(&anchor);
  }
  text_free(&wanted);
  text_free(&tag);
  return found;
}

static void assert_links(const char *page) {
  uint32_t links = 0;
  for (const char *at = page; (at = strstr(at, "](#")); links++) {
    at += 3;
    size_t length = strcspn(at, ")");
    if (!has_anchor(page, at, length))
      fail_msg("nothing has the anchor %.*s", (int)length, at);
  }
  assert_true(links > 0);
}

/* Every picture of the page is one of the charts, and the other way round. */
static void assert_charts(const Review *review, const char *page) {
  uint32_t pictures = 0, count = 0;
  for (const char *at = page; (at = strstr(at, "](charts/")); at++) pictures++;
  for (uint32_t i = 0; i < review->count; i++) {
    ReviewCharts charts = {0};
    review_chart_list(&review->comparisons[i], &charts);
    count += charts.count;
    for (uint32_t j = 0; j < charts.count; j++) {
      assert_non_null(strstr(page, charts.data[j].name.bytes));
      markup_assert_picture(&charts.data[j].svg);
    }
    review_chart_free(&charts);
  }
  assert_int_equal(pictures, count);
}

static void assert_whole(const Review *review, const Text *page) {
  assert_tables(page->bytes);
  assert_links(page->bytes);
  assert_charts(review, page->bytes);
  assert_true(page->bytes[page->length - 1] == '\n');
  assert_null(strstr(page->bytes, "nan"));
  assert_null(strstr(page->bytes, "\n\n\n"));
}

/* Appends the text with one blank for each run of blanks and newlines. */
static void squeeze(Text *to, const char *text) {
  for (; *text; text++)
    if (!isspace((unsigned char)*text))
      text_add_byte(to, *text);
    else if (!isspace((unsigned char)text[1]))
      text_add_byte(to, ' ');
}

/* Wherever the lines of the page end. */
static void assert_says(const Text *page, const char *fragment) {
  Text whole = {0}, part = {0};
  squeeze(&whole, page->bytes);
  squeeze(&part, fragment);
  if (!strstr(whole.bytes, part.bytes))
    fail_msg("the page does not say: %s", fragment);
  text_free(&whole);
  text_free(&part);
}

static void test_page(void **state) {
  (void)state;
  static const char *const fragments[] = {
      "`tafl lab report`",
      "- A. Author, A Paper, 2009: [x-1.2](#table-x-12), [x-2](#table-x-2).",
      "301 games were played in all, the last on 2026-11-11 (UTC), by versions "
      "1.0 (80) and 1.1\n(221) of Tafl.",
      "the seed is 1;",
      "| [x-1.2](#table-x-12) | Two players: win rates | 4 | 3 | 250 | 100 | 1 "
      "| 1 | 1 | 14.0 | 3.7 |\n",
      "| all | | 6 | 4 | | | 2 | 1 | 1 |",
      "## Table x-1.2\n\n**Two players: win rates.** A. Author, A Paper, 2009, "
      "Table 3.\n\n    tafl lab x-1.2 --games 100\n\n100 games in each cell; "
      "the paper has 250.",
      "1 of 4 cells are not played yet.",
      "Played by versions 1.0 (80) and 1.1 (221).\n",
      "Played by versions 1.0 (80) and 1.1 (20).\n",
      "- A – B: `cadia2008` against `cadia2007`\n",
      "| | states | A – B | C |\n|---|--:|---|---|\n"
      "| Nim \\| small | 10,000 | 80.0 ± 8.0<br>**80.0 ± 9.0** = "
      "| 58.0 ± 5.0<br>**70.0 ± 8.6** ≈ |\n",
      "| Chess | 6,000 + 2,000 | 60.0 ± 3.0<br>**90.0 ± 7.7** ≠ "
      "| 52.0 (± 6.2)<br>not played |\n| mean | | 70.0 (± 4.3)<br>**85.0 ± ",
      "Of 3 cells compared, 1 agrees, 1 is near and 1 differs; the mean "
      "absolute difference is 14.0 points; chance alone would make it about "
      "3.7. Our intervals are ± 8 on average.",
      "(charts/x-1.2.svg)",
      "(charts/x-2-paper.svg)",
      "(charts/x-2.svg)",
      "### Where we differ\n\n- **Chess.** A – B: paper 60.0 ± 3.0, ours 90.0 "
      "± "
      "7.7. The board has other corners.\n",
      "- Only here.\n- Notes for several tables: [1](#note-1).\n",
      "- <a id=\"note-1\"></a>**1.** In both.\n",
      "| | 10 s<br>10,000 | 20 s<br>20,000 |\n|---|---|---|\n| Nim | "
      "79.0<br>**80.0 ± 8.0** = | 30.0<br>not played |\n",
      "that none is wider than ± 6 is",
      "100 games in each cell, more than in the paper."};
  Fixtures all;
  Text page = {0}, again = {0};
  set_up(&all);
  fill(&all);
  read_review(&all);
  review_write(&all.review, &page);
  for (size_t i = 0; i < LENGTH(fragments); i++)
    assert_says(&page, fragments[i]);
  assert_null(strstr(page.bytes, "Not this one."));
  assert_null(strstr(page.bytes, "Not explained yet"));
  assert_whole(&all.review, &page);
  review_free(&all.review);
  read_review(&all);
  review_write(&all.review, &again);
  assert_string_equal(page.bytes, again.bytes);
  text_free(&page);
  text_free(&again);
  tear_down(&all);
}

/* What has not been explained is said. */
static void test_unexplained(void **state) {
  (void)state;
  Fixtures all;
  Text page = {0};
  set_up(&all);
  add_games(all.results, &all.tables[1], 1, 0, 30, 1, "1.0", "ended");
  read_review(&all);
  review_write(&all.review, &page);
  assert_says(&page, "- **Nim.** 20 s: paper 30.0, ours 100.0 ± ");
  assert_says(&page, "Not explained yet.");
  assert_says(&page, "by version 1.0 of Tafl.");
  assert_whole(&all.review, &page);
  text_free(&page);
  tear_down(&all);
}

/* All our tables, of which nothing was played. */
static void test_ours(void **state) {
  (void)state;
  Fixtures all;
  Text page = {0}, error = {0};
  glob_t files;
  assert_int_equal(glob("tables/*.json", 0, NULL, &files), 0);
  Table *tables = memory_new(files.gl_pathc * sizeof *tables);
  for (size_t i = 0; i < files.gl_pathc; i++)
    if (!table_read(&tables[i], files.gl_pathv[i], &error))
      fail_msg("%s", error.bytes);
  set_up(&all);
  assert_true(
      review_read(&all.review, all.results, tables, (uint32_t)files.gl_pathc));
  review_write(&all.review, &page);
  assert_says(&page, "No game has been played yet.");
  assert_says(&page, "Not played yet; the paper has 250 games in each cell.");
  assert_null(strstr(page.bytes, "!["));
  assert_null(strstr(page.bytes, "not played"));
  assert_whole(&all.review, &page);
  for (size_t i = 0; i < files.gl_pathc; i++) table_free(&tables[i]);
  memory_delete(tables);
  globfree(&files);
  text_free(&page);
  tear_down(&all);
}

/* ---- JSON ---- */

static void test_json(void **state) {
  (void)state;
  Fixtures all;
  json_int_t games, played, differ;
  double value, half, mean;
  const char *verdict, *why, *command;
  set_up(&all);
  fill(&all);
  read_review(&all);
  json_t *whole = review_json(&all.review);
  json_t *table = json_array_get(json_object_get(whole, "tables"), 0);
  json_t *cell =
      json_array_get(json_array_get(json_object_get(table, "figures"), 1), 0);
  assert_int_equal(json_unpack(whole, "{s:I}", "games", &games), 0);
  assert_int_equal(games, 301);
  assert_int_equal(json_unpack(table, "{s:I, s:s, s:{s:I}}", "played", &played,
                               "command", &command, "verdicts", "differ",
                               &differ),
                   0);
  assert_int_equal(played, 3);
  assert_int_equal(differ, 1);
  assert_string_equal(command, "tafl lab x-1.2 --games 100");
  assert_int_equal(json_unpack(cell, "{s:{s:F, s:F}, s:s, s:s}", "ours",
                               "value", &value, "interval", &half, "verdict",
                               &verdict, "explanation", &why),
                   0);
  assert_true(value == 90 && half > 5 && half < 9);
  assert_string_equal(verdict, "differ");
  assert_string_equal(why, "The board has other corners.");
  cell = json_array_get(json_object_get(table, "columns"), 0);
  assert_int_equal(
      json_unpack(cell, "{s:{s:{s:F}}}", "mean", "ours", "value", &mean), 0);
  assert_true(mean == 85);
  json_decref(whole);
  tear_down(&all);
}

/* ---- Markdown ---- */

static void test_markdown(void **state) {
  (void)state;
  Text text = {0}, words = {0};
  for (int i = 0; i < 40; i++) text_add(&words, "word - 7. ± # ");
  markdown_paragraph(&text, "- ", words.bytes);
  for (const char *line = text.bytes; *line;) {
    size_t length = strcspn(line, "\n"), width = 0;
    for (size_t i = 0; i < length; i++) width += (line[i] & 0xc0) != 0x80;
    assert_true(width <= 104); /* what has a meaning follows a line's end */
    assert_true(line == text.bytes ? !strncmp(line, "- ", 2)
                                   : !strncmp(line, "  ", 2));
    if (line > text.bytes) assert_true(line[2] == 'w' || line[2] == '\xc2');
    line += length + 1;
  }
  text_clear(&text);
  markdown_count(&text, 1234567);
  text_add_byte(&text, ' ');
  markdown_count(&text, 999);
  text_add_byte(&text, ' ');
  markdown_estimate(&text, (Estimate){1060.3, NAN});
  text_add_byte(&text, ' ');
  markdown_quote(&text, (Estimate){53.25, 6.4}, false);
  text_add_byte(&text, ' ');
  markdown_quote(&text, (Estimate){76.84, 5.12}, true);
  text_add_byte(&text, ' ');
  markdown_cell(&text, "a|b<c\nd");
  text_add_byte(&text, ' ');
  markdown_anchor(&text, "Table thesis-5.1, So");
  assert_string_equal(text.bytes,
                      "1,234,567 999 1,060 53.25 ± 6.4 76.84 (± 5.1) "
                      "a\\|b&lt;c d table-thesis-51-so");
  text_free(&text);
  text_free(&words);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_explanations), cmocka_unit_test(test_wrong),
      cmocka_unit_test(test_comparison),   cmocka_unit_test(test_fill),
      cmocka_unit_test(test_fill_wrong),   cmocka_unit_test(test_page),
      cmocka_unit_test(test_unexplained),  cmocka_unit_test(test_ours),
      cmocka_unit_test(test_json),         cmocka_unit_test(test_markdown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
