/* All n-grams of all roles are in one hash table; moves of different roles have
   different numbers. A full table learns about the n-grams that it has. */
#include "search/ngram.h"

#include <string.h>

#include "base/hash.h"

enum { MOST = 1 << 20 }; /* n-grams: 40 MB with the table */

static uint64_t hash_of(const uint32_t *moves) {
  return hash_pair(hash_pair(moves[0], moves[1]), moves[2]);
}

static uint32_t find(const Ngrams *grams, const uint32_t *moves,
                     MapCursor *at) {
  uint32_t entry = map_first(&grams->map, hash_of(moves), at);
  while (entry && memcmp(grams->list.data[entry - 1].moves, moves,
                         sizeof grams->list.data[0].moves) != 0)
    entry = map_next(&grams->map, at);
  return entry;
}

/* Returns the move before the last `back` steps of the n-gram that ends with
   the role's move at `step`. */
static uint32_t move_before(const Path *path, uint32_t roles, uint32_t step,
                            uint32_t role, uint32_t back) {
  uint32_t other = (role + roles * NGRAM_LONGEST - back) % roles;
  return path->moves.data[(step - back) * roles + other];
}

void ngrams_init(Ngrams *grams, double least) {
  *grams = (Ngrams){.least = least};
}

void ngrams_free(Ngrams *grams) {
  map_free(&grams->map);
  vector_free(&grams->list);
}

static void add(Ngrams *grams, const uint32_t *moves, double value) {
  MapCursor at;
  uint32_t entry = find(grams, moves, &at);
  if (!entry) {
    Ngram fresh = {.visits = 0};
    if (grams->list.count >= MOST) return;
    memcpy(fresh.moves, moves, sizeof fresh.moves);
    vector_push(&grams->list, fresh);
    entry = grams->list.count;
    map_insert(&grams->map, &at, entry);
  }
  grams->list.data[entry - 1].visits += 1;
  grams->list.data[entry - 1].total += (float)value;
}

void ngrams_add(Ngrams *grams, const Path *path, uint32_t roles, uint32_t step,
                uint32_t role, double value) {
  uint32_t moves[NGRAM_LONGEST] = {path->moves.data[step * roles + role],
                                   NGRAM_NONE, NGRAM_NONE};
  for (uint32_t back = 1; back < NGRAM_LONGEST && back <= step; back++) {
    moves[back] = move_before(path, roles, step, role, back);
    add(grams, moves, value);
  }
}

double ngrams_value(const Ngrams *grams, const Path *path, uint32_t roles,
                    uint32_t role, uint32_t move, double single) {
  uint32_t moves[NGRAM_LONGEST] = {move, NGRAM_NONE, NGRAM_NONE};
  uint32_t step = path->steps - 1, count = 1;
  double sum = single;
  for (uint32_t back = 1; back < NGRAM_LONGEST && back <= step; back++) {
    MapCursor at;
    moves[back] = move_before(path, roles, step, role, back);
    uint32_t entry = find(grams, moves, &at);
    if (!entry) break;
    const Ngram *gram = &grams->list.data[entry - 1];
    if (gram->visits < grams->least) break;
    sum += (double)(gram->total / gram->visits);
    count++;
  }
  return sum / count;
}

void ngrams_decay(Ngrams *grams, double share) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < grams->list.count; i++) {
    Ngram gram = grams->list.data[i];
    gram.visits *= (float)share;
    gram.total *= (float)share;
    if (gram.visits >= 0.5F) grams->list.data[kept++] = gram;
  }
  grams->list.count = kept;
  map_reset(&grams->map, kept);
  for (uint32_t i = 0; i < kept; i++)
    map_add(&grams->map, hash_of(grams->list.data[i].moves), i + 1);
}
