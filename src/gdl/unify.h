/* Unification: the bindings of variables that make terms equal. */
#ifndef TAFL_GDL_UNIFY_H
#define TAFL_GDL_UNIFY_H

#include "gdl/term.h"

/* Values never contain bound variables, so one replacement is enough. All
   values together stay within `largest` symbols and each within `deepest`
   levels; beyond that `too_large` is set and nothing unifies. */
typedef struct Unifier {
  Terms *terms;
  TermVector variables, values;
  uint32_t largest, deepest;
  bool too_large;
} Unifier;

void unifier_free(Unifier *unifier);
void unifier_clear(Unifier *unifier);
/* Bind what makes the two equal; false if nothing does. */
bool unifier_equate(Unifier *unifier, Term a, Term b);
/* The term with the bindings applied; 0 if it would be too large. */
Term unifier_apply(const Unifier *unifier, Term term);

#endif
