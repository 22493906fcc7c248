/* A pool of Gumbel samples, made once. A sample is a number from 1 to 126 in
   planes, in units of an eighth of a nat; scores are on the same scale with
   eight more bits.

   The pool is stratified: it has one sample from each n-th of the distribution,
   and those of one entry are spread evenly too. Only the greatest sample of an
   entry is drawn again from time to time, since it alone lets bad moves win.
   Noise is rounded to the nearest number; a score is rounded down after adding
   a dither, the same for all moves of a step, so that differences of scores
   have the right mean; ties are broken by a random plane. What all this adds to
   the noise is the same for all moves and shifts probabilities by less than a
   thousandth.

   At each use lanes are rotated against the entries, within their words.
   Entries are stirred one at a time, by exchanging bits within words and
   shifting words, so that lanes do not keep their samples nor samples their
   neighbours: with rotation only, two moves with the same entry met the same
   pairs of samples forever, and a chi-square test of forty moves noticed. Eight
   entries instead of 16 failed the test of 100 moves; 16, each stirred every 32
   steps, pass it. With 1500 moves in 32 entries the greatest samples were used
   for too long, so large pools are stirred four times a step and more. */
#include "wide/noise.h"

#include <math.h>

static const double LOWEST = -2.2; /* noise; one sample in 8,000 is less */
static const double HIGHEST = 14;  /* noise; one in a million is more */
static const double DEEPEST = 400; /* of a score, below the greatest */

enum {
  LEAST_ENTRIES = 16, /* 15 KB for 512 lanes: fits the L1 cache */
  TURNS = 64,         /* rotations of an entry */
  LEVELS = (1 << SLICED_KEY_PLANES) - SLICED_RAISES - 1
};

static double unit(void) {
  return (HIGHEST - LOWEST) / LEVELS;
}

/* Returns a uniform number in (0, 1). */
static double fraction(Random *random) {
  return ((double)(random_next(random) >> 12) + 0.5) / 0x1p52;
}

static uint32_t sample(double quantile) {
  double noise = -log(-log(quantile));
  if (noise < LOWEST) noise = LOWEST;
  if (noise > HIGHEST) noise = HIGHEST;
  return 1 + (uint32_t)((noise - LOWEST) / unit() + 0.5);
}

static void shuffle(Random *random, uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) list[i] = i;
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = random_below(random, i), swap = list[j];
    list[j] = list[i - 1];
    list[i - 1] = swap;
  }
}

static uint64_t *entry_planes(const Noise *noise, uint32_t entry) {
  return noise->planes +
         (size_t)entry * SLICED_NOISE_PLANES * noise->cones->mode.words;
}

static void set_sample(Noise *noise, uint32_t entry, uint32_t lane,
                       uint32_t key) {
  uint32_t words = noise->cones->mode.words;
  uint64_t *word = entry_planes(noise, entry) + words + lane / 64;
  for (uint32_t j = 0; j < SLICED_KEY_PLANES; j++, word += words)
    *word = (*word & ~(UINT64_C(1) << lane % 64)) | (uint64_t)(key >> j & 1)
                                                        << lane % 64;
}

static void raise_entry(Noise *noise, uint32_t entry) {
  uint32_t words = noise->cones->mode.words;
  size_t size = (size_t)SLICED_KEY_PLANES * words;
  uint64_t *planes = entry_planes(noise, entry) + words;
  for (uint32_t i = 1; i < SLICED_RAISES; i++, planes += size)
    noise->cones->sliced->raise(planes, words, planes + size);
}

/* Sets sample number i of each entry, from neighbouring strata; places[entry]
   are the lanes in the entry's order. */
static void set_samples(Noise *noise, const uint32_t *places, uint32_t i,
                        const uint32_t *order, Random *random) {
  uint32_t lanes = 64 * noise->cones->mode.words;
  double strata = (double)noise->entries * lanes;
  for (uint32_t j = 0; j < noise->entries; j++) {
    double stratum = (double)i * noise->entries + j;
    uint32_t lane = places[(size_t)order[j] * lanes + i];
    set_sample(noise, order[j], lane,
               sample((stratum + fraction(random)) / strata));
    noise->greatest[order[j]] = lane;
  }
}

void noise_init(Noise *noise, const Cones *cones, uint32_t moves,
                Random *random) {
  uint32_t words = cones->mode.words, lanes = 64 * words;
  uint32_t entries = noise_entries(moves);
  *noise = (Noise){.cones = cones, .entries = entries};
  noise->planes =
      cones_vectors_new(cones, (size_t)entries * SLICED_NOISE_PLANES);
  noise->masks = cones_vectors_new(cones, 1);
  noise->greatest = memory_new(entries * sizeof *noise->greatest);
  uint32_t *places = memory_new((size_t)entries * lanes * sizeof *places);
  uint32_t *order = memory_new(entries * sizeof *order);
  for (uint32_t entry = 0; entry < entries; entry++) {
    shuffle(random, places + (size_t)entry * lanes, lanes);
    for (uint32_t i = 0; i < words; i++)
      entry_planes(noise, entry)[i] = random_next(random);
  }
  for (uint32_t i = 0; i < lanes; i++) {
    shuffle(random, order, entries);
    set_samples(noise, places, i, order, random);
  }
  for (uint32_t entry = 0; entry < entries; entry++) raise_entry(noise, entry);
  memory_delete(places);
  memory_delete(order);
}

void noise_free(Noise *noise) {
  memory_delete(noise->planes);
  memory_delete(noise->masks);
  memory_delete(noise->greatest);
  noise->planes = NULL;
}

enum { STIRRED = 1 + SLICED_KEY_PLANES }; /* planes; the rest depend on them */

/* Word i comes from word i + 1. */
static void shift_words(uint64_t *planes, uint32_t words) {
  for (uint32_t j = 0; j < STIRRED; j++, planes += words) {
    uint64_t first = planes[0];
    for (uint32_t i = 0; i + 1 < words; i++) planes[i] = planes[i + 1];
    planes[words - 1] = first;
  }
}

/* Returns where a lane's sample is after shifting words and exchanging bits. */
static uint32_t follow(const Noise *noise, uint32_t lane, uint32_t shift) {
  uint32_t words = noise->cones->mode.words;
  uint32_t word = (lane / 64 + words - 1) % words, bit = lane % 64;
  if (noise->masks[word] >> bit & 1)
    bit += shift;
  else if (bit >= shift && noise->masks[word] >> (bit - shift) & 1)
    bit -= shift;
  return 64 * word + bit;
}

static void stir_entry(Noise *noise, uint32_t entry, uint32_t level,
                       Random *random) {
  static const uint64_t lower[6] = {0x5555555555555555u, 0x3333333333333333u,
                                    0x0f0f0f0f0f0f0f0fu, 0x00ff00ff00ff00ffu,
                                    0x0000ffff0000ffffu, 0x00000000ffffffffu};
  uint32_t words = noise->cones->mode.words;
  uint64_t *planes = entry_planes(noise, entry);
  for (uint32_t i = 0; i < words; i++)
    noise->masks[i] = random_next(random) & lower[level];
  shift_words(planes, words);
  noise->cones->sliced->exchange(planes, words, STIRRED, 1u << level,
                                 noise->masks);
  uint32_t lane = follow(noise, noise->greatest[entry], 1u << level);
  noise->greatest[entry] = lane;
  set_sample(noise, entry, lane, sample(1 - fraction(random) / (64 * words)));
  raise_entry(noise, entry);
}

uint32_t noise_entries(uint32_t moves) {
  uint32_t entries = LEAST_ENTRIES;
  while (entries * TURNS < moves) entries *= 2;
  return entries;
}

void noise_stir(Noise *noise, uint32_t entries, Random *random) {
  noise->due += entries == LEAST_ENTRIES ? 0.5 : entries * entries / 256.0;
  for (; noise->due >= 1; noise->due--, noise->stirred++)
    stir_entry(noise, noise->stirred % entries, noise->stirred / entries % 6,
               random);
}

uint32_t noise_score(double below) {
  double value = DEEPEST - below;
  if (!(value > 0)) value = 0;
  return (uint32_t)(256 * value / unit() + 0.5);
}
