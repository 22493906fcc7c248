/* Gumbel noise for many lanes, in planes, and scores on the same scale: the
   move with the greatest sum of score and noise is a sample of the Gibbs
   distribution (the Gumbel-max trick). */
#ifndef TAFL_WIDE_NOISE_H
#define TAFL_WIDE_NOISE_H

#include "base/random.h"
#include "wide/cones.h"

typedef struct Noise {
  const Cones *cones;
  uint32_t entries;   /* each can be turned in 64 ways */
  uint64_t *planes;   /* of every entry SLICED_NOISE_PLANES lane vectors */
  uint64_t *masks;    /* a lane vector, for stirring */
  uint32_t *greatest; /* lane of each entry's greatest sample */
  double due;         /* entries to be stirred now */
  uint32_t stirred;   /* so far */
} Noise;

/* For as many moves at once, at most. */
void noise_init(Noise *noise, const Cones *cones, uint32_t moves,
                Random *random);
void noise_free(Noise *noise);
/* How many entries so many moves need: a power of two. */
uint32_t noise_entries(uint32_t moves);
/* After each use of so many entries: now and then move an entry's samples to
   other lanes, and draw its greatest again. */
void noise_stir(Noise *noise, uint32_t entries, Random *random);

/* What is `below` the role's greatest score by so much, ≥ 0, on the scale of
   SlicedContest; all that is more than 400 below is alike. */
uint32_t noise_score(double below);

#endif
