/* A move for every role in many lanes at once, uniformly or by the Gibbs
   distribution P(a) ∝ exp(Q(a)/τ) over the legal moves. */
#ifndef TAFL_WIDE_CHOOSE_H
#define TAFL_WIDE_CHOOSE_H

#include "wide/noise.h"

typedef struct ChooseRole {
  SlicedLive live; /* in the last choice: legal in some lane */
  uint32_t planes; /* of counts; 0 if no lane has more than one move */
  uint64_t *counts, *several;
} ChooseRole;

typedef struct Choose {
  const Cones *cones; /* borrowed */
  ChooseRole *roles;
  uint64_t *lane_random; /* four lane vectors: a generator for each word */
  Random random;
  uint64_t *counts, *ranks, *used, *some; /* of the roles that share a draw */
  SlicedMove *moves; /* of the net; each role's in ascending order of scores */
  uint32_t *scores;  /* by vector, of the moves; NULL: uniform */
  Noise noise;
  uint32_t dither;
} Choose;

void choose_init(Choose *choose, const Cones *cones, uint64_t seed);
void choose_free(Choose *choose);

/* Q(a)/τ of every move of the net, NULL for uniform choice. */
void choose_set_scores(Choose *choose, const double *scores);

/* After look: the moves in memory become the choices in `lanes`, and none in
   other lanes; `stuck` gets the lanes where a role has no legal move. */
void choose_run(Choose *choose, uint64_t *memory, const uint64_t *lanes,
                uint64_t *stuck);

#endif
