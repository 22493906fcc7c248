#include "cluster/sums.h"

#include <stdlib.h>

static int compare(const void *first, const void *second) {
  uint32_t a = ((const RootSum *)first)->move;
  uint32_t b = ((const RootSum *)second)->move;
  return a < b ? -1 : a > b;
}

void sums_sort(RootSums *sums) {
  if (sums->actions.count)
    qsort(sums->actions.data, sums->actions.count, sizeof *sums->actions.data,
          compare);
}

void sums_clear(RootSums *sums) {
  vector_clear(&sums->actions);
  sums->simulations = sums->states = 0;
}

void sums_free(RootSums *sums) {
  vector_free(&sums->actions);
  sums->simulations = sums->states = 0;
}

static RootSum *find(const RootSums *sums, uint32_t move) {
  const RootSum wanted = {.move = move};
  if (!sums->actions.count) return NULL;
  return bsearch(&wanted, sums->actions.data, sums->actions.count,
                 sizeof *sums->actions.data, compare);
}

void sums_add(RootSums *sums, const RootSums *more) {
  uint32_t before = sums->actions.count;
  for (uint32_t i = 0; i < more->actions.count; i++) {
    const RootSum *one = &more->actions.data[i];
    RootSums known = {.actions = {sums->actions.data, before, before}};
    RootSum *own = find(&known, one->move);
    if (!own) {
      vector_push(&sums->actions, *one);
      continue;
    }
    own->visits += one->visits;
    own->total += one->total;
    if (own->exact < 0) {
      own->exact = one->exact;
      own->distance = one->distance;
    }
  }
  if (sums->actions.count > before) sums_sort(sums);
  sums->simulations += more->simulations;
  sums->states += more->states;
}

void sums_subtract(RootSums *sums, const RootSums *before) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sums->actions.count; i++) {
    RootSum sum = sums->actions.data[i];
    const RootSum *old = find(before, sum.move);
    bool news = !old || sum.exact != old->exact;
    if (old) {
      sum.visits = sum.visits > old->visits ? sum.visits - old->visits : 0;
      sum.total -= old->total;
    }
    if (news || sum.visits) sums->actions.data[kept++] = sum;
  }
  sums->actions.count = kept;
  sums->simulations -= before->simulations < sums->simulations
                           ? before->simulations
                           : sums->simulations;
  sums->states -= before->states < sums->states ? before->states : sums->states;
}
