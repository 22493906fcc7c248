#include "lab/review_table.h"

#include "lab/markdown.h"
#include "lab/review_chart.h"
#include "lab/review_terms.h"

/* ---- where we differ ---- */

static bool differs(const Comparison *comparison, uint32_t row,
                    uint32_t column) {
  return comparison_cell(comparison, row, column)->verdict == ESTIMATE_DIFFER;
}

static void add_figures(const Comparison *comparison, uint32_t column,
                        const ComparisonCell *cell, Text *line) {
  text_format(line, "%s: paper ",
              text_string(&comparison->table->columns.data[column].name));
  markdown_quote(line, comparison_shown(comparison, cell), cell->derived);
  text_add(line, ", ours ");
  markdown_estimate(line, cell->ours);
}

/* Returns true if an earlier cell of the row that differs has the same
   explanation. */
static bool explained_before(const Comparison *comparison, uint32_t row,
                             uint32_t column) {
  const char *text = table_explanation(comparison->table, row, column);
  for (uint32_t before = 0; before < column; before++)
    if (differs(comparison, row, before) &&
        table_explanation(comparison->table, row, before) == text)
      return true;
  return false;
}

/* The cells of a row that differ, then why. */
static void write_differing_row(const Comparison *comparison, uint32_t row,
                                Text *page) {
  const Table *table = comparison->table;
  Text line = {0};
  bool any = false;
  text_format(&line, "**%s.** ", text_string(&table->rows.data[row]));
  for (uint32_t column = 0; column < table->columns.count; column++) {
    if (!differs(comparison, row, column)) continue;
    if (any) text_add(&line, "; ");
    any = true;
    add_figures(comparison, column, comparison_cell(comparison, row, column),
                &line);
  }
  text_add(&line, ".");
  for (uint32_t column = 0; column < table->columns.count; column++) {
    if (!differs(comparison, row, column)) continue;
    if (explained_before(comparison, row, column)) continue;
    const char *text = table_explanation(table, row, column);
    text_format(&line, " %s", text ? text : "Not explained yet.");
  }
  markdown_paragraph(page, "- ", text_string(&line));
  text_free(&line);
}

/* Means that differ are listed; why they do is said with the rows. */
static void write_differing_means(const Comparison *comparison, Text *page) {
  const Table *table = comparison->table;
  Text line = {0};
  for (uint32_t i = 0; table->means && i < table->columns.count; i++) {
    const ComparisonCell *mean = &comparison->means[i];
    if (mean->verdict != ESTIMATE_DIFFER) continue;
    text_add(&line, line.length ? "; " : "**Mean.** ");
    add_figures(comparison, i, mean, &line);
  }
  if (line.length) {
    text_add(&line, ". This follows from the rows.");
    markdown_paragraph(page, "- ", text_string(&line));
  }
  text_free(&line);
}

static void write_differences(const Comparison *comparison, Text *page) {
  const Table *table = comparison->table;
  if (!comparison->verdicts[ESTIMATE_DIFFER]) return;
  text_add(page, "### Where we differ\n\n");
  for (uint32_t row = 0; row < table->rows.count; row++) {
    bool any = false;
    for (uint32_t column = 0; column < table->columns.count; column++)
      any |= differs(comparison, row, column);
    if (any) write_differing_row(comparison, row, page);
  }
  write_differing_means(comparison, page);
  text_add_byte(page, '\n');
}

/* ---- the section ---- */

static void write_charts(const Comparison *comparison, Text *page) {
  ReviewCharts charts = {0};
  review_chart_list(comparison, &charts);
  for (uint32_t i = 0; i < charts.count; i++) {
    text_add(page, "![");
    markdown_cell(page, text_string(&charts.data[i].title));
    text_format(page, "](%s)\n", text_string(&charts.data[i].name));
  }
  if (charts.count) text_add_byte(page, '\n');
  review_chart_free(&charts);
}

static void write_notes(const Review *review, const Table *table, Text *page) {
  bool *common = memory_new((review->notes.count + 1) * sizeof *common);
  Text line = {0};
  if (table->notes.count) text_add(page, "### Notes\n\n");
  for (uint32_t i = 0; i < table->notes.count; i++) {
    const char *note = text_string(&table->notes.data[i]);
    uint32_t number = review_note(review, note);
    if (number)
      common[number - 1] = true;
    else
      markdown_paragraph(page, "- ", note);
  }
  for (uint32_t i = 0; i < review->notes.count; i++)
    if (common[i])
      text_format(&line, "%s[%u](#note-%u)",
                  line.length ? ", " : "Notes for several tables: ", i + 1,
                  i + 1);
  if (line.length) {
    text_add_byte(&line, '.');
    markdown_paragraph(page, "- ", text_string(&line));
  }
  if (table->notes.count) text_add_byte(page, '\n');
  memory_delete(common);
  text_free(&line);
}

/* Which version played, if not all games were played by one. */
static void write_versions(const Review *review, uint32_t number, Text *page) {
  const Survey *survey = &review->surveys[number];
  Text line = {0};
  if (review->survey.versions.count < 2 || !survey->games) return;
  text_add(&line, "Played by ");
  review_versions(survey, &line);
  text_add_byte(&line, '.');
  markdown_paragraph(page, "", text_string(&line));
  text_add_byte(page, '\n');
  text_free(&line);
}

void review_table_heading(const Table *table, Text *text) {
  text_format(text, "Table %s", text_string(&table->id));
}

void review_table_write(const Review *review, uint32_t number, Text *page) {
  const Comparison *comparison = &review->comparisons[number];
  const Table *table = comparison->table;
  Text line = {0};
  text_add(page, "## ");
  review_table_heading(table, page);
  text_add(page, "\n\n");
  text_format(&line, "**%s.** %s.", text_string(&table->title),
              text_string(&table->source));
  markdown_paragraph(page, "", text_string(&line));
  text_add(page, "\n    ");
  review_terms_command(comparison, page);
  text_add(page, "\n\n");
  review_terms_write_games(comparison, page);
  write_versions(review, number, page);
  review_terms_write_players(table, page);
  review_terms_write_budget(table, page);
  review_figures_write(comparison, page);
  review_figures_write_legend(comparison, page);
  review_figures_write_outcome(comparison, page);
  write_charts(comparison, page);
  write_differences(comparison, page);
  write_notes(review, table, page);
  text_free(&line);
}
