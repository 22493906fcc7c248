/* tafl lab: the tables of the papers, played again and printed beside their
   figures; what was played is in the store. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "command/command.h"
#include "command/experiment.h"
#include "command/find.h"
#include "command/lab_report.h"
#include "command/lab_show.h"
#include "io/json.h"
#include "lab/figure.h"

/* ---- tables ---- */

static bool read_table(const char *id, Table *table) {
  Text path = {0}, error = {0};
  bool fine = find_table(id, &path, &error) &&
              table_read(table, text_string(&path), &error);
  if (!fine) log_error("%s", text_string(&error));
  text_free(&path);
  text_free(&error);
  return fine;
}

/* What the command line changes in all cells; also what tells experiments with
   the same table apart. */
static void write_changes(const Options *options, Text *text) {
  json_t *changes = json_object();
  if (options->seed != 1)
    json_object_set_new(changes, "seed", json_integer(options->seed));
  json_add_text(changes, JSON_COMPACT | JSON_SORT_KEYS, text);
  json_decref(changes);
}

static void list_series(const Options *options, const Table *table,
                        SeriesVector *list) {
  table_series(table, list);
  for (uint32_t i = 0; i < list->count; i++) {
    if (options->games) list->data[i].games = (uint32_t)options->games;
    if (options->seed != 1) list->data[i].seed = (uint64_t)options->seed;
  }
}

static int run_table(const Options *options, Results *results,
                     const Table *table) {
  SeriesVector list = {0};
  Text changes = {0};
  write_changes(options, &changes);
  list_series(options, table, &list);
  int64_t id = results_experiment(results, "lab", text_string(&table->id),
                                  text_string(&changes));
  int code = EXIT_INPUT;
  if (id)
    code = experiment_run(options, results, id, &list);
  else
    log_error("%s", results_error(results));
  if (id && code != EXIT_INPUT) lab_show_table(options, results, id, table);
  series_vector_free(&list);
  text_free(&changes);
  return code;
}

static int run_tables(const Options *options) {
  Results *results = experiment_open(options, true);
  int code = EXIT_FINE;
  if (!results) return EXIT_INPUT;
  for (int i = 0; i < options->argument_count; i++) {
    Table table;
    int own = EXIT_INPUT;
    if (read_table(options->arguments[i], &table)) {
      own = run_table(options, results, &table);
      table_free(&table);
    }
    if (own > code) code = own;
    if (own == EXIT_LIMIT) break;
  }
  results_close(results);
  return code;
}

/* ---- the verb ---- */

int command_lab(const Options *options) {
  if (!options->argument_count) {
    log_error("lab needs a table, or one of: report");
    return EXIT_USAGE;
  }
  if (!strcmp(options->arguments[0], "report")) return lab_report_run(options);
  return run_tables(options);
}
