/* The report as JSON: what the page has, in full precision. */
#include <math.h>

#include "lab/review.h"
#include "lab/review_terms.h"

/* Sets a number; NAN is null. */
static void set_real(json_t *object, const char *key, double value) {
  json_object_set_new(object, key,
                      isfinite(value) ? json_real(value) : json_null());
}

static void set_text(json_t *object, const char *key, const Text *text) {
  json_object_set_new(object, key, json_string(text_string(text)));
}

static json_t *write_texts(const TextVector *list) {
  json_t *array = json_array();
  for (uint32_t i = 0; i < list->count; i++)
    json_array_append_new(array, json_string(text_string(&list->data[i])));
  return array;
}

static json_t *write_estimate(Estimate estimate) {
  json_t *object = json_object();
  set_real(object, "value", estimate.value);
  set_real(object, "interval", estimate.half);
  return object;
}

/* What cells and means have in common. */
static json_t *write_figures(const ComparisonCell *cell) {
  json_t *object = json_object(), *theirs = write_estimate(cell->theirs);
  json_object_set_new(theirs, "derived", json_boolean(cell->derived));
  json_object_set_new(object, "paper", theirs);
  json_object_set_new(object, "ours", write_estimate(cell->ours));
  json_object_set_new(object, "games", json_integer(cell->figure.games));
  json_object_set_new(object, "verdict",
                      json_string(estimate_verdict_name(cell->verdict)));
  return object;
}

static json_t *write_cell(const Comparison *comparison, uint32_t row,
                          uint32_t column) {
  const Table *table = comparison->table;
  const TableCell *cell = table_cell(table, row, column);
  const ComparisonCell *own = comparison_cell(comparison, row, column);
  const char *why = table_explanation(table, row, column);
  if (!cell->there) return json_null();
  json_t *object = write_figures(own);
  json_object_set_new(object, "errors", json_integer(own->figure.errors));
  json_object_set_new(object, "cut", json_integer(own->figure.cut));
  json_object_set_new(object, "series", series_write(&cell->series, false));
  if (why) json_object_set_new(object, "explanation", json_string(why));
  return object;
}

static json_t *write_cells(const Comparison *comparison) {
  const Table *table = comparison->table;
  json_t *rows = json_array();
  for (uint32_t row = 0; row < table->rows.count; row++) {
    json_t *cells = json_array();
    for (uint32_t column = 0; column < table->columns.count; column++)
      json_array_append_new(cells, write_cell(comparison, row, column));
    json_array_append_new(rows, cells);
  }
  return rows;
}

static json_t *write_columns(const Comparison *comparison) {
  const Table *table = comparison->table;
  json_t *list = json_array();
  for (uint32_t i = 0; i < table->columns.count; i++) {
    json_t *object = json_object();
    set_text(object, "name", &table->columns.data[i].name);
    if (!isnan(table->columns.data[i].x))
      set_real(object, "x", table->columns.data[i].x);
    if (table->means)
      json_object_set_new(object, "mean", write_figures(&comparison->means[i]));
    json_array_append_new(list, object);
  }
  return list;
}

static json_t *write_verdicts(const Comparison *comparison) {
  json_t *object = json_object();
  for (EstimateVerdict verdict = ESTIMATE_UNKNOWN; verdict <= ESTIMATE_DIFFER;
       verdict++)
    json_object_set_new(object, estimate_verdict_name(verdict),
                        json_integer(comparison->verdicts[verdict]));
  return object;
}

static json_t *write_versions(const Survey *survey) {
  json_t *object = json_object();
  for (uint32_t i = 0; i < survey->versions.count; i++)
    json_object_set_new(
        object, text_string(&survey->versions.data[i].name),
        json_integer((json_int_t)survey->versions.data[i].games));
  return object;
}

static json_t *write_table(const Comparison *comparison, const Survey *survey) {
  const Table *table = comparison->table;
  json_t *object = json_object();
  Text command = {0};
  review_terms_command(comparison, &command);
  set_text(object, "id", &table->id);
  set_text(object, "title", &table->title);
  set_text(object, "source", &table->source);
  json_object_set_new(object, "measure",
                      json_string(table_measure_name(table->measure)));
  set_text(object, "command", &command);
  json_object_set_new(object, "paper_games",
                      json_integer(review_terms_paper_games(comparison)));
  json_object_set_new(object, "cells", json_integer(comparison->count));
  json_object_set_new(object, "played", json_integer(comparison->played));
  json_object_set_new(object, "versions", write_versions(survey));
  json_object_set_new(object, "verdicts", write_verdicts(comparison));
  set_real(object, "mean_absolute_difference", comparison->distance);
  set_real(object, "expected_by_chance", comparison->chance);
  json_object_set_new(object, "rows", write_texts(&table->rows));
  json_object_set_new(object, "columns", write_columns(comparison));
  json_object_set_new(object, "figures", write_cells(comparison));
  if (table->pool.count)
    json_object_set_new(object, "pool", write_texts(&table->pool));
  json_object_set_new(object, "notes", write_texts(&table->notes));
  text_free(&command);
  return object;
}

json_t *review_json(const Review *review) {
  json_t *object = json_object(), *tables = json_array();
  const Survey *survey = &review->survey;
  json_object_set_new(object, "games", json_integer((json_int_t)survey->games));
  json_object_set_new(object, "versions", write_versions(survey));
  json_object_set_new(object, "last",
                      survey->games ? json_string(text_string(&survey->last))
                                    : json_null());
  for (uint32_t i = 0; i < review->count; i++)
    json_array_append_new(
        tables, write_table(&review->comparisons[i], &review->surveys[i]));
  json_object_set_new(object, "tables", tables);
  return object;
}
