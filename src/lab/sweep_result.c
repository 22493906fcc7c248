/* What a sweep says: the mean of each point, the best one, and whether its lead
   over the agent as it is can be chance. */
#include <math.h>

#include "lab/figure.h"
#include "lab/sweep.h"

/* A score that is known without playing. */
static const Estimate even = {50, 0};

static void judge_cell(const Sweep *sweep, uint32_t point, uint32_t game,
                       SweepCell *cell) {
  if (sweep->games.data[game].roles == 1)
    cell->score = estimate_goal(&cell->tally);
  else if (!sweep_plays(sweep, point, game))
    cell->score = even;
  else
    cell->score = estimate_rate(&cell->tally);
}

static Estimate mean_of(const Sweep *sweep, const SweepCell *cells) {
  Estimate *scores = memory_new((sweep->games.count + 1) * sizeof *scores);
  bool all = sweep->games.count > 0;
  for (uint32_t i = 0; i < sweep->games.count; i++) {
    scores[i] = cells[i].score;
    all &= !isnan(scores[i].value);
  }
  Estimate mean = {NAN, NAN};
  if (all) mean = estimate_mean(scores, sweep->games.count);
  memory_delete(scores);
  return mean;
}

static void judge_best(SweepResult *result, const Sweep *sweep) {
  Estimate usual = result->means[sweep->usual];
  uint32_t others = 0;
  result->best = UINT32_MAX;
  result->lead = (Estimate){NAN, NAN};
  result->chance = NAN;
  for (uint32_t i = 0; i < sweep->points.count; i++) {
    double value = result->means[i].value;
    if (isnan(value)) continue;
    others += i != sweep->usual;
    if (result->best == UINT32_MAX || value > result->means[result->best].value)
      result->best = i;
  }
  result->comparisons = others;
  if (result->best == UINT32_MAX || isnan(usual.value)) return;
  if (result->best == sweep->usual) {
    result->lead = (Estimate){0, 0};
    return;
  }
  result->lead = estimate_difference(result->means[result->best], usual);
  double deviations = 1.959964 * result->lead.value / result->lead.half;
  if (!isnan(deviations))
    result->chance = fmin(1, others * erfc(deviations / sqrt(2)));
}

static void judge(SweepResult *result, const Sweep *sweep) {
  uint32_t games = sweep->games.count;
  for (uint32_t i = 0; i < sweep->points.count; i++) {
    SweepCell *cells = result->cells + (size_t)i * games;
    for (uint32_t j = 0; j < games; j++) judge_cell(sweep, i, j, &cells[j]);
    result->means[i] = mean_of(sweep, cells);
  }
  judge_best(result, sweep);
}

static void result_init(SweepResult *result, const Sweep *sweep) {
  size_t cells = (size_t)sweep->points.count * sweep->games.count;
  *result = (SweepResult){0};
  result->cells = memory_new((cells + 1) * sizeof *result->cells);
  result->means = memory_new(sweep->points.count * sizeof *result->means);
}

void sweep_judge(SweepResult *result, const Sweep *sweep,
                 const Tally *tallies) {
  result_init(result, sweep);
  for (size_t i = 0; i < (size_t)sweep->points.count * sweep->games.count; i++)
    result->cells[i].tally = tallies[i];
  judge(result, sweep);
}

/* Reads a series' part of the experiment into a cell. */
static bool read_cell(Results *results, int64_t experiment,
                      const Series *series, SweepCell *cell) {
  Text key = {0};
  Figure figure;
  series_key(series, &key);
  int64_t id = results_find_series(results, experiment, text_string(&key));
  bool alone = series->players.count == 1;
  bool fine =
      figure_read(&figure, results, id, alone ? MEASURE_GOAL : MEASURE_WIN);
  cell->tally = figure.tally;
  cell->errors = figure.errors;
  text_free(&key);
  return fine;
}

bool sweep_collect(SweepResult *result, const Sweep *sweep, Results *results,
                   int64_t experiment) {
  SeriesVector list = {0};
  uint32_t at = 0;
  bool fine = true;
  result_init(result, sweep);
  sweep_plan(sweep, &list);
  for (uint32_t i = 0; i < sweep->points.count && fine; i++)
    for (uint32_t j = 0; j < sweep->games.count && fine; j++)
      if (sweep_plays(sweep, i, j))
        fine = read_cell(results, experiment, &list.data[at++],
                         &result->cells[(size_t)i * sweep->games.count + j]);
  series_vector_free(&list);
  if (fine)
    judge(result, sweep);
  else
    sweep_result_free(result);
  return fine;
}

void sweep_result_free(SweepResult *result) {
  memory_delete(result->cells);
  memory_delete(result->means);
  *result = (SweepResult){0};
}
