/* A table with more than a few columns is broken where the budget changes from
   one column to the next. */
#include "lab/review.h"

#include <math.h>

#include "lab/markdown.h"
#include "lab/review_terms.h"

enum { COLUMNS = 6 }; /* side by side */

/* ---- figures ---- */

static const char *mark_of(EstimateVerdict verdict) {
  static const char *const marks[] = {[ESTIMATE_UNKNOWN] = "",
                                      [ESTIMATE_AGREE] = " =",
                                      [ESTIMATE_NEAR] = " ≈",
                                      [ESTIMATE_DIFFER] = " ≠"};
  return marks[verdict];
}

/* How many times as much as in the first row, for speeds. */
static void add_ratio(Text *page, double value, double first) {
  if (isfinite(value / first)) text_format(page, ", × %.2f", value / first);
}

static void add_cell(const Comparison *comparison, const ComparisonCell *cell,
                     const ComparisonCell *first, Text *page) {
  bool speed = comparison->table->measure == MEASURE_SPEED && first;
  if (isnan(cell->theirs.value) && isnan(cell->ours.value)) return;
  if (isnan(cell->theirs.value))
    text_add(page, "none");
  else
    markdown_quote(page, comparison_shown(comparison, cell), cell->derived);
  if (speed) add_ratio(page, cell->theirs.value, first->theirs.value);
  if (!comparison->played) return;
  text_add(page, "<br>");
  if (isnan(cell->ours.value)) {
    text_add(page, "not played");
    return;
  }
  text_add(page, "**");
  markdown_estimate(page, cell->ours);
  text_add(page, "**");
  if (speed) add_ratio(page, cell->ours.value, first->ours.value);
  if (comparison->least != comparison->most && first) {
    text_add(page, " (");
    markdown_count(page, cell->figure.games);
    text_add(page, ")");
  }
  text_add(page, mark_of(cell->verdict));
}

/* A range of columns that are shown together. */
typedef struct Block {
  uint32_t from, to;
} Block;

static void write_head(const Comparison *comparison, Block block,
                       TermsSpread budgets, Text *page) {
  const Table *table = comparison->table;
  bool own = budgets == TERMS_ROWS || budgets == TERMS_CELLS;
  text_add(page, "| |");
  if (own) text_format(page, " %s |", review_terms_unit(table));
  for (uint32_t column = block.from; column < block.to; column++) {
    text_add_byte(page, ' ');
    markdown_cell(page, text_string(&table->columns.data[column].name));
    if (budgets == TERMS_COLUMNS) {
      text_add(page, "<br>");
      review_terms_budget(table, review_terms_of_column(table, column), page);
    }
    text_add(page, " |");
  }
  text_add(page, "\n|---|");
  if (own) text_add(page, "--:|");
  for (uint32_t column = block.from; column < block.to; column++)
    text_add(page, "---|");
  text_add_byte(page, '\n');
}

static void write_row_budget(const Table *table, uint32_t row, Block block,
                             TermsSpread budgets, Text *page) {
  text_add_byte(page, ' ');
  if (budgets == TERMS_ROWS)
    review_terms_budget(table, review_terms_of_row(table, row), page);
  else
    for (uint32_t column = block.from; column < block.to; column++) {
      if (column > block.from) text_add(page, "<br>");
      review_terms_budget(table, table_cell(table, row, column), page);
    }
  text_add(page, " |");
}

static void write_block(const Comparison *comparison, Block block,
                        TermsSpread budgets, Text *page) {
  const Table *table = comparison->table;
  bool own = budgets == TERMS_ROWS || budgets == TERMS_CELLS;
  write_head(comparison, block, budgets, page);
  for (uint32_t row = 0; row < table->rows.count; row++) {
    text_add(page, "| ");
    markdown_cell(page, text_string(&table->rows.data[row]));
    text_add(page, " |");
    if (own) write_row_budget(table, row, block, budgets, page);
    for (uint32_t column = block.from; column < block.to; column++) {
      text_add_byte(page, ' ');
      add_cell(comparison, comparison_cell(comparison, row, column),
               comparison_cell(comparison, 0, column), page);
      text_add(page, " |");
    }
    text_add_byte(page, '\n');
  }
  if (table->means) {
    text_add(page, own ? "| mean | |" : "| mean |");
    for (uint32_t column = block.from; column < block.to; column++) {
      text_add_byte(page, ' ');
      add_cell(comparison, &comparison->means[column], NULL, page);
      text_add(page, " |");
    }
    text_add_byte(page, '\n');
  }
  text_add_byte(page, '\n');
}

void review_figures_write(const Comparison *comparison, Text *page) {
  const Table *table = comparison->table;
  TermsSpread budgets = review_terms_spread(table, review_terms_budget);
  Block block = {0, 0};
  while (block.from < table->columns.count) {
    for (block.to = block.from + 1; block.to < table->columns.count; block.to++)
      if (table->columns.count > COLUMNS &&
          (block.to - block.from == COLUMNS ||
           !review_terms_same(table, review_terms_budget,
                              review_terms_of_column(table, block.to),
                              review_terms_of_column(table, block.from))))
        break;
    write_block(comparison, block, budgets, page);
    block.from = block.to;
  }
}

void review_figures_write_legend(const Comparison *comparison, Text *page) {
  const Table *table = comparison->table;
  bool partial = false;
  Text line = {0};
  if (!comparison->played) {
    text_add(page, "These are the paper's figures.\n\n");
    return;
  }
  text_add(&line,
           "The upper figure is the paper's, the lower one, in bold, ours");
  if (comparison->least != comparison->most)
    text_add(&line, ", with its games in brackets");
  if (table->measure == MEASURE_SPEED)
    text_add(&line, "; × says how many times the first row's speed it is");
  else
    text_add(&line, "; = agrees, ≈ is near, ≠ differs");
  text_add(&line, ".");
  if (!isnan(table->interval))
    text_format(&line,
                " The paper gives no single intervals; that none is wider "
                "than ± %g is what figures are compared with.",
                table->interval);
  for (uint32_t i = 0; table->means && i < table->columns.count; i++)
    partial |= comparison->played && !comparison_whole(comparison, i);
  if (partial)
    text_add(&line, " Where rows are not played yet, both means are over the "
                    "rows that are.");
  markdown_paragraph(page, "", text_string(&line));
  text_add_byte(page, '\n');
  text_free(&line);
}

/* Half the width of our intervals, on average over the cells played. */
static double mean_interval(const Comparison *comparison) {
  const Table *table = comparison->table;
  double sum = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < table->rows.count * table->columns.count; i++) {
    if (!isfinite(comparison->cells[i].ours.half)) continue;
    sum += comparison->cells[i].ours.half;
    count++;
  }
  return count ? sum / count : (double)NAN;
}

/* "Of 27 cells 20 agree, 4 are near and 3 differ; …". */
void review_figures_write_outcome(const Comparison *comparison, Text *page) {
  uint32_t agree = comparison->verdicts[ESTIMATE_AGREE];
  uint32_t near = comparison->verdicts[ESTIMATE_NEAR];
  uint32_t differ = comparison->verdicts[ESTIMATE_DIFFER];
  uint32_t judged = agree + near + differ;
  Text line = {0};
  if (!judged) return;
  text_format(&line,
              "Of %u %s compared, %u %s, %u %s near and %u %s; the mean "
              "absolute difference is %.1f points; chance alone would "
              "make it about %.1f.",
              judged, judged == 1 ? "cell" : "cells", agree,
              agree == 1 ? "agrees" : "agree", near, near == 1 ? "is" : "are",
              differ, differ == 1 ? "differs" : "differ", comparison->distance,
              comparison->chance);
  if (isfinite(mean_interval(comparison)))
    text_format(&line, " Our intervals are ± %.0f on average.",
                mean_interval(comparison));
  markdown_paragraph(page, "", text_string(&line));
  text_add_byte(page, '\n');
  text_free(&line);
}
