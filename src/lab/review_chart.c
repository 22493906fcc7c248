/* Forest plots have a group for each column and a line for each row of the
   table, line charts a line for each row over the x of the columns, heat maps
   the table itself with the differences. */
#include "lab/review_chart.h"

#include <math.h>

#include "draw/forest.h"
#include "draw/heat.h"
#include "draw/plot.h"

enum { LOGARITHMIC = 30 }; /* the axis of x that span more than this */

/* Adds a chart without its picture, "charts/ID" and `ending`. The pointer is
   valid until the next one. */
static ReviewChart *add_chart(const Comparison *comparison,
                              ReviewCharts *charts, const char *ending,
                              const char *what) {
  const Table *table = comparison->table;
  ReviewChart chart = {0};
  text_format(&chart.name, "charts/%s%s.svg", text_string(&table->id), ending);
  text_format(&chart.title, "%s (%s)", text_string(&table->title), what);
  vector_push(charts, chart);
  return &vector_last(charts);
}

static const char *measure_title(const Table *table) {
  static const char *const titles[] = {
      [MEASURE_WIN] = "win rate of the first player, per cent",
      [MEASURE_GOAL] = "mean goal",
      [MEASURE_SPEED] = "states a second",
      [MEASURE_FOUND] = "per cent of the runs"};
  return titles[table->measure];
}

/* The range of the paper's estimates and ours, in steps of ten; rates and goals
   end at 0 and 100. */
static void find_range(const Comparison *comparison, double *low,
                       double *high) {
  const Table *table = comparison->table;
  *low = INFINITY;
  *high = -INFINITY;
  for (uint32_t i = 0; i < table->rows.count * table->columns.count; i++)
    for (int ours = 0; ours < 2; ours++) {
      Estimate estimate =
          ours ? comparison->cells[i].ours : comparison->cells[i].theirs;
      double half = isfinite(estimate.half) ? estimate.half : 0;
      *low = fmin(*low, estimate.value - half);
      *high = fmax(*high, estimate.value + half);
    }
  *low = 10 * floor(*low / 10);
  *high = 10 * ceil(*high / 10);
  if (table->measure != MEASURE_SPEED) {
    *low = fmax(*low, 0);
    *high = fmin(*high, 100);
  }
}

/* ---- forest ---- */

static ForestMark mark_of(Estimate estimate) {
  return (ForestMark){estimate.value, estimate.value - estimate.half,
                      estimate.value + estimate.half};
}

static ForestRow row_of(const Comparison *comparison, const char *label,
                        const ComparisonCell *cell) {
  ForestRow row = {.label = label,
                   .marks = {mark_of(comparison_shown(comparison, cell)),
                             mark_of(cell->ours)}};
  if (cell->verdict != ESTIMATE_UNKNOWN)
    row.note = estimate_verdict_name(cell->verdict);
  return row;
}

static void draw_forest(const Comparison *comparison, ReviewChart *chart) {
  const Table *table = comparison->table;
  VECTOR(ForestRow) rows = {0};
  for (uint32_t column = 0; column < table->columns.count; column++) {
    ForestRow heading = {.label =
                             text_string(&table->columns.data[column].name),
                         .heading = true};
    if (table->columns.count > 1) vector_push(&rows, heading);
    for (uint32_t row = 0; row < table->rows.count; row++)
      if (table_cell(table, row, column)->there)
        vector_push(&rows,
                    row_of(comparison, text_string(&table->rows.data[row]),
                           comparison_cell(comparison, row, column)));
    if (table->means)
      vector_push(&rows,
                  row_of(comparison, "Mean", &comparison->means[column]));
  }
  Forest forest = {.title = text_string(&table->title),
                   .description = text_string(&chart->title),
                   .x_name = measure_title(table),
                   .series = {"paper", "ours"},
                   .series_count = 2,
                   .compare = table->measure == MEASURE_WIN,
                   .reference = 50,
                   .decimals = 1,
                   .rows = rows.data,
                   .row_count = rows.count};
  find_range(comparison, &forest.low, &forest.high);
  forest_write(&forest, &chart->svg);
  vector_free(&rows);
}

/* ---- lines ---- */

static bool is_logarithmic(const Table *table) {
  double least = INFINITY, most = 0;
  for (uint32_t i = 0; i < table->columns.count; i++) {
    least = fmin(least, table->columns.data[i].x);
    most = fmax(most, table->columns.data[i].x);
  }
  return least > 0 && most / least > LOGARITHMIC;
}

static void draw_plot(const Comparison *comparison, bool ours,
                      ReviewChart *chart) {
  const Table *table = comparison->table;
  uint32_t rows = table->rows.count, columns = table->columns.count;
  PlotPoint *points = memory_new((rows * columns + 1) * sizeof *points);
  PlotLine *lines = memory_new((rows + 1) * sizeof *lines);
  for (uint32_t row = 0; row < rows; row++) {
    lines[row] = (PlotLine){.name = text_string(&table->rows.data[row]),
                            .points = &points[row * columns],
                            .count = columns};
    for (uint32_t column = 0; column < columns; column++) {
      const ComparisonCell *cell = comparison_cell(comparison, row, column);
      Estimate estimate =
          ours ? cell->ours : comparison_shown(comparison, cell);
      points[row * columns + column] = (PlotPoint){
          table->columns.data[column].x, estimate.value,
          estimate.value - estimate.half, estimate.value + estimate.half};
    }
  }
  Plot plot = {.title = text_string(&chart->title),
               .description = text_string(&table->source),
               .x_name = text_string(&table->x_title),
               .y_name = measure_title(table),
               .logarithmic = is_logarithmic(table),
               .compare = table->measure == MEASURE_WIN,
               .reference = 50,
               .lines = lines,
               .line_count = rows};
  find_range(comparison, &plot.low, &plot.high);
  plot_write(&plot, &chart->svg);
  memory_delete(points);
  memory_delete(lines);
}

/* ---- heat ---- */

static void draw_heat(const Comparison *comparison, ReviewChart *chart) {
  const Table *table = comparison->table;
  uint32_t rows = table->rows.count, columns = table->columns.count;
  HeatCell *cells = memory_new((rows * columns + 1) * sizeof *cells);
  const char **row_names = memory_new((rows + 1) * sizeof *row_names);
  const char **column_names = memory_new((columns + 1) * sizeof *column_names);
  for (uint32_t i = 0; i < rows; i++)
    row_names[i] = text_string(&table->rows.data[i]);
  for (uint32_t i = 0; i < columns; i++)
    column_names[i] = text_string(&table->columns.data[i].name);
  for (uint32_t i = 0; i < rows * columns; i++) {
    const ComparisonCell *cell = &comparison->cells[i];
    cells[i] = (HeatCell){.value = cell->ours.value - cell->theirs.value,
                          .half = NAN,
                          .marked = cell->verdict == ESTIMATE_DIFFER};
  }
  Heat heat = {.title = text_string(&chart->title),
               .description = text_string(&table->source),
               .value_name = "ours less the paper's; framed: they differ",
               .rows = row_names,
               .columns = column_names,
               .row_count = rows,
               .column_count = columns,
               .cells = cells,
               .low = -100,
               .high = 100,
               .diverging = true};
  heat_write(&heat, &chart->svg);
  memory_delete(cells);
  memory_delete(row_names);
  memory_delete(column_names);
}

/* ---- the list ---- */

void review_chart_list(const Comparison *comparison, ReviewCharts *charts) {
  const char *kind = text_string(&comparison->table->chart);
  if (!comparison->played) return;
  if (!strcmp(kind, "forest"))
    draw_forest(comparison,
                add_chart(comparison, charts, "", "the paper and ours"));
  if (!strcmp(kind, "plot")) {
    draw_plot(comparison, false,
              add_chart(comparison, charts, "-paper", "the paper's"));
    draw_plot(comparison, true, add_chart(comparison, charts, "", "ours"));
  }
  if (!strcmp(kind, "heat"))
    draw_heat(comparison,
              add_chart(comparison, charts, "", "ours less the paper's"));
}

void review_chart_free(ReviewCharts *charts) {
  for (uint32_t i = 0; i < charts->count; i++) {
    text_free(&charts->data[i].name);
    text_free(&charts->data[i].title);
    text_free(&charts->data[i].svg);
  }
  vector_free(charts);
}
