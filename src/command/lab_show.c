/* Text has one line for each cell, under the name of its row:

     Othello                     paper          here     games
       2008 (MAST)      56.75 ± 6.80  55.50 ± 6.85   200/200  agree */
#include "command/lab_show.h"

#include <math.h>
#include <stdio.h>

#include "command/lab.h"
#include "command/wrap.h"
#include "io/json.h"
#include "lab/review.h"

enum { LABEL = 30, FIGURE = 15, GAMES = 11 }; /* columns */

/* ---- text ---- */

static void add_estimate(Estimate estimate, bool derived, Text *text) {
  int digits = fabs(estimate.value) >= 1000 ? 0 : 2;
  if (isnan(estimate.value)) return;
  text_format(text, "%.*f", digits, estimate.value);
  if (isnan(estimate.half)) return;
  text_format(text, derived ? " (± %.*f)" : " ± %.*f", digits, estimate.half);
}

/* Right-aligned, in its column. */
static void add_column(Text *text, const Text *value, uint32_t columns) {
  uint32_t own = wrap_columns(text_string(value));
  for (; own < columns; own++) text_add_byte(text, ' ');
  text_add(text, text_string(value));
}

static void add_label(Text *text, const char *name, int indent) {
  text_format(text, "%*s%s", indent, "", name);
  if (wrap_columns(name) + (uint32_t)indent > LABEL) text_add_byte(text, '\n');
  wrap_to(text, LABEL);
}

static void add_trouble(Text *text, const Figure *figure) {
  if (!figure->errors && !figure->cut) return;
  text_format(text, "%*s", LABEL + 2, "");
  if (figure->cut)
    text_format(text, "%u cut off at the step limit%s", figure->cut,
                figure->errors ? ", " : "");
  if (figure->errors)
    text_format(text, "%u ended with an error", figure->errors);
  text_add_byte(text, '\n');
}

/* `wanted` is the number of games that the paper has; 0: not shown. */
static void add_cell(Text *text, const char *name, int indent,
                     const ComparisonCell *cell, uint64_t wanted) {
  Text theirs = {0}, ours = {0}, games = {0};
  bool played = !isnan(cell->ours.value);
  add_estimate(cell->theirs, cell->derived, &theirs);
  add_estimate(cell->ours, false, &ours);
  if (!played) text_add(&ours, "not played");
  if (wanted)
    text_format(&games, "%u/%llu", cell->figure.games,
                (unsigned long long)wanted);
  else
    text_format(&games, "%u", cell->figure.games);
  add_label(text, name, indent);
  add_column(text, &theirs, FIGURE);
  add_column(text, &ours, FIGURE);
  add_column(text, &games, GAMES);
  if (cell->verdict != ESTIMATE_UNKNOWN)
    text_format(text, "  %s", estimate_verdict_name(cell->verdict));
  text_add_byte(text, '\n');
  add_trouble(text, &cell->figure);
  text_free(&theirs);
  text_free(&ours);
  text_free(&games);
}

static void add_head(const Comparison *comparison, const char *changes,
                     Text *text) {
  const Table *table = comparison->table;
  text_format(text, "%s: ", text_string(&table->id));
  wrap_words(text, text_string(&table->title), 2);
  text_add_byte(text, '\n');
  wrap_words(text, text_string(&table->source), 0);
  text_add(text, "\n");
  if (*changes) text_format(text, "Played otherwise than there: %s\n", changes);
  text_add(text, "\n");
  if (table->columns.count == 1)
    add_label(text, text_string(&table->columns.data[0].name), 0);
  else
    wrap_to(text, LABEL);
  text_format(text, "%*s%*s%*s\n", FIGURE, "paper", FIGURE, "here", GAMES,
              "games");
}

static uint64_t wanted_games(const Table *table, const TableCell *cell) {
  return (uint64_t)cell->series.games *
         (table->pool.count ? table->pool.count : 1);
}

static void add_rows(const Comparison *comparison, Text *text) {
  const Table *table = comparison->table;
  bool single = table->columns.count == 1;
  for (uint32_t row = 0; row < table->rows.count; row++) {
    const char *name = text_string(&table->rows.data[row]);
    if (!single) text_format(text, "%s\n", name);
    for (uint32_t column = 0; column < table->columns.count; column++) {
      const TableCell *cell = table_cell(table, row, column);
      if (!cell->there) continue;
      add_cell(text,
               single ? name : text_string(&table->columns.data[column].name),
               single ? 0 : 2, comparison_cell(comparison, row, column),
               wanted_games(table, cell));
    }
  }
}

static void add_means(const Comparison *comparison, Text *text) {
  const Table *table = comparison->table;
  bool single = table->columns.count == 1;
  if (!table->means) return;
  if (!single) text_add(text, "Mean of the rows\n");
  for (uint32_t i = 0; i < table->columns.count; i++) {
    const char *name = text_string(&table->columns.data[i].name);
    add_cell(text, single ? "Mean of the rows" : name, single ? 0 : 2,
             &comparison->means[i], 0);
  }
}

static void add_outcome(const Comparison *comparison, Text *text) {
  Text line = {0};
  text_format(&line, "%u of %u cells played", comparison->played,
              comparison->count);
  for (EstimateVerdict i = ESTIMATE_AGREE; i <= ESTIMATE_DIFFER; i++)
    if (comparison->verdicts[i])
      text_format(&line, ", %u %s", comparison->verdicts[i],
                  estimate_verdict_name(i));
  if (!isnan(comparison->distance) &&
      comparison->table->measure != MEASURE_SPEED)
    text_format(&line, "; %.1f from the paper on average",
                comparison->distance);
  text_add(&line, ".");
  if (comparison->verdicts[ESTIMATE_AGREE] +
      comparison->verdicts[ESTIMATE_NEAR] +
      comparison->verdicts[ESTIMATE_DIFFER])
    text_format(&line,
                " Intervals are of 95 %%. %s: that of the difference contains "
                "0; %s: the two intervals overlap.",
                estimate_verdict_name(ESTIMATE_AGREE),
                estimate_verdict_name(ESTIMATE_NEAR));
  text_add_byte(text, '\n');
  wrap_words(text, text_string(&line), 0);
  text_add_byte(text, '\n');
  text_free(&line);
}

void lab_show_text(const Comparison *comparison, const char *changes,
                   Text *text) {
  add_head(comparison, changes, text);
  add_rows(comparison, text);
  add_means(comparison, text);
  add_outcome(comparison, text);
}

/* ---- CSV ---- */

static void add_value(Text *text, const char *value) {
  if (!value[strcspn(value, ",\"\r\n")]) {
    text_format(text, "%s,", value);
    return;
  }
  text_add_byte(text, '"');
  for (; *value; value++) {
    if (*value == '"') text_add_byte(text, '"');
    text_add_byte(text, *value);
  }
  text_add(text, "\",");
}

static void add_real(Text *text, double value) {
  if (!isnan(value)) text_format(text, "%.15g", value);
  text_add_byte(text, ',');
}

static void add_series(Text *text, const Table *table, const Series *series) {
  Text players = {0};
  for (uint32_t i = 0; i < series->players.count; i++)
    text_format(&players, "%s%s", i ? " " : "",
                text_string(&series->players.data[i]));
  add_value(text, table->pool.count ? "" : text_string(&series->game));
  add_value(text, text_string(&players));
  text_free(&players);
}

static void add_csv_row(Text *text, const Table *table, const char *row,
                        const char *column, const TableCell *cell,
                        const ComparisonCell *own) {
  const Tally *tally = &own->figure.tally;
  add_value(text, text_string(&table->id));
  add_value(text, row);
  add_value(text, column);
  if (cell)
    add_series(text, table, &cell->series);
  else
    text_add(text, ",,");
  add_real(text, own->theirs.value);
  add_real(text, own->derived ? (double)NAN : own->theirs.half);
  add_real(text, own->ours.value);
  add_real(text, own->ours.half);
  text_format(text, "%u,%llu,%llu,%llu,%u,%u,%s\n", own->figure.games,
              (unsigned long long)tally->wins, (unsigned long long)tally->draws,
              (unsigned long long)tally->losses, own->figure.cut,
              own->figure.errors, estimate_verdict_name(own->verdict));
}

static void write_csv(const Comparison *comparison, bool first, Text *text) {
  const Table *table = comparison->table;
  if (first)
    text_add(text, "table,row,column,game,players,paper,paper_interval,here,"
                   "here_interval,games,wins,draws,losses,cut_off,errors,"
                   "verdict\n");
  for (uint32_t row = 0; row < table->rows.count; row++)
    for (uint32_t column = 0; column < table->columns.count; column++)
      if (table_cell(table, row, column)->there)
        add_csv_row(text, table, text_string(&table->rows.data[row]),
                    text_string(&table->columns.data[column].name),
                    table_cell(table, row, column),
                    comparison_cell(comparison, row, column));
  for (uint32_t i = 0; table->means && i < table->columns.count; i++)
    add_csv_row(text, table, "mean", text_string(&table->columns.data[i].name),
                NULL, &comparison->means[i]);
}

/* ---- all of them ---- */

static void write_markdown(const Comparison *comparison, const char *changes,
                           Text *text) {
  const Table *table = comparison->table;
  text_format(text, "## %s: %s\n\n%s\n\n", text_string(&table->id),
              text_string(&table->title), text_string(&table->source));
  if (*changes)
    text_format(text, "Played otherwise than there: %s\n\n", changes);
  review_figures_write(comparison, text);
  text_add_byte(text, '\n');
  review_figures_write_legend(comparison, text);
  review_figures_write_outcome(comparison, text);
}

static void write_json(const Review *review, const char *changes, Text *text) {
  json_t *object = review_json(review);
  json_object_set_new(object, "changes", json_plain(changes));
  json_add_text(object, JSON_COMPACT | JSON_REAL_PRECISION(15), text);
  text_add_byte(text, '\n');
  json_decref(object);
}

bool lab_show_table(const Options *options, Results *results,
                    const Table *table, bool first) {
  Review review;
  Text text = {0}, change = {0};
  lab_describe_changes(options, &change);
  const char *changes = text_string(&change);
  bool fine = review_read(&review, results, table, 1);
  const Comparison *comparison = review.comparisons;
  if (!fine)
    log_error("%s", results_error(results));
  else if (strcmp(options->format, "json") == 0)
    write_json(&review, changes, &text);
  else if (strcmp(options->format, "csv") == 0)
    write_csv(comparison, first, &text);
  else if (strcmp(options->format, "markdown") == 0)
    write_markdown(comparison, changes, &text);
  else
    lab_show_text(comparison, changes, &text);
  if (fine && !first &&
      (!strcmp(options->format, "table") ||
       !strcmp(options->format, "markdown")))
    putchar('\n');
  fputs(text_string(&text), stdout);
  fflush(stdout);
  review_free(&review);
  text_free(&text);
  text_free(&change);
  return fine;
}
