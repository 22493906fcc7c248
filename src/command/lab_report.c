/* The charts and the figures are written before the page, each file whole. The
   store is only read. */
#include "command/lab_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "command/command.h"
#include "command/experiment.h"
#include "command/find.h"
#include "lab/digest.h"
#include "lab/review.h"
#include "lab/review_chart.h"

static const char page_name[] = "experiments.md";

/* ---- files ---- */

/* Appends the path of the page: --out, or experiments.md in that directory. */
static void find_page(const Options *options, Text *path) {
  const char *out = *options->out ? options->out : "docs";
  size_t length = strlen(out);
  struct stat status;
  bool directory = stat(out, &status) == 0
                       ? S_ISDIR(status.st_mode)
                       : length < 3 || strcmp(out + length - 3, ".md");
  text_add(path, out);
  if (!directory) return;
  text_format(path, "%s%s", out[length - 1] == '/' ? "" : "/", page_name);
}

static bool write_file(const char *path, const Text *text) {
  Text error = {0};
  file_make_above(path, 0777);
  bool fine = file_replace(path, text_string(text), text->length, &error);
  if (!fine) log_error("%s: %s", path, text_string(&error));
  text_free(&error);
  return fine;
}

/* Writes the charts of a table beside the page. */
static bool write_charts(const Comparison *comparison, const char *page) {
  const char *slash = strrchr(page, '/');
  ReviewCharts charts = {0};
  bool fine = true;
  review_chart_list(comparison, &charts);
  for (uint32_t i = 0; fine && i < charts.count; i++) {
    Text path = {0};
    if (slash) text_add_bytes(&path, page, (size_t)(slash - page) + 1);
    text_add(&path, text_string(&charts.data[i].name));
    fine = write_file(text_string(&path), &charts.data[i].svg);
    text_free(&path);
  }
  review_chart_free(&charts);
  return fine;
}

/* Writes the figures of a table (lab/digest.h): where the program looks for
   them, tables/figures, or beside the page if --out says where that is. What is
   there of a table that was not played is left alone. */
static bool write_figures(const Options *options, const Review *review,
                          uint32_t number, const char *page) {
  const Comparison *comparison = &review->comparisons[number];
  const char *slash = strrchr(page, '/');
  Text table = {0}, path = {0}, text = {0};
  if (!comparison->played) return true;
  if (!*options->out)
    text_add(&table, "tables/");
  else if (slash)
    text_add_bytes(&table, page, (size_t)(slash - page) + 1);
  text_format(&table, "%s.json", text_string(&comparison->table->id));
  digest_path(text_string(&table), &path);
  digest_write(comparison, &review->surveys[number], &text);
  bool fine = write_file(text_string(&path), &text);
  text_free(&table);
  text_free(&path);
  text_free(&text);
  return fine;
}

static bool write_page(const Options *options, const Review *review) {
  Text path = {0}, page = {0};
  find_page(options, &path);
  bool fine = true;
  for (uint32_t i = 0; fine && i < review->count; i++)
    fine = write_charts(&review->comparisons[i], text_string(&path)) &&
           write_figures(options, review, i, text_string(&path));
  review_write(review, &page);
  fine = fine && write_file(text_string(&path), &page);
  if (fine) printf("%s\n", text_string(&path));
  text_free(&path);
  text_free(&page);
  return fine;
}

static bool print_json(const Review *review) {
  json_t *whole = review_json(review);
  bool fine =
      json_dumpf(whole, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
  putchar('\n');
  json_decref(whole);
  return fine;
}

/* ---- the verb ---- */

/* Lists the files of the tables that are named after `report`, or of all. */
static bool list_paths(const Options *options, TextVector *paths, Text *error) {
  if (options->argument_count < 2) find_tables(paths);
  for (int i = 1; i < options->argument_count; i++) {
    Text path = {0};
    bool fine = find_table(options->arguments[i], &path, error);
    vector_push(paths, path);
    if (!fine) return false;
  }
  return true;
}

/* Reads the tables, the oldest papers first. */
static bool read_tables(const Options *options, Table **tables,
                        uint32_t *count) {
  TextVector paths = {0};
  Text error = {0};
  bool fine = list_paths(options, &paths, &error);
  *count = 0;
  *tables = memory_new((paths.count + 1) * sizeof **tables);
  for (uint32_t i = 0; fine && i < paths.count; i++) {
    fine = table_read(&(*tables)[i], text_string(&paths.data[i]), &error);
    *count += fine;
  }
  if (!fine) log_error("%s", text_string(&error));
  qsort(*tables, *count, sizeof **tables, table_compare);
  text_vector_free(&paths);
  text_free(&error);
  return fine;
}

static int report(const Options *options, Results *results, const Table *tables,
                  uint32_t count) {
  Review review;
  bool fine = review_read(&review, results, tables, count);
  if (!fine)
    log_error("%s", sqlite3_errmsg(results_database(results)));
  else if (!strcmp(options->format, "json"))
    fine = print_json(&review);
  else
    fine = write_page(options, &review);
  review_free(&review);
  return fine ? EXIT_FINE : EXIT_INPUT;
}

int lab_report_run(const Options *options) {
  int code = EXIT_INPUT;
  Table *tables;
  uint32_t count;
  if (!strcmp(options->format, "csv")) {
    log_error("the report is a page or JSON; tafl lab TABLE --show prints CSV");
    return EXIT_USAGE;
  }
  bool fine = read_tables(options, &tables, &count);
  Results *results = fine ? experiment_open(options, false) : NULL;
  if (results) code = report(options, results, tables, count);
  if (results) results_close(results);
  for (uint32_t i = 0; i < count; i++) table_free(&tables[i]);
  memory_delete(tables);
  return code;
}
