/* What the evaluation says of states, as returns (aim.h). */
#ifndef TAFL_SEARCH_JUDGE_H
#define TAFL_SEARCH_JUDGE_H

#include "search/parts.h"

/* Makes room for the evaluation, if there is one; what was there is freed. */
void judge_fit(Judge *judge, const Evaluation *evaluation);
void judge_free(Judge *judge);

/* Sets the return that each role can expect in a state that is not terminal.
   `legal` has the number of legal moves of each role, or is NULL. The search
   has an evaluation. */
void judge_state(const Search *search, Judge *judge, const uint64_t *state,
                 const uint32_t *legal, double *returns);
/* Returns what one role can expect by goals in the scratch. */
double judge_return(const Search *search, const Judge *judge, uint32_t role);

/* Returns true if leaves are judged at all. */
static inline bool judge_leaves(const Search *search) {
  return search->evaluation && search->settings.judge > 0;
}

/* Returns true if leaves are judged by the evaluation alone, so that nothing is
   played out. */
static inline bool judge_alone(const Search *search) {
  return search->evaluation && search->settings.judge >= 1;
}

/* Makes a leaf's judgement the result of its simulation. */
void judge_take(const Search *search, Scratch *own, const double *returns);
/* Mixes what playouts returned, own->values, with a leaf's judgement. */
void judge_mix(const Search *search, Scratch *own, const double *returns);

#endif
