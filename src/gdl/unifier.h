/* Unification: the bindings of variables that make terms equal. */
#ifndef TAFL_GDL_UNIFIER_H
#define TAFL_GDL_UNIFIER_H

#include "gdl/term.h"

/* Values never contain bound variables, so one substitution is enough. All
   values together have at most `largest` symbols and each at most `deepest`
   levels; beyond that `too_large` is set and nothing unifies. */
typedef struct Unifier {
  Terms *terms;
  TermVector variables, values;
  uint32_t largest, deepest;
  bool too_large;
} Unifier;

void unifier_free(Unifier *unifier);
void unifier_clear(Unifier *unifier);
/* Binds variables so that the two are equal; returns false if none do. */
bool unifier_equate(Unifier *unifier, Term a, Term b);
/* The term with the bindings applied, or 0 if it would be too large. */
Term unifier_apply(const Unifier *unifier, Term term);

#endif
