/* Chooses a move for every role in many lanes at once, uniformly or by the
   Gibbs distribution P(a) ∝ exp(Q(a)/τ) over the legal moves. */
#ifndef TAFL_WIDE_CHOOSE_H
#define TAFL_WIDE_CHOOSE_H

#include "wide/noise.h"

typedef struct ChooseRole {
  SlicedLive live; /* moves that were legal in some lane, in the last choice */
  uint32_t planes; /* of counts; 0 if no lane has more than one move */
  uint64_t *counts, *several;
} ChooseRole;

/* The moves that may be legal at a leg: role r has moves[first[r] …
   first[r + 1]), in ascending order of scores. */
typedef struct ChooseTable {
  SlicedMove *moves;
  uint32_t *first;
} ChooseTable;

typedef struct Choose {
  const Cones *cones; /* borrowed */
  ChooseRole *roles;
  uint64_t *lane_random; /* four lane vectors: one generator for each word */
  Random random;
  uint64_t *counts, *ranks, *used, *some; /* of the roles that share a draw */
  uint32_t *order;     /* each role's moves in ascending order of scores */
  ChooseTable *tables; /* by number of the leg */
  uint32_t table_count;
  uint32_t *scores; /* of the moves, by vector; NULL: uniform */
  Noise noise;
  uint32_t dither;
  double blind; /* share of steps with uniform choice in spite of scores */
} Choose;

void choose_init(Choose *choose, const Cones *cones, uint64_t seed);
void choose_free(Choose *choose);

/* Sets Q(a)/τ of every move of the net; NULL: choose uniformly. */
void choose_set_scores(Choose *choose, const double *scores);

/* To be called after the leg's program `look`. The moves in memory become the
   choices in `lanes`; those that are never legal at the leg keep their vectors.
   In other lanes none of the live moves is chosen, and vectors of moves that
   are not live mean nothing. `stuck` gets the lanes in which a role has no
   legal move. */
void choose_run(Choose *choose, const Leg *leg, uint64_t *memory,
                const uint64_t *lanes, uint64_t *stuck);

#endif
