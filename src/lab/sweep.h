/* A sweep: how strong is an agent as one or two of its settings vary? With each
   combination of values it plays the same opponent at the same games under the
   same budget; in games of one role it plays alone.

   A combination is a point. The agent as it is, with its usual settings, is
   always one of them, so that others can be compared with it: if it is not
   among the values that were asked for, it is added. A point that is the
   opponent itself is not played: by symmetry it scores 50 %. */
#ifndef TAFL_LAB_SWEEP_H
#define TAFL_LAB_SWEEP_H

#include "contest/estimate.h"
#include "lab/series.h"
#include "store/results.h"

enum { SWEEP_AXES = 2 }; /* at most */

typedef struct SweepAxis {
  Text setting;
  TextVector values; /* as they were written */
  Text usual;        /* the agent's own value */
} SweepAxis;

typedef struct SweepPoint {
  uint32_t at[SWEEP_AXES]; /* numbers of values; of `usual`: their count */
  AgentSpec spec;
  bool twin; /* the same settings as the opponent */
} SweepPoint;

typedef struct SweepGame {
  Text name;
  uint32_t roles;
} SweepGame;

typedef struct Sweep {
  AgentSpec agent, against;
  uint32_t axis_count;
  SweepAxis axes[SWEEP_AXES];
  /* The first axis is the outer one. `grid` of them are what was asked for; if
     the agent as it is is not, it is the one after them. */
  VECTOR(SweepPoint) points;
  uint32_t grid;
  uint32_t usual; /* the point that is the agent as it is */
  VECTOR(SweepGame) games;
  Series common; /* budget, number of games and so on of all series */
} Sweep;

/* `vary` is "c=10,20,40", or of two settings "c=10,20,40,rave=100,500"; an
   empty `against` is the agent as it is. `common` is as series_init leaves it.
   Returns false and sets `error` if something is wrong; nothing to free. */
bool sweep_init(Sweep *sweep, const char *agent, const char *against,
                const char *vary, Text *error);
void sweep_free(Sweep *sweep);
void sweep_add_game(Sweep *sweep, const char *name, uint32_t roles);

/* Returns false if the score is known without playing: the agent would play
   against itself. */
bool sweep_plays(const Sweep *sweep, uint32_t point, uint32_t game);
/* Appends all series that are to be played: those of each point, game by
   game. */
void sweep_plan(const Sweep *sweep, SeriesVector *list);
/* Returns what tells this sweep from others: agents, values, games, budget. */
json_t *sweep_specification(const Sweep *sweep);

/* Appends the value of a point on an axis; and "c=10, rave=100". */
void sweep_value(const Sweep *sweep, uint32_t point, uint32_t axis, Text *text);
void sweep_name(const Sweep *sweep, uint32_t point, Text *text);
/* Returns true, and sets `values` of all points, if the values of the axis are
   numbers. */
bool sweep_numbers(const Sweep *sweep, uint32_t axis, double *values);

/* ---- results ---- */

typedef struct SweepCell {
  Tally tally;     /* of the agent */
  uint32_t errors; /* games that ended with one, and do not count */
  Estimate score;  /* win rate in percent; mean goal in games of one role */
} SweepCell;

typedef struct SweepResult {
  SweepCell *cells; /* point by point, game by game */
  Estimate *means;  /* of each point over the games; NAN: some have no game */
  uint32_t best;    /* point of the highest mean; UINT32_MAX: none has one */
  Estimate lead;    /* of the best over the agent as it is */
  /* Probability of such a lead if all points were equally strong: by the normal
     approximation, times the number of points that the best was chosen from
     (Bonferroni's correction). NAN: not known. */
  double chance;
  uint32_t comparisons; /* that number */
} SweepResult;

/* Reads what the store has of an experiment that was made with sweep_plan.
   Returns false on failure of the store; nothing to free. */
bool sweep_collect(SweepResult *result, const Sweep *sweep, Results *results,
                   int64_t experiment);
/* The same from tallies by point and game; of twins none are needed. */
void sweep_judge(SweepResult *result, const Sweep *sweep, const Tally *tallies);
void sweep_result_free(SweepResult *result);

#endif
