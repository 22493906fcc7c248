/* A tournament as a list of series, which grows round by round. A pair of
   agents that meets has one series at each game, or two.

   In games of more than two roles, the two agents share the roles: each has
   every second one, and its goal is the mean of its roles' goals
   (contest/fixture.h). Where the number of roles is odd, one agent has one more
   than the other; there is a second series then, in which the other one has it.
   In games of one role both play by themselves, and the results of two games
   with the same seed are compared.

   Agents that meet again go on in the same series, with games that follow those
   of the meeting before. */
#ifndef TAFL_LAB_TOUR_PLAN_H
#define TAFL_LAB_TOUR_PLAN_H

#include "lab/runner.h"
#include "lab/tour_spec.h"

/* Of a series. */
typedef struct TourEntry {
  uint32_t game;     /* of the specification */
  uint32_t agent[2]; /* of the specification: the series' players */
  uint32_t round;    /* games with the same seed */
  uint32_t length;   /* games of one meeting */
} TourEntry;

typedef struct TourPlan {
  const TourSpec *spec;
  uint32_t *roles;   /* by game */
  Meetings meetings; /* planned so far, byes included */
  VECTOR(TourEntry) entries;
  SeriesVector series; /* by entry */
} TourPlan;

/* Reads the games, found as in RunnerOptions. The specification is borrowed.
   Returns false and sets `error` if one cannot be played; free the plan in any
   case. */
bool tour_plan_init(TourPlan *plan, const TourSpec *spec,
                    const RunnerOptions *options, Text *error);
/* The same with the rules that the store has of an experiment's games; one that
   was not begun there is an error. */
bool tour_plan_init_stored(TourPlan *plan, const TourSpec *spec,
                           Results *results, int64_t experiment, Text *error);
void tour_plan_free(TourPlan *plan);

/* Adds the meetings of a round and their games. */
void tour_plan_add(TourPlan *plan, const Meetings *round);

/* How many of the meetings before this one have the same agents. */
uint32_t tour_plan_earlier(const TourPlan *plan, uint32_t meeting);

#endif
