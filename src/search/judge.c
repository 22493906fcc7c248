/* Goals that an evaluation expects become returns like those of playouts. A
   leaf's return is the mean of both, weighed by the setting `judge`. Where the
   evaluation is wrong it stays wrong, while playouts average out: judge=0.5 won
   1 of 12 games of breakthrough with weights from 12 s of self-play. */
#include "search/judge.h"

void judge_fit(Judge *judge, const Evaluation *evaluation) {
  judge_free(judge);
  *judge = (Judge){0};
  if (!evaluation) return;
  size_t count = evaluation->sum_count ? evaluation->sum_count : 1;
  judge->sums = memory_new(2 * count * sizeof *judge->sums);
  judge->more = judge->sums + count;
  judge->goals = memory_new(evaluation->role_count * sizeof *judge->goals);
}

void judge_free(Judge *judge) {
  memory_delete(judge->sums);
  memory_delete(judge->goals);
}

double judge_return(const Search *search, const Judge *judge, uint32_t role) {
  double own = (double)judge->goals[role];
  double other = search->role_count == 2 ? (double)judge->goals[1 - role] : 0;
  return aim_return(&search->aim, own, other);
}

void judge_state(const Search *search, Judge *judge, const uint64_t *state,
                 const uint32_t *legal, double *returns) {
  const Evaluation *evaluation = search->evaluation;
  evaluation_begin(evaluation, state, judge->sums);
  evaluation_values(evaluation, state, judge->sums, legal, judge->goals);
  for (uint32_t role = 0; role < search->role_count; role++)
    returns[role] = judge_return(search, judge, role);
}

void judge_take(const Search *search, Scratch *own, const double *returns) {
  for (uint32_t role = 0; role < search->role_count; role++)
    own->values[role] = own->highest[role] = returns[role];
}

void judge_mix(const Search *search, Scratch *own, const double *returns) {
  double judge = search->settings.judge;
  for (uint32_t role = 0; role < search->role_count; role++) {
    double played = own->values[role];
    own->values[role] = played + judge * (returns[role] - played);
  }
}
