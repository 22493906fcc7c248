/* Series are found by their keys, so a game counts for every table that asks
   for it, whichever it was played for. */
#include "lab/comparison.h"

#include <math.h>

/* ---- cells ---- */

static const char *find_strategy(const Table *table, const TableCell *cell) {
  uint32_t row = (uint32_t)(cell - table->cells) / table->columns.count;
  return row < table->found.count ? text_string(&table->found.data[row]) : "";
}

static bool read_figure(Figure *figure, Results *results, const Table *table,
                        const TableCell *cell, Survey *survey) {
  SeriesVector list = {0};
  VECTOR(int64_t) ids = {0};
  bool fine = true;
  table_cell_series(table, cell, &list);
  for (uint32_t i = 0; fine && i < list.count; i++) {
    Text key = {0};
    series_key(&list.data[i], &key);
    int64_t series = survey_find(results, text_string(&key));
    text_free(&key);
    vector_push(&ids, series);
    fine = !series || survey_add(survey, results, series);
  }
  fine = fine && figure_read_all(figure, results, ids.data, ids.count,
                                 table->measure, find_strategy(table, cell));
  vector_free(&ids);
  series_vector_free(&list);
  return fine;
}

static Estimate our_estimate(const Table *table, const Figure *figure) {
  if (!figure->games) return (Estimate){NAN, NAN};
  switch (table->measure) {
  case MEASURE_WIN: return estimate_rate(&figure->tally);
  case MEASURE_GOAL: return estimate_goal(&figure->tally);
  case MEASURE_FOUND: return estimate_bare(figure->value, figure->games);
  case MEASURE_SPEED: break;
  }
  return (Estimate){figure->value, figure->interval};
}

static void fill_theirs(const Table *table, const TableCell *cell,
                        ComparisonCell *result) {
  uint64_t games = cell->series.games;
  result->theirs = (Estimate){cell->figure, cell->interval};
  if (!isnan(cell->interval)) return;
  if (table->pool.count) games *= table->pool.count;
  if (!isnan(table->interval))
    result->theirs.half = table->interval;
  else if (table->measure == MEASURE_WIN || table->measure == MEASURE_FOUND)
    result->theirs = estimate_bare(cell->figure, games);
  result->derived = !isnan(result->theirs.half);
}

static EstimateVerdict judge(const Table *table, const ComparisonCell *cell) {
  if (table->measure == MEASURE_SPEED || /* another machine */
      isnan(cell->ours.half))            /* no games, or one */
    return ESTIMATE_UNKNOWN;
  return estimate_compare(cell->theirs, cell->ours);
}

/* The mean of |X| is sqrt(2 / pi) of X's deviation, if X is normal with mean 0.
   Our deviation is that of the sample. */
static double by_chance(const Comparison *comparison,
                        const ComparisonCell *cell) {
  double theirs = comparison_shown(comparison, cell).half;
  double ours = cell->figure.interval;
  return sqrt(2 / 3.14159265358979323846) / 1.96 *
         hypot(isnan(theirs) ? 0 : theirs, isnan(ours) ? 0 : ours);
}

static void count_cell(Comparison *comparison, const ComparisonCell *cell) {
  const Figure *figure = &cell->figure;
  comparison->count++;
  comparison->errors += figure->errors;
  if (!figure->games) return;
  if (!comparison->played || figure->games < comparison->least)
    comparison->least = figure->games;
  if (figure->games > comparison->most) comparison->most = figure->games;
  comparison->played++;
  comparison->games += figure->games;
  comparison->cut += figure->cut;
  comparison->verdicts[cell->verdict]++;
  comparison->distance += fabs(cell->ours.value - cell->theirs.value);
  comparison->chance += by_chance(comparison, cell);
}

static bool read_cell(Comparison *comparison, Results *results, uint32_t place,
                      Survey *survey) {
  const Table *table = comparison->table;
  const TableCell *cell = &table->cells[place];
  ComparisonCell *result = &comparison->cells[place];
  bool fine = read_figure(&result->figure, results, table, cell, survey);
  result->theirs = result->ours = (Estimate){NAN, NAN};
  if (!cell->there || !fine) return fine;
  fill_theirs(table, cell, result);
  result->ours = our_estimate(table, &result->figure);
  result->verdict = judge(table, result);
  count_cell(comparison, result);
  return true;
}

/* ---- means ---- */

bool comparison_whole(const Comparison *comparison, uint32_t column) {
  const Table *table = comparison->table;
  for (uint32_t row = 0; row < table->rows.count; row++)
    if (table_cell(table, row, column)->there &&
        isnan(comparison_cell(comparison, row, column)->ours.value))
      return false;
  return true;
}

static void fill_mean(Comparison *comparison, uint32_t column) {
  const Table *table = comparison->table;
  uint32_t rows = table->rows.count, used = 0;
  double paper = table->columns.data[column].mean;
  Estimate *theirs = memory_new((rows + 1) * sizeof *theirs);
  Estimate *ours = memory_new((rows + 1) * sizeof *ours);
  ComparisonCell *mean = &comparison->means[column];
  *mean = (ComparisonCell){.theirs = {NAN, NAN}, .ours = {NAN, NAN}};
  for (uint32_t row = 0; row < rows; row++) {
    const ComparisonCell *cell = comparison_cell(comparison, row, column);
    if (isnan(cell->ours.value)) continue;
    mean->figure.games += cell->figure.games;
    theirs[used] = cell->theirs;
    ours[used++] = cell->ours;
  }
  if (used) {
    mean->theirs = estimate_mean(theirs, used);
    mean->ours = estimate_mean(ours, used);
    mean->derived = !isnan(mean->theirs.half);
  } else {
    mean->theirs.value = paper;
  }
  if (used && !isnan(paper) && comparison_whole(comparison, column))
    mean->theirs.value = paper;
  mean->verdict = judge(table, mean);
  memory_delete(theirs);
  memory_delete(ours);
}

/* ---- tables ---- */

bool comparison_read(Comparison *comparison, Results *results,
                     const Table *table, Survey *survey) {
  uint32_t columns = table->columns.count, count = table->rows.count * columns;
  bool fine = true;
  *comparison = (Comparison){.table = table};
  comparison->cells = memory_new((count + 1) * sizeof *comparison->cells);
  comparison->means = memory_new((columns + 1) * sizeof *comparison->means);
  for (uint32_t i = 0; fine && i < count; i++)
    fine = read_cell(comparison, results, i, survey);
  comparison->distance /= comparison->played ? comparison->played : (double)NAN;
  comparison->chance /= comparison->played ? comparison->played : (double)NAN;
  for (uint32_t i = 0; fine && i < columns; i++) fill_mean(comparison, i);
  return fine;
}

void comparison_free(Comparison *comparison) {
  memory_delete(comparison->cells);
  memory_delete(comparison->means);
}

const ComparisonCell *comparison_cell(const Comparison *comparison,
                                      uint32_t row, uint32_t column) {
  return &comparison->cells[row * comparison->table->columns.count + column];
}

Estimate comparison_shown(const Comparison *comparison,
                          const ComparisonCell *cell) {
  bool common = cell->derived && !isnan(comparison->table->interval);
  return common ? (Estimate){cell->theirs.value, NAN} : cell->theirs;
}
