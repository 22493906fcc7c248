/* Gumbel noise for many lanes, in planes, and scores on the same scale: the
   move with the greatest sum of score and noise is a sample of the Gibbs
   distribution (the Gumbel-max trick). */
#ifndef TAFL_WIDE_NOISE_H
#define TAFL_WIDE_NOISE_H

#include "base/random.h"
#include "wide/cones.h"

typedef struct Noise {
  const Cones *cones;
  uint32_t entries;        /* a power of two; each can be turned in 64 ways */
  uint64_t *planes;        /* of every entry SLICED_NOISE_PLANES lane vectors */
  uint64_t *masks;         /* a lane vector, for stirring */
  uint64_t steps, stirred; /* uses, entries stirred, so far */
  uint32_t *greatest;      /* lane of each entry's greatest sample */
} Noise;

/* For as many moves at once. */
void noise_init(Noise *noise, const Cones *cones, uint32_t moves,
                Random *random);
void noise_free(Noise *noise);
/* After each use: now and then move an entry's samples to other lanes, and draw
   its greatest again. */
void noise_stir(Noise *noise, Random *random);

/* What is `below` the role's greatest score by so much, ≥ 0, on the scale of
   SlicedContest; all that is more than 400 below is alike. */
uint32_t noise_score(double below);

#endif
