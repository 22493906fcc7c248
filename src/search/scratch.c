#include "search/scratch.h"

#include "search/judge.h"

void scratch_init(Scratch *own, const Search *search, uint64_t seed,
                  Mast *mast) {
  uint32_t roles = search->role_count;
  *own = (Scratch){.mast = mast};
  random_seed(&own->random, seed);
  own->values = memory_new(roles * sizeof *own->values);
  own->highest = search->settings.final == FINAL_MAXIMUM
                     ? memory_new(roles * sizeof *own->highest)
                     : own->values;
  own->judged = memory_new(roles * sizeof *own->judged);
}

void scratch_reserve(Scratch *own, const Search *search) {
  uint32_t moves = search->book->net.moves.count;
  vector_grow(&own->candidates, moves);
  vector_grow(&own->indices, moves);
  vector_grow(&own->weights, moves);
  if (search->settings.rave) vector_grow(&own->stamp, moves);
}

static void free_merge(Merge *merge) {
  vector_free(&merge->paths);
  vector_free(&merge->values);
  vector_free(&merge->lessons);
  vector_free(&merge->sums);
}

void scratch_free(Scratch *own) {
  if (own->highest != own->values) memory_delete(own->highest);
  memory_delete(own->values);
  memory_delete(own->judged);
  judge_free(&own->judge);
  vector_free(&own->stamp);
  free_merge(&own->merge);
  vector_free(&own->candidates);
  vector_free(&own->indices);
  vector_free(&own->weights);
}
