/* Goals that an evaluation expects become returns like those of playouts. A
   leaf's return is the mean of both, weighed by the setting `judge`. */
#include "search/judge.h"

void judge_state(const Search *search, const uint64_t *state,
                 const uint32_t *legal, double *returns) {
  const Evaluation *evaluation = search->evaluation;
  float *goals = search->expected;
  evaluation_begin(evaluation, state, search->sums);
  evaluation_values(evaluation, state, search->sums, legal, goals);
  bool two = search->role_count == 2;
  for (uint32_t role = 0; role < search->role_count; role++)
    returns[role] = aim_return(&search->aim, (double)goals[role],
                               two ? (double)goals[1 - role] : 0);
}

void judge_take(Search *search, const double *returns) {
  for (uint32_t role = 0; role < search->role_count; role++)
    search->values[role] = search->highest[role] = returns[role];
}

void judge_mix(Search *search, const double *returns) {
  double judge = search->settings.judge;
  for (uint32_t role = 0; role < search->role_count; role++) {
    double played = search->values[role];
    search->values[role] = played + judge * (returns[role] - played);
  }
}
