/* The results of a tournament: what the store has of its plan, counted for each
   pair of agents, at each game and in all.

   A game that ended with an error has no score; it counts as an error of the
   pair. In games of one role, two games are one result (lab/tour_plan.h). */
#ifndef TAFL_LAB_TOUR_SCORE_H
#define TAFL_LAB_TOUR_SCORE_H

#include "contest/rating.h"
#include "lab/tour_plan.h"

/* Rounds of a series that the runner plays in turn; the test takes pairs in the
   same order. */
enum { TOUR_SCORE_BLOCK = 5 };

typedef struct TourMatch {
  enum { TOUR_MATCH_MISSING, TOUR_MATCH_ERROR, TOUR_MATCH_SCORED } state;
  bool drawn;      /* cut off: a draw, whatever the goals */
  double goals[2]; /* by player of the series; NAN: it did not play */
} TourMatch;

typedef struct TourCell {
  Tally tally; /* of one agent against another */
  uint64_t errors;
} TourCell;

/* The results at one game, or in all. */
typedef struct TourSection {
  const char *game; /* borrowed from the specification; NULL: all */
  TourCell *cells;  /* row by row: the row's agent against the column's, on the
                       diagonal against everybody */
  Rating rating;    /* solved */
} TourSection;

typedef struct TourScore {
  const TourPlan *plan;
  uint32_t agents;
  uint32_t entries;      /* of the plan when it was counted */
  TourMatch **matches;   /* by entry and number */
  TourSection *sections; /* all, then by game */
  uint32_t count;        /* of sections */
  uint64_t games, errors, planned;
  Text error;                 /* the first one */
  Meetings meetings;          /* those of the plan that have begun, and byes */
  PairingStanding *standings; /* by agent */
  Sprt sprt;                  /* of two agents */
} TourScore;

/* Reads and counts. Returns false and sets `error` if the store cannot be read;
   free the score in any case. */
bool tour_score_init(TourScore *score, const TourPlan *plan, Results *results,
                     int64_t experiment, Text *error);
void tour_score_free(TourScore *score);

const TourCell *tour_score_cell(const TourScore *score, uint32_t section,
                                uint32_t agent, uint32_t against);

/* Return whether the store has all games of an entry, and whether those that it
   has all ended with an error. */
bool tour_score_complete(const TourScore *score, uint32_t entry);
bool tour_score_hopeless(const TourScore *score, uint32_t entry);

#endif
