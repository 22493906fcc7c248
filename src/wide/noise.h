/* Gumbel noise for many lanes, in planes, and scores on the same scale: the
   move with the greatest sum of score and noise is a sample of the Gibbs
   distribution (the Gumbel-max trick). */
#ifndef TAFL_WIDE_NOISE_H
#define TAFL_WIDE_NOISE_H

#include "base/random.h"
#include "wide/cones.h"

typedef struct Noise {
  const Cones *cones;
  uint64_t *planes; /* SLICED_ENTRIES times SLICED_NOISE_PLANES lane vectors */
  uint64_t *masks;  /* a lane vector, for stirring */
  uint32_t stirred; /* times */
  uint32_t greatest[SLICED_ENTRIES]; /* lane of each entry's greatest sample */
} Noise;

void noise_init(Noise *noise, const Cones *cones, Random *random);
void noise_free(Noise *noise);
/* Move one entry's samples to other lanes, and draw its greatest again. */
void noise_stir(Noise *noise, Random *random);

/* What is `below` the role's greatest score by so much, ≥ 0, on the scale of
   SlicedContest; all that is more than 400 below is alike. */
uint32_t noise_score(double below);

#endif
