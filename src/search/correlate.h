/* Statistical Symbols Counting (Świechowski, Mańdziuk and Ong 2016, section
   IV-C): how often relations and their symbols occur in the states of a
   simulation, and what that has to do with its result. */
#ifndef TAFL_SEARCH_CORRELATE_H
#define TAFL_SEARCH_CORRELATE_H

#include <stdbool.h>

#include "search/facts.h"

/* Sums over simulations for one mark; x is the mean number of its facts in a
   state of the simulation. */
typedef struct CorrelateMark {
  double x, xx;
} CorrelateMark;

typedef struct Correlate {
  Facts *facts; /* borrowed */
  uint32_t role_count;
  uint64_t simulations;
  uint32_t states;              /* of this simulation, */
  NumberVector counts, numbers; /* and its facts by mark; scratch */
  VECTOR(CorrelateMark) marks;
  VECTOR(double) xy;      /* by mark and role: sums of x times result */
  double *y, *yy;         /* by role: sums of results, and of their squares */
  VECTOR(double) weights; /* by mark and role; empty until learned */
} Correlate;

void correlate_init(Correlate *correlate, Facts *facts, uint32_t role_count);
void correlate_free(Correlate *correlate);

/* A simulation: its states, then each role's result. */
void correlate_begin(Correlate *correlate);
void correlate_see(Correlate *correlate, const uint64_t *words, uint32_t count);
void correlate_end(Correlate *correlate, const double *values);

/* Gives weights to the marks that correlate with results. */
void correlate_learn(Correlate *correlate);
static inline bool correlate_learned(const Correlate *correlate) {
  return correlate->weights.count;
}
/* The evaluation of a state for a role, on no particular scale. */
double correlate_value(Correlate *correlate, const uint64_t *words,
                       uint32_t count, uint32_t role);

#endif
