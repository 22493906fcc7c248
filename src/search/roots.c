#include "search/roots.h"

#include "search/others.h"
#include "search/parts.h"

void roots_take(Search *search, RootSums *sums) {
  vector_clear(&sums->actions);
  sums->simulations = search->report.simulations;
  sums->states = search->report.states;
  if (search->root) others_subtract(search, sums);
}

void roots_join(Search *search, const RootSums *sums) {
  if (search->root) others_add(search, sums);
}
