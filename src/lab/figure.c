#include "lab/figure.h"

#include <math.h>

typedef struct Sums {
  Figure *figure;
  TableMeasure measure;
  const char *found;
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

/* 100 if the strategy found the highest score; "none" found nothing. */
static double measure_found(const ResultsMatch *match, const char *found) {
  for (uint32_t i = 0; i < match->side_count; i++) {
    const char *own = match->sides[i].found;
    if (match->sides[i].player != 0) continue;
    return strcmp(*own ? own : "none", found) == 0 ? 100 : 0;
  }
  return NAN;
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
  if (sums->measure == MEASURE_FOUND) value = measure_found(match, sums->found);
  if (isnan(value)) return;
  figure->games++;
  figure->cut += match->end == MATCH_CUT_OFF;
  sums->sum += value;
  sums->squares += value * value;
}

double figure_interval(double spread, uint32_t games) {
  return 1.96 * spread / sqrt(games);
}

Figure figure_none(void) {
  return (Figure){.value = NAN, .interval = NAN, .spread = NAN};
}

static void finish(const Sums *sums) {
  Figure *figure = sums->figure;
  double n = figure->games;
  if (n > 0) figure->value = sums->sum / n;
  if (n > 1) {
    double variance = (sums->squares - sums->sum * sums->sum / n) / (n - 1);
    figure->spread = sqrt(variance > 0 ? variance : 0);
    figure->interval = figure_interval(figure->spread, figure->games);
  }
}

bool figure_read_all(Figure *figure, Results *results, const int64_t *series,
                     uint32_t count, TableMeasure measure, const char *found) {
  Sums sums = {.figure = figure, .measure = measure, .found = found};
  bool fine = true;
  *figure = figure_none();
  for (uint32_t i = 0; fine && i < count; i++)
    fine = !series[i] || results_visit(results, series[i], add, &sums);
  finish(&sums);
  return fine;
}

bool figure_read(Figure *figure, Results *results, int64_t series,
                 TableMeasure measure) {
  return figure_read_all(figure, results, &series, 1, measure, "");
}
