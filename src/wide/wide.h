/* Random playouts, 64 to 1024 at once: one bit of a lane vector is one game.

   Lanes start from the initial state again and again, or from given states; a
   lane whose playout is over begins the next one. Playouts end in a terminal
   state, are cut off after a number of steps, or are stuck where a role has no
   legal move; only those that ended have goals. */
#ifndef TAFL_WIDE_WIDE_H
#define TAFL_WIDE_WIDE_H

#include "wide/cones.h"
#include "wide/results.h"

typedef struct Wide Wide;

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
  bool rivals;            /* in them also the other role's goals */
  WideListener *listener; /* NULL: none; costs some 40 ns for each playout */
  void *context;
} WideOptions;

/* Since the last wide_clear. */
typedef struct WideTotals {
  uint64_t states; /* moves made, in all playouts, also those not over */
  uint64_t room;   /* moves that could have been made, had no lane waited */
  uint64_t ended, cut_off, stuck;
  uint64_t steps; /* of the playouts that ended */
  /* per role, over the playouts that ended and gave it a goal */
  uint64_t *scored, *goals, *goal_squares;
} WideTotals;

/* The cones are borrowed. */
Wide *wide_new(const Cones *cones, const WideOptions *options);
void wide_delete(Wide *wide);

/* Q(a)/τ for each move of the net: Gibbs choice; NULL: uniform choice. */
void wide_set_scores(Wide *wide, const double *scores);

/* So many steps of all lanes, each at most one move in each lane; the same call
   again goes on. False if all starts were played before that. */
bool wide_run(Wide *wide, uint64_t steps);

const WideTotals *wide_totals(const Wide *wide);
void wide_clear(Wide *wide); /* totals and credit */

/* Inside the listener, with recording: the move of a role at a step. */
uint32_t wide_move(const Wide *wide, const WidePlayout *playout, uint32_t step,
                   uint32_t role);
/* All of them: playout->steps times each role's. */
void wide_copy_moves(const Wide *wide, const WidePlayout *playout,
                     uint32_t *moves);
/* Of each move of the net, over playouts that ended; with credit. */
const CreditSum *wide_credit(Wide *wide);

/* ---- playouts from given states ----

   A state is a row of bits, bit i of row[i / 64] is fluent i, borrowed until
   its playouts are over. Search hands over leaves as a stream, so that lanes
   never wait for the longest playout of a batch:

       for (;;) {
         while (at_play < 2 * lanes) wide_add_start(wide, slot, row, 1);
         uint32_t count = wide_play(wide, lanes / 4);
         for (uint32_t i = 0; i < count; i++) {
           uint32_t slot = wide_done(wide, i);
           back up wide_start_goals(wide, slot) over wide_start(wide, slot)
         }
       }

   or as batches: wide_set_starts, wide_play with the number of starts. Leaves
   of any phase may be mixed: lanes begin in phase. Each playout alone, with its
   goals, length and moves, is told to the listener.

   Of the raw rate of states, in per cent, with 512 lanes:

                        reversi  checkers  skirmish  breakthrough  Connect Four
     such a stream           78        87        92            77            30
     16 playouts a leaf      84        89        90            86            48
     a batch of 512          88        97        97            60            28
     all moves copied        40        61        73            32            10

   (those are measured before lanes were loaded by lane vectors; in search a
   stream of four playouts a leaf, with the listener, has 65 % in othello, 93 %
   in checkers, 83 % in skirmish. A batch loses where playouts differ in length;
   30 % in Connect Four is 13 M playouts a second). To load a lane takes from 4
   ns (98 fluents) to 30 (904), a pair of the wide step (wide/expand.h) from 20
   ns to 235. */

/* From here on play each of `count` states `repeat` times, then stop; playouts
   under way are dropped. Row i is start number i. NULL: the initial state for
   ever, as in the beginning. */
void wide_set_starts(Wide *wide, const uint64_t *rows, uint32_t count,
                     uint32_t repeat);
/* One more state, to be played `repeat` > 0 times; the first drops playouts
   from the initial state. The number is the caller's, best a small one; it can
   be used again when the start is done. */
void wide_add_start(Wide *wide, uint32_t number, const uint64_t *row,
                    uint32_t repeat);
/* Run until `wanted` starts are done, or all; how many are. */
uint32_t wide_play(Wide *wide, uint32_t wanted);
/* The number of the i-th start that the last wide_play got done. */
uint32_t wide_done(const Wide *wide, uint32_t i);
/* Results of a start, and the sums of each role's goals over its playouts. */
const StartsResult *wide_start(const Wide *wide, uint32_t number);
const uint64_t *wide_start_goals(const Wide *wide, uint32_t number);

#endif
