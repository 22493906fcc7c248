/* A set of terms: members carry the era, so that emptying it is an addition. */
#ifndef TAFL_GDL_TERM_SET_H
#define TAFL_GDL_TERM_SET_H

#include "gdl/term.h"

typedef struct TermSet {
  VECTOR(uint32_t) marks; /* by term: the era in which it is a member */
  uint32_t era;
} TermSet;

void term_set_clear(TermSet *set); /* also the first thing to do with one */
void term_set_free(TermSet *set);
bool term_set_add(TermSet *set, Term term); /* false if it is there already */

static inline bool term_set_has(const TermSet *set, Term term) {
  return term < set->marks.count && set->marks.data[term] == set->era;
}

#endif
