/* For each mark (facts.h) and role, Pearson's correlation r of the mean number
   of facts with the mark and of the result. If it is more than chance would
   give, the mark's weight is r over the standard deviation of its numbers, so
   that a change counts by how unusual it is. The value of a state is the sum of
   the weights of all marks of its facts. */
#include "search/correlate.h"

#include <math.h>

/* Correlations that are this many times their standard error are believed. */
static const double believed = 3;

void correlate_init(Correlate *correlate, Facts *facts, uint32_t role_count) {
  *correlate = (Correlate){.facts = facts, .role_count = role_count};
  correlate->y = memory_new(role_count * sizeof *correlate->y);
  correlate->yy = memory_new(role_count * sizeof *correlate->yy);
}

void correlate_free(Correlate *correlate) {
  vector_free(&correlate->counts);
  vector_free(&correlate->numbers);
  vector_free(&correlate->marks);
  vector_free(&correlate->xy);
  vector_free(&correlate->weights);
  memory_delete(correlate->y);
  memory_delete(correlate->yy);
}

/* Marks may be added at any time, with counts and sums of 0. */
static void make_room(Correlate *correlate) {
  uint32_t count = facts_mark_count(correlate->facts);
  while (correlate->counts.count < count) {
    vector_push(&correlate->counts, 0);
    vector_push(&correlate->marks, (CorrelateMark){0});
    for (uint32_t role = 0; role < correlate->role_count; role++)
      vector_push(&correlate->xy, 0);
  }
}

void correlate_begin(Correlate *correlate) {
  correlate->states = 0;
  for (uint32_t i = 0; i < correlate->counts.count; i++)
    correlate->counts.data[i] = 0;
}

void correlate_see(Correlate *correlate, const uint64_t *words,
                   uint32_t count) {
  const Facts *facts = correlate->facts;
  facts_list(correlate->facts, words, count, &correlate->numbers);
  make_room(correlate);
  correlate->states++;
  for (uint32_t i = 0; i < correlate->numbers.count; i++) {
    const Fact *fact = &facts->list.data[correlate->numbers.data[i]];
    for (uint32_t m = 0; m < fact->count; m++)
      correlate->counts.data[facts->marks.data[fact->first + m]]++;
  }
}

void correlate_end(Correlate *correlate, const double *values) {
  uint32_t roles = correlate->role_count;
  if (!correlate->states) return;
  correlate->simulations++;
  for (uint32_t role = 0; role < roles; role++) {
    correlate->y[role] += values[role];
    correlate->yy[role] += values[role] * values[role];
  }
  for (uint32_t i = 0; i < correlate->counts.count; i++) {
    double x = (double)correlate->counts.data[i] / correlate->states;
    correlate->marks.data[i].x += x;
    correlate->marks.data[i].xx += x * x;
    for (uint32_t role = 0; role < roles; role++)
      correlate->xy.data[i * roles + role] += x * values[role];
  }
}

static double weight_of(const Correlate *correlate, uint32_t mark,
                        uint32_t role) {
  double n = (double)correlate->simulations;
  const CorrelateMark *sums = &correlate->marks.data[mark];
  double x = sums->x / n, y = correlate->y[role] / n;
  double x_variance = sums->xx / n - x * x;
  double y_variance = correlate->yy[role] / n - y * y;
  double covariance =
      correlate->xy.data[mark * correlate->role_count + role] / n - x * y;
  if (!(x_variance > 1e-9) || !(y_variance > 1e-9)) return 0;
  double r = covariance / sqrt(x_variance * y_variance);
  if (r * r * (n - 2) <= believed * believed * (1 - r * r)) return 0;
  return r / sqrt(x_variance);
}

void correlate_learn(Correlate *correlate) {
  uint32_t roles = correlate->role_count;
  vector_clear(&correlate->weights);
  for (uint32_t mark = 0; mark < correlate->marks.count; mark++)
    for (uint32_t role = 0; role < roles; role++)
      vector_push(&correlate->weights, weight_of(correlate, mark, role));
}

double correlate_value(Correlate *correlate, const uint64_t *words,
                       uint32_t count, uint32_t role) {
  const Facts *facts = correlate->facts;
  uint32_t roles = correlate->role_count;
  double value = 0;
  facts_list(correlate->facts, words, count, &correlate->numbers);
  for (uint32_t i = 0; i < correlate->numbers.count; i++) {
    const Fact *fact = &facts->list.data[correlate->numbers.data[i]];
    for (uint32_t m = 0; m < fact->count; m++) {
      uint32_t at = facts->marks.data[fact->first + m] * roles + role;
      if (at < correlate->weights.count) value += correlate->weights.data[at];
    }
  }
  return value;
}
