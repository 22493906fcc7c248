/* Robinson's algorithm on hash-consed terms, with the occurs check. */
#include "gdl/unifier.h"

void unifier_free(Unifier *unifier) {
  vector_free(&unifier->variables);
  vector_free(&unifier->values);
}

void unifier_clear(Unifier *unifier) {
  vector_clear(&unifier->variables);
  vector_clear(&unifier->values);
  unifier->too_large = false;
}

Term unifier_apply(const Unifier *unifier, Term term) {
  const TermVector *variables = &unifier->variables;
  const Term *values = unifier->values.data;
  if (!variables->count) return term;
  if (term_substituted_size(unifier->terms, term, variables->data, values,
                            variables->count) > unifier->largest)
    return 0;
  Term result = term_substitute(unifier->terms, term, variables->data, values,
                                variables->count);
  return term_depth(unifier->terms, result) <= unifier->deepest + 1 ? result
                                                                    : 0;
}

/* Substitutes the new value in all existing values. */
static bool bind(Unifier *unifier, Term variable, Term value) {
  Terms *terms = unifier->terms;
  TermVector *values = &unifier->values;
  uint64_t total = 0;
  for (uint32_t i = 0; i < values->count; i++) {
    total +=
        term_substituted_size(terms, values->data[i], &variable, &value, 1);
    if (total > unifier->largest) break;
    values->data[i] =
        term_substitute(terms, values->data[i], &variable, &value, 1);
    if (term_depth(terms, values->data[i]) > unifier->deepest) {
      total = (uint64_t)unifier->largest + 1;
      break;
    }
  }
  vector_push(&unifier->variables, variable);
  vector_push(values, value);
  unifier->too_large |= total > unifier->largest;
  return !unifier->too_large;
}

bool unifier_equate(Unifier *unifier, Term a, Term b) {
  Terms *terms = unifier->terms;
  a = unifier_apply(unifier, a);
  b = unifier_apply(unifier, b);
  unifier->too_large |= !a || !b;
  if (unifier->too_large) return false;
  if (a == b) return true;
  if (!term_is_variable(terms, a)) {
    Term swap = a;
    a = b, b = swap;
  }
  if (term_is_variable(terms, a))
    return !term_contains(terms, b, a) && bind(unifier, a, b);
  uint32_t arity = term_arity(terms, a);
  if (term_symbol(terms, a) != term_symbol(terms, b) ||
      arity != term_arity(terms, b))
    return false;
  for (uint32_t i = 0; i < arity; i++)
    if (!unifier_equate(unifier, term_argument(terms, a, i),
                        term_argument(terms, b, i)))
      return false;
  return true;
}
