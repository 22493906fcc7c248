/* Deleting clauses: learnt ones are ranked by the number of decision levels in
   them (Audemard and Simon 2009), then by size. */
#include <stdlib.h>

#include "base/sat_parts.h"

/* Of learnt clauses: what is deleted first has the highest rank. */
static uint64_t rank(const Sat *sat, uint32_t clause) {
  uint64_t levels = sat->clauses.data[clause - 2] >> 2;
  return levels << 32 | sat_size(sat, clause);
}

static int compare_ranks(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static bool is_satisfied(const Sat *sat, uint32_t clause) {
  for (uint32_t i = 0; i < sat_size(sat, clause); i++)
    if (sat->values.data[sat->clauses.data[clause + i]] > 0) return true;
  return false;
}

static bool may_go(Sat *sat, uint32_t clause) {
  uint32_t mark = *sat_mark(sat, clause);
  return mark & SAT_LEARNT && !(mark & SAT_USED) && mark >> 2 > SAT_BLOCKS &&
         sat_size(sat, clause) > 2;
}

/* Returns the rank from which clauses are deleted: half of those that may. */
static uint64_t median_rank(Sat *sat) {
  VECTOR(uint64_t) ranks = {0};
  for (uint32_t c = 1 + SAT_HEADER; c < sat->clauses.count + SAT_HEADER;
       c += sat_size(sat, c) + SAT_HEADER)
    if (may_go(sat, c)) vector_push(&ranks, rank(sat, c));
  uint64_t median = UINT64_MAX;
  if (ranks.count) {
    qsort(ranks.data, ranks.count, sizeof *ranks.data, compare_ranks);
    median = ranks.data[ranks.count / 2];
  }
  vector_free(&ranks);
  return median;
}

/* Moves the clause to its new place without literals that are false. */
static void move_clause(Sat *sat, uint32_t clause, uint32_t *end) {
  uint32_t size = sat_size(sat, clause), kept = 0, to = *end + SAT_HEADER;
  uint32_t *data = sat->clauses.data;
  uint32_t mark = data[clause - 2] & ~(uint32_t)SAT_USED;
  for (uint32_t i = 0; i < size; i++)
    if (sat->values.data[data[clause + i]] == 0)
      data[to + kept++] = data[clause + i];
  data[to - 2] = mark;
  data[to - 1] = kept;
  *end = to + kept;
}

/* All literals of level 0 have been propagated, so that at least two literals
   of every other clause have no value. */
void sat_reduce(Sat *sat) {
  uint64_t from = median_rank(sat);
  uint32_t end = 1, count = sat->clauses.count;
  sat->counts.clauses = sat->counts.learnt = 0;
  for (uint32_t c = 1 + SAT_HEADER, next; c < count + SAT_HEADER; c = next) {
    next = c + sat_size(sat, c) + SAT_HEADER;
    if (is_satisfied(sat, c) || (may_go(sat, c) && rank(sat, c) >= from))
      continue;
    if (*sat_mark(sat, c) & SAT_LEARNT)
      sat->counts.learnt++;
    else
      sat->counts.clauses++;
    move_clause(sat, c, &end);
  }
  sat->clauses.count = end;
  for (uint32_t i = 0; i < sat->watches.count; i++) {
    SatWatchVector *list = &sat->watches.data[i];
    if (sat->values.data[i]) vector_free(list);
    vector_clear(list);
  }
  for (uint32_t c = 1 + SAT_HEADER; c < end + SAT_HEADER;
       c += sat_size(sat, c) + SAT_HEADER)
    sat_attach(sat, c);
}
