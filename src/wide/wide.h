/* Random playouts, 64 to 1024 at once: one bit of a lane vector is one game.

   Lanes start from the initial state, or from given states; a lane whose
   playout is over begins the next one. Playouts end in a terminal state, are
   cut off after a number of steps, or are stuck where a role has no legal move;
   only those that ended have goals. */
#ifndef TAFL_WIDE_WIDE_H
#define TAFL_WIDE_WIDE_H

#include "wide/cones.h"
#include "wide/results.h"

typedef struct Wide Wide;

/* A finished playout. */
typedef struct WidePlayout {
  WideOutcome outcome;
  uint32_t lane, start, steps;
  const int *goals;      /* by role, if it ended; -1: no goal */
  const uint64_t *state; /* row, if it was cut off, with the option `states` */
  uint64_t first;        /* its first step, for wide_move */
} WidePlayout;

typedef void WideListener(void *context, const WidePlayout *playout);

typedef struct WideOptions {
  uint64_t seed;
  uint32_t step_limit; /* > 0 */
  bool states;         /* tell the listener where playouts were cut off */
  bool record;         /* keep moves for wide_move */
  bool credit;         /* keep sums of moves for wide_credit, */
  bool rivals;         /* also of the other role's goals */
  double blind; /* share of steps with uniform choice in spite of scores */
  WideListener *listener; /* or NULL; costs some 40 ns for each playout */
  void *context;
} WideOptions;

/* Since the last wide_clear. */
typedef struct WideTotals {
  uint64_t states; /* moves made in all playouts, finished or not */
  uint64_t room;   /* moves that could have been made had no lane waited */
  uint64_t ended, cut_off, stuck;
  uint64_t steps; /* of the playouts that ended */
  /* by role, over the playouts that ended with a goal for it */
  uint64_t *scored, *goals, *goal_squares;
} WideTotals;

/* The cones are borrowed. */
Wide *wide_new(const Cones *cones, const WideOptions *options);
void wide_delete(Wide *wide);

/* Sets Q(a)/τ of each move of the net for Gibbs choice; NULL: choose
   uniformly. */
void wide_set_scores(Wide *wide, const double *scores);

/* Changes the number of steps after which playouts are cut off, to at most that
   of the options; only while nothing is played. */
void wide_set_limit(Wide *wide, uint32_t limit);

/* Runs `steps` steps, each at most one move in every lane; another call
   continues. Returns false if all starts were played before that. */
bool wide_run(Wide *wide, uint64_t steps);

const WideTotals *wide_totals(const Wide *wide);
void wide_clear(Wide *wide); /* totals and credit */

/* Returns the move of a role at a step of the playout; only in the listener,
   with `record`. */
uint32_t wide_move(const Wide *wide, const WidePlayout *playout, uint32_t step,
                   uint32_t role);
/* Between runs: stores the states of the lanes in the set `which` into
   rows[lane], and returns how many steps a lane's playout has made. A lane that
   is over keeps its last state until its playout is reported. */
void wide_states(const Wide *wide, const uint64_t *which,
                 uint64_t *const *rows);
uint32_t wide_age(const Wide *wide, uint32_t lane);
/* Returns the sums of each move of the net over the playouts that ended; only
   with `credit`. */
const CreditSum *wide_credit(Wide *wide);

/* ---- playouts from given states ----

   A state is a row of bits (bit i is fluent i), borrowed until its playouts are
   over. The listener is told the goals, length and moves of each playout.
   Search provides leaves as a stream, so that lanes never wait for the longest
   playout of a batch:

       for (;;) {
         while (at_play < 2 * lanes) wide_add_start(wide, slot, row, 1);
         uint32_t count = wide_play(wide, lanes / 4);
         for (uint32_t i = 0; i < count; i++)
           back up what the listener added up for wide_done(wide, i)
       }

   or as batches: wide_set_starts, then wide_play with the number of starts.
   Leaves of different phases may be mixed: lanes begin in phase.

   Rates in per cent of the raw rate of states, with 512 lanes:

                        reversi  checkers  skirmish  breakthrough  Connect Four
     such a stream           78        87        92            77            30
     16 playouts a leaf      84        89        90            86            48
     a batch of 512          88        97        97            60            28
     all moves read          40        61        73            32            10

   (measured before lanes were loaded by lane vectors; in search a stream of
   four playouts a leaf, with the listener, reaches 65 % in othello, 93 % in
   checkers, 83 % in skirmish. A batch loses where playouts differ in length;
   the 30 % in Connect Four are 13 M playouts a second). Loading a lane takes
   from 4 ns (98 fluents) to 30 (904), a successor by wide/expand.h from 20 ns
   to 235. */

/* Drops the current playouts and plays each of `count` states `repeat` times,
   then stops. Row i is start number i. NULL: play from the initial state
   without end, as after wide_new. */
void wide_set_starts(Wide *wide, const uint64_t *rows, uint32_t count,
                     uint32_t repeat);
/* Adds a state to be played `repeat` > 0 times; the first drops the playouts
   from the initial state. The caller chooses the number, preferably a small
   one; it can be used again once the start is done. */
void wide_add_start(Wide *wide, uint32_t number, const uint64_t *row,
                    uint32_t repeat);
/* Runs until `wanted` starts are done, or all; returns how many are. */
uint32_t wide_play(Wide *wide, uint32_t wanted);
/* Returns the number of the i-th start that the last wide_play finished. */
uint32_t wide_done(const Wide *wide, uint32_t i);

#endif
