/* Random playouts, 64 to 1024 at once: one bit of a lane vector is one game.

   Lanes start from the initial state again and again, or from given states; a
   lane whose playout is over begins the next one. Playouts end in a terminal
   state, are cut off after a number of steps, or are stuck where a role has no
   legal move; only those that ended have goals. */
#ifndef TAFL_WIDE_WIDE_H
#define TAFL_WIDE_WIDE_H

#include "wide/cones.h"
#include "wide/credit.h"

typedef struct Wide Wide;

typedef enum { WIDE_ENDED, WIDE_CUT_OFF, WIDE_STUCK } WideOutcome;

/* A playout that is over. */
typedef struct WidePlayout {
  WideOutcome outcome;
  uint32_t lane, start, steps;
  const int *goals; /* per role, -1: none; of playouts that ended */
  uint64_t first;   /* step in the record */
} WidePlayout;

typedef void WideListener(void *context, const WidePlayout *playout);

typedef struct WideOptions {
  uint64_t seed;
  uint32_t step_limit;    /* > 0 */
  bool record;            /* moves, for wide_move */
  bool credit;            /* sums of moves, for wide_credit */
  WideListener *listener; /* NULL: none; costs some 40 ns for each playout */
  void *context;
} WideOptions;

/* Since the last wide_clear. */
typedef struct WideTotals {
  uint64_t states; /* moves made, in all playouts, also those not over */
  uint64_t ended, cut_off, stuck;
  uint64_t steps; /* of the playouts that ended */
  /* per role, over the playouts that ended and gave it a goal */
  uint64_t *scored, *goals, *goal_squares;
} WideTotals;

/* Of one start. */
typedef struct WideStart {
  uint32_t ended, cut_off, stuck;
} WideStart;

/* The cones are borrowed. */
Wide *wide_new(const Cones *cones, const WideOptions *options);
void wide_delete(Wide *wide);

/* Q(a)/τ for each move of the net: Gibbs choice; NULL: uniform choice. */
void wide_set_scores(Wide *wide, const double *scores);

/* From here on play each of `count` states `repeat` times, then stop; playouts
   under way are dropped. A state is a row of bits, bit i of row[i / 64] is
   fluent i; rows are borrowed. NULL: the initial state for ever, as in the
   beginning. */
void wide_set_starts(Wide *wide, const uint64_t *rows, uint32_t count,
                     uint32_t repeat);

/* So many steps of all lanes, each at most one move in each lane; the same call
   again goes on. False if all starts were played before that. */
bool wide_run(Wide *wide, uint64_t steps);

const WideTotals *wide_totals(const Wide *wide);
void wide_clear(Wide *wide); /* totals and credit */

/* Results of start i, and the sum of a role's goals over its playouts. */
const WideStart *wide_start(const Wide *wide, uint32_t i);
uint64_t wide_start_goals(const Wide *wide, uint32_t i, uint32_t role);

/* Inside the listener, with recording: the move of a role at a step. */
uint32_t wide_move(const Wide *wide, const WidePlayout *playout, uint32_t step,
                   uint32_t role);
/* Of each move of the net, over playouts that ended; with credit. */
const CreditSum *wide_credit(Wide *wide);

#endif
