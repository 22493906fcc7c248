/* Sets of terms by marks; the era counts from 1, and starts anew after 2^32. */
#include "gdl/term_set.h"

void term_set_clear(TermSet *set) {
  if (++set->era) return;
  if (set->marks.count)
    memset(set->marks.data, 0, set->marks.count * sizeof *set->marks.data);
  set->era = 1;
}

void term_set_free(TermSet *set) {
  vector_free(&set->marks);
}

bool term_set_add(TermSet *set, Term term) {
  while (set->marks.count <= term) vector_push(&set->marks, 0);
  if (set->marks.data[term] == set->era) return false;
  set->marks.data[term] = set->era;
  return true;
}
