/* Tables of the papers beside what the store has of them; where it has nothing,
   beside the figures that came with the program. A table is named by its file.
 */
#include <stdlib.h>

#include "lab/digest.h"
#include "lab/review.h"
#include "lab/review_chart.h"
#include "web/works.h"
#include "web/works_store.h"

/* ---- reading ---- */

/* Tables that can be read, the oldest papers first; only the one of that id
   unless it is NULL. */
typedef struct Tables {
  Table *list;
  uint32_t count;
  Review review;
} Tables;

static bool is_table(const char *path, const char *id) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  size_t length = strlen(id);
  return !strncmp(name, id, length) && !strcmp(name + length, ".json");
}

static void read_tables(Tables *tables, const TextVector *paths,
                        const char *id) {
  tables->list = memory_new((paths->count + 1) * sizeof *tables->list);
  for (uint32_t i = 0; i < paths->count; i++) {
    const char *path = text_string(&paths->data[i]);
    Text error = {0};
    if (id && !is_table(path, id)) continue;
    if (table_read(&tables->list[tables->count], path, &error))
      tables->count++;
    else
      log_error("%s", text_string(&error));
    text_free(&error);
  }
  qsort(tables->list, tables->count, sizeof *tables->list, table_compare);
}

/* Fills in the figures of the program. A file that is wrong is like none. */
static void fill_in(Tables *tables, const TextVector *paths) {
  for (uint32_t i = 0; i < paths->count; i++)
    for (uint32_t table = 0; table < tables->count; table++) {
      const char *path = text_string(&paths->data[i]);
      Text figures = {0}, error = {0};
      if (!is_table(path, text_string(&tables->list[table].id))) continue;
      digest_path(path, &figures);
      if (!review_fill(&tables->review, table, text_string(&figures), &error))
        log_error("%s", text_string(&error));
      text_free(&figures);
      text_free(&error);
    }
}

/* Reads the tables and what was played of them. Returns false, and has set the
   reply, if that fails; free them either way. */
static bool read_review(Tables *tables, const TaskCall *call, const char *id,
                        TaskReply *reply) {
  const WebSettings *settings = call->context;
  *tables = (Tables){0};
  Results *results = works_store_open(call, reply);
  if (!results) return false;
  read_tables(tables, &settings->tables, id);
  bool there = !id || tables->count;
  bool fine = there && review_read(&tables->review, results, tables->list,
                                   tables->count);
  if (fine) fill_in(tables, &settings->tables);
  if (!there)
    task_fail(reply, 404, "There is no such table.");
  else if (!fine)
    works_store_fail(results, reply);
  results_close(results);
  return fine;
}

static void free_tables(Tables *tables) {
  review_free(&tables->review);
  for (uint32_t i = 0; i < tables->count; i++) table_free(&tables->list[i]);
  memory_delete(tables->list);
}

/* ---- lab ---- */

/* Who played the figures that came with the program; null if these are the
   store's. */
static json_t *write_shipped(const Review *review, uint32_t table) {
  const Survey *survey = &review->surveys[table];
  if (!review->shipped[table]) return json_null();
  json_t *versions = json_array();
  for (uint32_t i = 0; i < survey->versions.count; i++)
    json_array_append_new(versions,
                          works_store_text(&survey->versions.data[i].name));
  return json_pack("{s:o, s:o}", "versions", versions, "last",
                   works_store_text(&survey->last));
}

static json_t *write_brief(const Review *review, uint32_t number) {
  const Comparison *comparison = &review->comparisons[number];
  const Table *table = comparison->table;
  json_t *brief = json_object();
  json_object_set_new(brief, "id", works_store_text(&table->id));
  json_object_set_new(brief, "title", works_store_text(&table->title));
  json_object_set_new(brief, "source", works_store_text(&table->source));
  json_object_set_new(brief, "cells", json_integer(comparison->count));
  json_object_set_new(brief, "played", json_integer(comparison->played));
  json_object_set_new(brief, "games",
                      json_integer((json_int_t)comparison->games));
  json_object_set_new(brief, "agree",
                      json_integer(comparison->verdicts[ESTIMATE_AGREE]));
  json_object_set_new(brief, "near",
                      json_integer(comparison->verdicts[ESTIMATE_NEAR]));
  json_object_set_new(brief, "differ",
                      json_integer(comparison->verdicts[ESTIMATE_DIFFER]));
  json_object_set_new(brief, "shipped", write_shipped(review, number));
  return brief;
}

static void list_tables(const TaskCall *call, TaskReply *reply) {
  Tables tables;
  if (read_review(&tables, call, NULL, reply)) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < tables.count; i++)
      json_array_append_new(list, write_brief(&tables.review, i));
    task_reply_json(reply, json_pack("{s:o}", "tables", list));
  }
  free_tables(&tables);
}

const TaskKind works_lab = {.work = list_tables, .seconds = 20, .keep = 10};

/* ---- lab/TABLE and its charts ---- */

/* The name of a chart without folder and ending. */
static void chart_name(const ReviewChart *chart, Text *name) {
  const char *file = text_string(&chart->name), *slash = strrchr(file, '/');
  if (slash) file = slash + 1;
  const char *dot = strrchr(file, '.');
  text_add_bytes(name, file, dot ? (size_t)(dot - file) : strlen(file));
}

static json_t *write_charts(const Comparison *comparison) {
  ReviewCharts charts = {0};
  json_t *list = json_array();
  review_chart_list(comparison, &charts);
  for (uint32_t i = 0; i < charts.count; i++) {
    Text name = {0};
    chart_name(&charts.data[i], &name);
    json_array_append_new(
        list, json_pack("{s:o, s:o}", "name", works_store_text(&name), "title",
                        works_store_text(&charts.data[i].title)));
    text_free(&name);
  }
  review_chart_free(&charts);
  return list;
}

static void answer_table(const Tables *tables, const TaskCall *call,
                         TaskReply *reply) {
  (void)call;
  json_t *whole = review_json(&tables->review);
  json_t *table = json_array_get(json_object_get(whole, "tables"), 0);
  json_object_set_new(table, "charts",
                      write_charts(&tables->review.comparisons[0]));
  json_object_set_new(table, "shipped", write_shipped(&tables->review, 0));
  json_incref(table);
  json_decref(whole);
  task_reply_json(reply, table);
}

static void answer_chart(const Tables *tables, const TaskCall *call,
                         TaskReply *reply) {
  ReviewCharts charts = {0};
  Text wanted = {0};
  works_store_chart(call, &wanted);
  review_chart_list(&tables->review.comparisons[0], &charts);
  for (uint32_t i = 0; i < charts.count && !reply->body.length; i++) {
    Text name = {0};
    chart_name(&charts.data[i], &name);
    if (!strcmp(text_string(&name), text_string(&wanted)))
      text_add(&reply->body, text_string(&charts.data[i].svg));
    text_free(&name);
  }
  if (reply->body.length)
    reply->type = works_store_svg;
  else
    task_fail(reply, 404, "There is no such chart.");
  review_chart_free(&charts);
  text_free(&wanted);
}

static void find_and_answer(const TaskCall *call, TaskReply *reply,
                            void (*answer)(const Tables *tables,
                                           const TaskCall *call,
                                           TaskReply *reply)) {
  Tables tables;
  Text id = {0};
  works_store_part(call, 1, &id);
  if (read_review(&tables, call, text_string(&id), reply))
    answer(&tables, call, reply);
  free_tables(&tables);
  text_free(&id);
}

static void show_table(const TaskCall *call, TaskReply *reply) {
  find_and_answer(call, reply, answer_table);
}

const TaskKind works_lab_table = {
    .work = show_table, .seconds = 20, .keep = 10};

static void draw_table(const TaskCall *call, TaskReply *reply) {
  find_and_answer(call, reply, answer_chart);
}

const TaskKind works_lab_chart = {
    .work = draw_table, .seconds = 20, .keep = 10};
