/* Gumbel noise for many lanes, in planes, and scores on the same scale: the
   move with the greatest sum of score and noise is a sample of the Gibbs
   distribution (the Gumbel-max trick). */
#ifndef TAFL_WIDE_NOISE_H
#define TAFL_WIDE_NOISE_H

#include "base/random.h"
#include "wide/cones.h"

/* In the near cache; each can be turned in 64 ways. */
enum { NOISE_ENTRIES = 16 };

typedef struct Noise {
  const Cones *cones;
  uint64_t *planes; /* NOISE_ENTRIES times SLICED_NOISE_PLANES lane vectors */
  uint64_t *masks;  /* a lane vector, for stirring */
  uint32_t stirred; /* times */
  uint32_t greatest[NOISE_ENTRIES]; /* lane of each entry's greatest sample */
} Noise;

/* A score Q(a)/τ on the scale of keys: its floor, and the chance, in 255ths,
   that one is to be added. */
typedef struct NoiseScore {
  uint8_t whole, chance;
} NoiseScore;

void noise_init(Noise *noise, const Cones *cones, Random *random);
void noise_free(Noise *noise);
/* Move one entry's samples to other lanes, and draw its greatest again. */
void noise_stir(Noise *noise, Random *random);

/* `below` is how much the score is below the role's greatest, ≥ 0. Scores more
   than 10.5 below count as 10.5 below: chosen once in 36,000 beside the best.
 */
void noise_score(double below, NoiseScore *score);

static inline const uint64_t *noise_entry(const Noise *noise, uint32_t entry) {
  return noise->planes + (size_t)(entry % NOISE_ENTRIES) * SLICED_NOISE_PLANES *
                             noise->cones->mode.words;
}

#endif
