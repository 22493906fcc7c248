/* What search may use of a game, found in its net. Everything carries its
   evidence: seen in all sampled states, or proved of all reachable ones. */
#ifndef TAFL_ANALYSE_ANALYSIS_H
#define TAFL_ANALYSE_ANALYSIS_H

#include "analyse/changes.h"
#include "analyse/places.h"
#include "analyse/subgames.h"
#include "analyse/turns.h"
#include "reduce/reduce.h"

typedef struct AnalysisOptions {
  uint64_t seed;
  double sample_seconds, prove_seconds;
  uint64_t propagations; /* for one question to the prover */
} AnalysisOptions;

static const AnalysisOptions analysis_default = {
    .seed = 1,
    .sample_seconds = 0.3,
    .prove_seconds = 1,
    .propagations = 300000,
};

/* Goals of a role. */
typedef struct RoleGoals {
  Evidence single; /* never two values at once */
  uint64_t parts;  /* subgames its goals depend on, as bits */
  int least, most; /* values that the rules know */
} RoleGoals;

typedef struct Analysis {
  const Net *net; /* borrowed, as the description is */
  const Description *description;
  uint64_t states;                      /* sampled */
  double sample_seconds, prove_seconds; /* spent */
  OneHot onehot;
  Turns turns;
  Changes changes;
  Subgames subgames;
  Places places;
  RoleGoals *goals; /* by role */
  Evidence ends;    /* every game ends: some counter does */
  uint32_t longest; /* steps it takes at most, if so */
  bool
      constant_sum; /* sampled: goals of all roles add up to `sum` at the end */
  int sum;
  uint64_t ended; /* sampled games that ended */
} Analysis;

void analysis_init(Analysis *analysis, const Net *net,
                   const Description *description,
                   const AnalysisOptions *options);
void analysis_free(Analysis *analysis);
/* Some lines of text, one finding each. */
void analysis_write(const Analysis *analysis, Text *text);
/* Does each of several roles have its goals in parts of its own? */
bool analysis_goals_disjoint(const Analysis *analysis);
/* The groups proved to have exactly one true fluent, for net_reduce; the caller
   frees both vectors. */
void analysis_groups(const Analysis *analysis, ReduceGroups *groups);

#endif
