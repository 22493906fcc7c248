/* The readers of tables and of our figures of them on any bytes. What is
   refused has a reason that begins with the path. What is read has complete
   series in all cells, which stay the same when they are written and read
   again; no series is listed twice. Figures, too, stay the same. */
#include "lab/digest.h"

#include <math.h>
#include <string.h>

#include "fuzz/fuzz.h"

static void check_again(const Series *series) {
  Series again;
  Text first = {0}, second = {0}, error = {0};
  json_t *object = series_write(series, false);
  series_init(&again);
  promise(series_read(&again, object, &error), "a written series is a series");
  promise(again.games == series->games, "it has as many games");
  series_key(series, &first);
  series_key(&again, &second);
  promise(strcmp(text_string(&first), text_string(&second)) == 0,
          "it has the same key");
  series_free(&again);
  json_decref(object);
  text_free(&first);
  text_free(&second);
}

static void check_cell(const Table *table, const TableCell *cell) {
  SeriesVector list = {0};
  Text words = {0};
  uint32_t games = table->pool.count ? table->pool.count : 1;
  table_cell_series(table, cell, &list);
  promise(list.count == (cell->there ? games : 0), "a series for each game");
  for (uint32_t i = 0; i < list.count; i++) {
    const Series *series = &list.data[i];
    promise(series->game.length && series->players.count, "it can be played");
    promise(series->games && series->steps, "and has games");
    promise(series_play(series).simulations <= UINT64_C(1) << 63, "a budget");
    promise(series_start(series).states <= UINT64_C(1) << 63, "and a start");
    series_write_budget(series, &words);
  }
  promise(!cell->there || !isnan(cell->figure), "the paper has a figure");
  promise(isnan(cell->interval) || cell->interval >= 0, "and an interval");
  series_vector_free(&list);
  text_free(&words);
}

static void check_list(const Table *table) {
  SeriesVector list = {0};
  Text before = {0}, own = {0};
  table_series(table, &list);
  for (uint32_t i = 0; i < list.count; i++) {
    text_clear(&own);
    series_key(&list.data[i], &own);
    promise(!i || strcmp(text_string(&before), text_string(&own)) != 0,
            "no series is there twice");
    text_clear(&before);
    text_add(&before, text_string(&own));
    if (i < 8) check_again(&list.data[i]);
  }
  series_vector_free(&list);
  text_free(&before);
  text_free(&own);
}

static void check_table(const Table *table) {
  uint32_t rows = table->rows.count, columns = table->columns.count;
  promise(rows && columns && rows * columns <= TABLE_CELLS, "there are cells");
  promise(table->found.count == (table->measure == MEASURE_FOUND ? rows : 0),
          "each row says what it counts");
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t column = 0; column < columns; column++)
      check_cell(table, table_cell(table, row, column));
  check_list(table);
}

static void check_reason(const Text *error, const char *path) {
  promise(strncmp(text_string(error), path, strlen(path)) == 0,
          "a reason with its place where something is wrong");
}

static void check_figures(const Comparison *comparison, const Survey *survey) {
  const Table *table = comparison->table;
  Comparison again;
  Survey other;
  Text first = {0}, second = {0}, error = {0};
  promise(comparison->played && comparison->played <= comparison->count,
          "something was played");
  digest_write(comparison, survey, &first);
  promise(digest_parse(&again, &other, table, "again", first.bytes,
                       first.length, &error),
          "written figures are figures");
  digest_write(&again, &other, &second);
  promise(strcmp(first.bytes, second.bytes) == 0, "they stay the same");
  comparison_free(&again);
  survey_free(&other);
  text_free(&first);
  text_free(&second);
}

/* The bytes as figures of a table with two rows and two columns. */
static void try_figures(const char *data, size_t size) {
  static const char text[] =
      "{\"title\":\"t\",\"source\":\"s\",\"measure\":\"goal\",\"game\":\"g\","
      "\"players\":[\"random\"],\"rows\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
      "\"columns\":[{\"name\":\"x\"},{\"name\":\"y\"}],\"means\":true,"
      "\"figures\":[[[1,2],3],[4,null]]}";
  static const char path[] = "figures/fuzz.json";
  Table table;
  Comparison comparison;
  Survey survey;
  Text error = {0};
  promise(table_parse(&table, "t.json", text, strlen(text), &error), "a table");
  if (digest_parse(&comparison, &survey, &table, path, data, size, &error)) {
    check_figures(&comparison, &survey);
    comparison_free(&comparison);
    survey_free(&survey);
  } else {
    check_reason(&error, path);
  }
  table_free(&table);
  text_free(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char path[] = "tables/fuzz.json";
  Table table;
  Text error = {0};
  try_figures((const char *)data, size);
  if (table_parse(&table, path, (const char *)data, size, &error)) {
    promise(!error.length, "no reason where nothing is wrong");
    check_table(&table);
    table_free(&table);
  } else {
    check_reason(&error, path);
  }
  text_free(&error);
  return 0;
}
