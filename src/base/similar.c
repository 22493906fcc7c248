/* Levenshtein (1966) with one row: row[j] is the distance between the part of
   `a` read so far and the first j bytes of `b`. */
#include "base/similar.h"

#include <string.h>

unsigned similar_distance(const char *a, const char *b) {
  enum { LONGEST = 32 };
  size_t m = strlen(a), n = strlen(b);
  if (m >= LONGEST || n >= LONGEST) return LONGEST;
  unsigned row[LONGEST];
  for (unsigned j = 0; j <= n; j++) row[j] = j;
  for (unsigned i = 1; i <= m; i++) {
    unsigned diagonal = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= n; j++) {
      unsigned best = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[n];
}
