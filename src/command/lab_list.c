/* tafl lab list: the tables, and how much of each is played. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command/command.h"
#include "command/experiment.h"
#include "command/find.h"
#include "command/lab.h"
#include "command/wrap.h"
#include "io/json.h"
#include "store/survey.h"

enum { NAME = 14 }; /* columns */

typedef struct Listed {
  Table table;
  uint64_t games, played, errors; /* in all series */
  uint32_t cells;
} Listed;

/* A series that was played longer than the table wants counts as complete. */
static bool count_series(Results *results, const Series *series,
                         Listed *listed) {
  Text key = {0};
  ResultsCount count;
  series_key(series, &key);
  int64_t id = survey_find(results, text_string(&key));
  text_free(&key);
  if (!id) return true;
  if (!results_count(results, id, series->games, &count)) {
    log_error("%s", results_error(results));
    return false;
  }
  listed->played += count.scored + count.errors;
  listed->errors += count.errors;
  return true;
}

/* Without a store nothing is played. */
static bool count_table(Results *results, Listed *listed) {
  const Table *table = &listed->table;
  SeriesVector list = {0};
  bool fine = true;
  table_series(table, &list);
  for (uint32_t i = 0; fine && i < list.count; i++) {
    listed->games += list.data[i].games;
    fine = !results || count_series(results, &list.data[i], listed);
  }
  for (uint32_t i = 0; i < table->rows.count * table->columns.count; i++)
    listed->cells += table->cells[i].there;
  series_vector_free(&list);
  return fine;
}

/* ---- printing ---- */

static void print_text(const Listed *listed) {
  Text text = {0};
  const char *id = text_string(&listed->table.id);
  text_add(&text, id);
  if (wrap_columns(id) >= NAME) text_add_byte(&text, '\n');
  wrap_to(&text, NAME);
  wrap_words(&text, text_string(&listed->table.title), NAME);
  text_add_byte(&text, '\n');
  wrap_to(&text, NAME);
  wrap_words(&text, text_string(&listed->table.source), NAME);
  text_add_byte(&text, '\n');
  wrap_to(&text, NAME);
  text_format(&text, "%u cells, %llu of %llu games played", listed->cells,
              (unsigned long long)listed->played,
              (unsigned long long)listed->games);
  if (listed->errors)
    text_format(&text, ", %llu ended with an error",
                (unsigned long long)listed->errors);
  printf("%s\n", text_string(&text));
  text_free(&text);
}

static json_t *json_listed(const Listed *listed) {
  const Table *table = &listed->table;
  return json_pack(
      "{s:o, s:o, s:o, s:s, s:I, s:I, s:I, s:I}", "id",
      json_plain(text_string(&table->id)), "title",
      json_plain(text_string(&table->title)), "source",
      json_plain(text_string(&table->source)), "measure",
      table_measure_name(table->measure), "cells", (json_int_t)listed->cells,
      "games", (json_int_t)listed->games, "played", (json_int_t)listed->played,
      "errors", (json_int_t)listed->errors);
}

static void print_value(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"') putchar('"');
    putchar(*text);
  }
  putchar('"');
}

static void print_csv(const Listed *listed) {
  const Table *table = &listed->table;
  print_value(text_string(&table->id));
  putchar(',');
  print_value(text_string(&table->title));
  putchar(',');
  print_value(text_string(&table->source));
  printf(",%s,%u,%llu,%llu,%llu\n", table_measure_name(table->measure),
         listed->cells, (unsigned long long)listed->games,
         (unsigned long long)listed->played,
         (unsigned long long)listed->errors);
}

static void print_markdown(const Listed *listed) {
  printf("| %s | %s | %u | %llu | %llu |\n", text_string(&listed->table.id),
         text_string(&listed->table.title), listed->cells,
         (unsigned long long)listed->games, (unsigned long long)listed->played);
}

static void print_head(const char *format) {
  if (strcmp(format, "csv") == 0)
    puts("table,title,source,measure,cells,games,played,errors");
  if (strcmp(format, "markdown") == 0)
    puts("| table | shows | cells | games | played |\n|---|---|--:|--:|--:|");
}

static void print_listed(const char *format, const Listed *listed,
                         json_t *list) {
  if (strcmp(format, "json") == 0)
    json_array_append_new(list, json_listed(listed));
  else if (strcmp(format, "csv") == 0)
    print_csv(listed);
  else if (strcmp(format, "markdown") == 0)
    print_markdown(listed);
  else
    print_text(listed);
}

static void print_foot(const char *format, json_t *list) {
  if (strcmp(format, "json") == 0) {
    json_dumpf(list, stdout, JSON_INDENT(2));
    putchar('\n');
  }
  json_decref(list);
}

/* ---- the verb ---- */

/* Returns NULL where there is no database yet, or sets the code. */
static Results *open_results(const Options *options, int *code) {
  Text path = {0};
  Results *results = NULL;
  experiment_path(options, &path);
  if (access(text_string(&path), F_OK) == 0 || *options->db) {
    results = experiment_open(options, false);
    if (!results) *code = EXIT_INPUT;
  }
  text_free(&path);
  return results;
}

int lab_list(const Options *options) {
  TextVector names = {0};
  int code = EXIT_FINE;
  json_t *list = json_array();
  if (options->argument_count != 1) {
    log_error("lab list takes nothing else");
    json_decref(list);
    return EXIT_USAGE;
  }
  Results *results = open_results(options, &code);
  find_tables(&names);
  print_head(options->format);
  for (uint32_t i = 0; i < names.count; i++) {
    Listed listed = {0};
    if (!lab_read(options, text_string(&names.data[i]), &listed.table)) {
      code = EXIT_INPUT;
      continue;
    }
    if (!count_table(results, &listed)) code = EXIT_INPUT;
    print_listed(options->format, &listed, list);
    table_free(&listed.table);
  }
  print_foot(options->format, list);
  text_vector_free(&names);
  results_close(results);
  return code;
}
