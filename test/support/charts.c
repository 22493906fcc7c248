#include "support/charts.h"

#include <math.h>
#include <string.h>

void charts_start(Charts *charts, uint64_t seed) {
  *charts = (Charts){0};
  random_seed(&charts->random, seed);
}

bool charts_chance(Charts *charts, uint32_t of) {
  return !random_below(&charts->random, of);
}

double charts_value(Charts *charts) {
  Random *random = &charts->random;
  double plain = random_below(random, 100001) / 1000.;
  switch (random_below(random, 24)) {
  case 0: return NAN;
  case 1: return INFINITY;
  case 2: return -INFINITY;
  case 3: return plain * 1e306;
  case 4: return -plain * 1e306;
  case 5: return plain * 1e-310;
  case 6: return 0;
  case 7: return -plain;
  case 8: return plain * 1e7;
  default: return plain;
  }
}

const char *charts_label(Charts *charts) {
  static const char words[] =
      "breakthrough & cadia2010:c=40 <connectFour> chinese checkers τ=0.7 漢字 "
      "averyveryverylongwordwithoutanyspaceinitthatneverends and so on and so "
      "forth until nobody reads any further";
  Random *random = &charts->random;
  uint32_t kind = random_below(random, 8);
  if (kind == 0) return NULL;
  char bytes[sizeof words];
  size_t length = random_below(random, kind < 3 ? sizeof words : 20);
  if (kind == 1) {
    for (size_t i = 0; i < length; i++)
      bytes[i] = (char)(1 + random_below(random, 255));
  } else {
    size_t from = random_below(random, (uint32_t)(sizeof words - length));
    memcpy(bytes, words + from, length);
  }
  return arena_copy(&charts->arena, bytes, length);
}

void charts_clear(Charts *charts) {
  arena_free(&charts->arena);
}
