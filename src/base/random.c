/* xoshiro256** and Lemire's unbiased bounded numbers (2019). */
#include "base/random.h"

#include <assert.h>

#include "base/hash.h"

void random_seed(Random *random, uint64_t seed) {
  for (int i = 0; i < 4; i++)
    random->state[i] = hash_mix(seed += 0x9e3779b97f4a7c15u);
}

static inline uint64_t rotate(uint64_t x, int by) {
  return x << by | x >> (64 - by);
}

uint64_t random_next(Random *random) {
  uint64_t *s = random->state;
  uint64_t result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = rotate(s[3], 45);
  return result;
}

uint32_t random_below(Random *random, uint32_t limit) {
  assert(limit > 0);
  uint64_t product = (random_next(random) >> 32) * limit;
  if ((uint32_t)product < limit) {
    uint32_t threshold = -limit % limit;
    while ((uint32_t)product < threshold)
      product = (random_next(random) >> 32) * limit;
  }
  return (uint32_t)(product >> 32);
}
