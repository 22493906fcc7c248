/* Plays a tournament: plans a round, has the runner play what the store does
   not have of it, counts, and goes on until the system says that it is over.
   Since everything follows from the specification and the stored matches, a
   tournament that was stopped goes on where it was. */
#ifndef TAFL_LAB_TOUR_H
#define TAFL_LAB_TOUR_H

#include "lab/tour_score.h"

typedef struct Tour {
  TourPlan plan;
  Results *results;
  int64_t experiment; /* in the store */
  uint32_t round;     /* being played, from 0 */
  bool over;          /* the last round has been played */
  bool decided;       /* the sequential test has ended it */
} Tour;

/* Specification and store are borrowed. Returns false and sets `error` if a
   game cannot be read or the store not be written; free it in any case. */
bool tour_init(Tour *tour, const TourSpec *spec, Results *results,
               const RunnerOptions *options, Text *error);
/* The same for an experiment that the store has, to look at: its rounds are
   planned as far as it was played, and nothing is written. */
bool tour_look(Tour *tour, const TourSpec *spec, Results *results,
               int64_t experiment, Text *error);
void tour_free(Tour *tour);

/* As runner_run; the time limit is that of the whole. */
RunnerEnd tour_run(Tour *tour, const RunnerOptions *options, Text *error);

#endif
