/* Facts about a game, found in its net, that search and display can use. Each
   carries its evidence: seen in all sampled states, or proved for all reachable
   ones. */
#ifndef TAFL_ANALYSE_ANALYSIS_H
#define TAFL_ANALYSE_ANALYSIS_H

#include "analyse/changes.h"
#include "analyse/places.h"
#include "analyse/subgames.h"
#include "analyse/turns.h"

typedef struct AnalysisOptions {
  uint64_t seed;
  double sample_seconds, prove_seconds; /* nominal, counted in work */
  uint64_t propagations;                /* limit for one query to the prover */
} AnalysisOptions;

static const AnalysisOptions analysis_default = {
    .seed = 1,
    .sample_seconds = 0.3,
    .prove_seconds = 1,
    .propagations = 300000,
};

typedef struct RoleGoals {
  Evidence single; /* never two values at once */
  uint64_t parts;  /* subgames that its goals depend on, as bits */
  int least, most; /* of the values in the rules */
} RoleGoals;

typedef struct Analysis {
  const Net *net; /* borrowed, like the description */
  const Description *description;
  uint64_t states;                      /* sampled */
  double sample_seconds, prove_seconds; /* spent */
  OneHot onehot;
  Turns turns;
  Changes changes;
  Subgames subgames;
  Places places;
  RoleGoals *goals;      /* by role */
  Evidence ends;         /* every game ends, because some counter does */
  uint32_t longest;      /* if so: the most steps that it takes */
  Evidence constant_sum; /* final goals of all roles add up to `sum` */
  int sum;
  uint64_t ended;  /* sampled games that ended */
  double conflict; /* sampled, of two roles: the variance of the difference of
                      final goals, as a share of that of difference and sum; 1:
                      what one gains the other loses, 0: they gain and lose
                      together */
  double moments[2][2]; /* scratch: sums of sum and difference, and squares */
} Analysis;

void analysis_init(Analysis *analysis, const Net *net,
                   const Description *description,
                   const AnalysisOptions *options);
void analysis_free(Analysis *analysis);
/* Writes one line of text for each finding. */
void analysis_write(const Analysis *analysis, Text *text);
/* Returns true if there are several roles and no two depend on the same part
   for their goals. */
bool analysis_goals_disjoint(const Analysis *analysis);

#endif
