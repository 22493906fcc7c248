/* Gumbel noise for many lanes, in planes, and scores on the same scale. The
   move with the greatest sum of score and noise is a sample from the Gibbs
   distribution (the Gumbel-max trick). */
#ifndef TAFL_WIDE_NOISE_H
#define TAFL_WIDE_NOISE_H

#include "base/random.h"
#include "wide/cones.h"

typedef struct Noise {
  const Cones *cones;
  uint32_t entries;   /* each can be rotated in 64 ways */
  uint64_t *planes;   /* SLICED_NOISE_PLANES lane vectors for each entry */
  uint64_t *masks;    /* a lane vector, scratch of stirring */
  uint32_t *greatest; /* lane of each entry's greatest sample */
  double due;         /* entries to stir now */
  uint32_t stirred;   /* entries stirred so far */
} Noise;

/* `moves` is the greatest number of moves in one choice. */
void noise_init(Noise *noise, const Cones *cones, uint32_t moves,
                Random *random);
void noise_free(Noise *noise);
/* Returns the number of entries for that many moves, a power of two. */
uint32_t noise_entries(uint32_t moves);
/* To be called after each use of `entries` entries: from time to time moves an
   entry's samples to other lanes and draws its greatest again. */
void noise_stir(Noise *noise, uint32_t entries, Random *random);

/* Returns a score that is `below` ≥ 0 under the role's greatest, on the scale
   of SlicedContest; clamped at 400. */
uint32_t noise_score(double below);

#endif
