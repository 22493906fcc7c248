/* What a search says about its last thinking. */
#ifndef TAFL_SEARCH_REPORT_H
#define TAFL_SEARCH_REPORT_H

#include <stdbool.h>

#include "base/vector.h"
#include "engine/game.h"

typedef enum {
  PHASE_DESCEND,
  PHASE_EXPAND,
  PHASE_PLAYOUT,
  PHASE_BACKUP,
  PHASE_COUNT
} SearchPhase;

/* Of a move that a symmetric one stands for: it has no visits, and its value
   is that of the other. */
static const uint32_t SEARCH_NO_ACTION = UINT32_MAX;

typedef struct SearchMove {
  Move move;
  uint32_t visits;
  double value;              /* Q(s,a) */
  bool proven;               /* the value is exact */
  uint32_t distance;         /* if proven: steps to the end */
  uint32_t action;           /* its index in the root, or SEARCH_NO_ACTION */
  uint32_t line, line_steps; /* its expected line in `lines`, or none */
} SearchMove;

/* A role's part of a step of an expected line. */
typedef struct SearchStep {
  Move move;
  bool chosen; /* it is the role's turn */
} SearchStep;

enum { SEARCH_LINES = 64, SEARCH_LINE_STEPS = 256 }; /* reported at most */

typedef struct SearchReport {
  uint64_t simulations, states, descents, cut_off;
  uint64_t lane_moves; /* moves made in lanes */
  uint64_t lane_room;  /* moves that would have been, had no lane waited */
  double seconds, phases[PHASE_COUNT];
  uint64_t allied; /* simulations that allies made: their playouts of leaves are
                      among the ones above, their own searches are not */
  uint64_t offloaded; /* of the simulations above: by the graphics card */
  const char *card; /* why the card is not used: a sentence; NULL: it is, or it
                       is not wanted, or there is none */
  double waited;    /* seconds that the first of several threads waited */
  uint64_t waits;   /* of all threads, for the lock of a node */
  double depth;     /* mean of the descents */
  uint32_t depth_most;
  uint32_t nodes; /* in the tree */
  size_t bytes;
  const char *found;        /* what found the best way of a puzzle: the name of
                               a strategy, "playout" without strategies, "tree"
                               without a playout; NULL: none, or path=none */
  bool proven;              /* the root's value is exact */
  uint32_t distance;        /* if proven: steps to the end */
  double *values;           /* by role: mean return at the root */
  VECTOR(SearchMove) moves; /* of the search's role, best first */
  VECTOR(SearchStep) lines; /* of the first moves, by step and role */
} SearchReport;

#endif
