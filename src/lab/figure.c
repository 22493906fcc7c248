#include "lab/figure.h"

#include <math.h>

typedef struct Sums {
  Figure *figure;
  TableMeasure measure;
  double sum, squares;
} Sums;

static double measure_work(const ResultsMatch *match) {
  double states = 0, seconds = 0;
  for (uint32_t i = 0; i < match->side_count; i++)
    if (match->sides[i].player == 0) {
      states += (double)match->sides[i].work.states;
      seconds += match->sides[i].work.seconds;
    }
  return seconds > 0 ? states / seconds : NAN;
}

/* Returns the first player's mean goal, NAN if it sat out. */
static double measure_goal(const ResultsMatch *match, Score *score) {
  double goals = 0;
  uint32_t roles = 0;
  *score = SCORE_NONE;
  for (uint32_t i = 0; i < match->side_count; i++)
    if (match->sides[i].player == 0) {
      goals += match->sides[i].goal;
      *score = match->sides[i].score;
      roles++;
    }
  return roles ? goals / roles : NAN;
}

static void add(void *context, const ResultsMatch *match) {
  Sums *sums = context;
  Figure *figure = sums->figure;
  Score score;
  if (match->end != MATCH_ENDED && match->end != MATCH_CUT_OFF) {
    figure->errors++;
    return;
  }
  double goal = measure_goal(match, &score), value = goal;
  if (isnan(goal)) return;
  tally_add(&figure->tally, score, goal);
  if (sums->measure == MEASURE_WIN)
    value = score == SCORE_NONE ? NAN : 50.0 * (score - SCORE_LOSS);
  if (sums->measure == MEASURE_SPEED) value = measure_work(match);
  if (isnan(value)) return;
  figure->games++;
  figure->cut += match->end == MATCH_CUT_OFF;
  sums->sum += value;
  sums->squares += value * value;
}

static void begin(Sums *sums, Figure *figure, TableMeasure measure) {
  *figure = (Figure){.value = NAN, .interval = NAN, .spread = NAN};
  *sums = (Sums){.figure = figure, .measure = measure};
}

static void finish(const Sums *sums) {
  Figure *figure = sums->figure;
  double n = figure->games;
  if (n > 0) figure->value = sums->sum / n;
  if (n > 1) {
    double variance = (sums->squares - sums->sum * sums->sum / n) / (n - 1);
    figure->spread = sqrt(variance > 0 ? variance : 0);
    figure->interval = 1.96 * figure->spread / sqrt(n);
  }
}

bool figure_read(Figure *figure, Results *results, int64_t series,
                 TableMeasure measure) {
  Sums sums;
  begin(&sums, figure, measure);
  bool fine = !series || results_visit(results, series, add, &sums);
  finish(&sums);
  return fine;
}

bool figure_read_cell(Figure *figure, Results *results, int64_t experiment,
                      const Table *table, const TableCell *cell) {
  SeriesVector list = {0};
  Text key = {0};
  Sums sums;
  bool fine = true;
  begin(&sums, figure, table->measure);
  table_cell_series(table, cell, &list);
  for (uint32_t i = 0; fine && i < list.count; i++) {
    text_clear(&key);
    series_key(&list.data[i], &key);
    int64_t id = results_find_series(results, experiment, text_string(&key));
    fine = !id || results_visit(results, id, add, &sums);
  }
  finish(&sums);
  series_vector_free(&list);
  text_free(&key);
  return fine;
}

void figure_mean(Figure *mean, const Figure *figures, uint32_t count) {
  double sum = 0, squares = 0;
  uint32_t used = 0;
  *mean = (Figure){.value = NAN, .interval = NAN, .spread = NAN};
  for (uint32_t i = 0; i < count; i++) {
    if (isnan(figures[i].value)) continue;
    used++;
    mean->games += figures[i].games;
    mean->errors += figures[i].errors;
    sum += figures[i].value;
    squares += figures[i].interval * figures[i].interval;
  }
  if (!used) return;
  mean->value = sum / used;
  mean->interval = sqrt(squares) / used;
}
