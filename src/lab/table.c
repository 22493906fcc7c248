/* Tables in memory; table_read.c reads them. */
#include "lab/table.h"

static const char *const measure_names[] = {[MEASURE_WIN] = "win",
                                            [MEASURE_GOAL] = "goal",
                                            [MEASURE_SPEED] = "speed",
                                            [MEASURE_FOUND] = "found"};

const char *table_measure_name(TableMeasure measure) {
  return measure_names[measure];
}

void table_free(Table *table) {
  if (table->cells)
    for (uint32_t i = 0; i < table->rows.count * table->columns.count; i++)
      series_free(&table->cells[i].series);
  memory_delete(table->cells);
  for (uint32_t i = 0; i < table->columns.count; i++)
    text_free(&table->columns.data[i].name);
  vector_free(&table->columns);
  for (uint32_t i = 0; i < table->explanations.count; i++) {
    text_free(&table->explanations.data[i].of);
    text_free(&table->explanations.data[i].text);
  }
  vector_free(&table->explanations);
  text_vector_free(&table->rows);
  text_vector_free(&table->found);
  text_vector_free(&table->pool);
  text_vector_free(&table->notes);
  text_free(&table->id);
  text_free(&table->title);
  text_free(&table->source);
  text_free(&table->chart);
  text_free(&table->x_title);
  *table = (Table){0};
}

TableCell *table_cell(const Table *table, uint32_t row, uint32_t column) {
  return &table->cells[row * table->columns.count + column];
}

static const char *find_explanation(const Table *table, const char *of) {
  for (uint32_t i = 0; i < table->explanations.count; i++)
    if (!strcmp(text_string(&table->explanations.data[i].of), of))
      return text_string(&table->explanations.data[i].text);
  return NULL;
}

const char *table_explanation(const Table *table, uint32_t row,
                              uint32_t column) {
  const char *row_name = text_string(&table->rows.data[row]);
  const char *column_name = text_string(&table->columns.data[column].name);
  Text cell = {0};
  text_format(&cell, "%s / %s", row_name, column_name);
  const char *text = find_explanation(table, text_string(&cell));
  if (!text) text = find_explanation(table, row_name);
  if (!text) text = find_explanation(table, column_name);
  if (!text) text = find_explanation(table, "*");
  text_free(&cell);
  return text;
}

void table_cell_series(const Table *table, const TableCell *cell,
                       SeriesVector *list) {
  uint32_t count = table->pool.count ? table->pool.count : 1;
  for (uint32_t i = 0; cell->there && i < count; i++) {
    Series series;
    series_copy(&series, &cell->series);
    if (table->pool.count) {
      text_clear(&series.game);
      text_add(&series.game, text_string(&table->pool.data[i]));
    }
    vector_push(list, series);
  }
}

/* Moves a series to the list, unless the list has its key. */
static void add_once(SeriesVector *list, TextVector *keys, Series *series) {
  Text key = {0};
  series_key(series, &key);
  uint32_t at = 0;
  while (at < keys->count && strcmp(keys->data[at].bytes, key.bytes) != 0) at++;
  if (at == keys->count) {
    vector_push(keys, key);
    vector_push(list, *series);
    return;
  }
  Series *known = &list->data[list->count - keys->count + at];
  if (known->games < series->games) known->games = series->games;
  series_free(series);
  text_free(&key);
}

void table_series(const Table *table, SeriesVector *list) {
  TextVector keys = {0}; /* of what was added */
  for (uint32_t i = 0; i < table->rows.count * table->columns.count; i++) {
    SeriesVector own = {0};
    table_cell_series(table, &table->cells[i], &own);
    for (uint32_t j = 0; j < own.count; j++)
      add_once(list, &keys, &own.data[j]);
    vector_free(&own);
  }
  text_vector_free(&keys);
}

/* ---- order ---- */

/* Returns the last number of four digits in the source, 0 if there is none. */
static int year_of(const Table *table) {
  const char *source = text_string(&table->source);
  int year = 0;
  for (const char *at = source; *at;) {
    size_t digits = strspn(at, "0123456789");
    if (digits == 4) year = atoi(at);
    at += digits ? digits : 1;
  }
  return year;
}

int table_compare(const void *a, const void *b) {
  const Table *one = a, *other = b;
  int years = year_of(one) - year_of(other);
  return years ? years : strcmp(text_string(&one->id), text_string(&other->id));
}
