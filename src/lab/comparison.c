/* Series are found by their keys, so a game counts for every table that asks
   for it, whichever it was played for. The figures come first; what follows
   from them is computed in one go, wherever they come from. */
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
  ComparisonCell *cell = &comparison->cells[place];
  if (!read_figure(&cell->figure, results, table, &table->cells[place], survey))
    return false;
  cell->ours = our_estimate(table, &cell->figure);
  return true;
}

static void judge_cell(Comparison *comparison, uint32_t place) {
  const TableCell *cell = &comparison->table->cells[place];
  ComparisonCell *result = &comparison->cells[place];
  if (!cell->there) return;
  fill_theirs(comparison->table, cell, result);
  result->verdict = judge(comparison->table, result);
  count_cell(comparison, result);
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

static uint32_t count_places(const Table *table) {
  return table->rows.count * table->columns.count;
}

void comparison_init(Comparison *comparison, const Table *table) {
  uint32_t columns = table->columns.count, count = count_places(table);
  const ComparisonCell none = {
      .figure = figure_none(), .theirs = {NAN, NAN}, .ours = {NAN, NAN}};
  *comparison = (Comparison){.table = table};
  comparison->cells = memory_new((count + 1) * sizeof *comparison->cells);
  comparison->means = memory_new((columns + 1) * sizeof *comparison->means);
  for (uint32_t i = 0; i < count; i++) comparison->cells[i] = none;
}

void comparison_judge(Comparison *comparison) {
  uint32_t count = count_places(comparison->table);
  for (uint32_t i = 0; i < count; i++) judge_cell(comparison, i);
  comparison->distance /= comparison->played ? comparison->played : (double)NAN;
  comparison->chance /= comparison->played ? comparison->played : (double)NAN;
  for (uint32_t i = 0; i < comparison->table->columns.count; i++)
    fill_mean(comparison, i);
}

bool comparison_read(Comparison *comparison, Results *results,
                     const Table *table, Survey *survey) {
  bool fine = true;
  comparison_init(comparison, table);
  for (uint32_t i = 0; fine && i < count_places(table); i++)
    fine = read_cell(comparison, results, i, survey);
  if (fine) comparison_judge(comparison);
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
