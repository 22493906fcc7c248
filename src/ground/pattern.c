/* Patterns are small trees in an arena; most are a single node. */
#include "ground/pattern.h"

uint32_t pattern_slot(const PatternScope *scope, Term variable) {
  uint32_t slot = 0;
  while (scope->variables.data[slot] != variable) slot++;
  return slot;
}

void pattern_make(PatternScope *scope, Term term, Pattern *pattern) {
  const Terms *terms = scope->terms;
  if (term_is_ground(terms, term)) {
    *pattern = (Pattern){PATTERN_CONSTANT, term, 0, NULL};
  } else if (term_is_variable(terms, term)) {
    uint32_t slot = pattern_slot(scope, term);
    bool bound = scope->bound[slot];
    *pattern = (Pattern){bound ? PATTERN_BOUND : PATTERN_BIND, slot, 0, NULL};
    scope->bound[slot] = true;
  } else {
    uint32_t arity = term_arity(terms, term);
    Pattern *arguments = arena_new(scope->arena, arity * sizeof *arguments);
    for (uint32_t i = 0; i < arity; i++)
      pattern_make(scope, term_argument(terms, term, i), &arguments[i]);
    *pattern =
        (Pattern){PATTERN_COMPOUND, term_symbol(terms, term), arity, arguments};
  }
}

bool pattern_is_bound(const PatternScope *scope, const bool *bound, Term term) {
  const Terms *terms = scope->terms;
  if (term_is_ground(terms, term)) return true;
  if (term_is_variable(terms, term)) return bound[pattern_slot(scope, term)];
  for (uint32_t i = 0; i < term_arity(terms, term); i++)
    if (!pattern_is_bound(scope, bound, term_argument(terms, term, i)))
      return false;
  return true;
}

bool pattern_match_compound(const Terms *terms, const Pattern *pattern,
                            Term *environment, Term term) {
  if (term_symbol(terms, term) != pattern->value ||
      term_arity(terms, term) != pattern->arity)
    return false;
  for (uint32_t i = 0; i < pattern->arity; i++)
    if (!pattern_match(terms, &pattern->arguments[i], environment,
                       term_argument(terms, term, i)))
      return false;
  return true;
}

Term pattern_build(Terms *terms, const Pattern *pattern,
                   const Term *environment) {
  if (pattern->kind == PATTERN_CONSTANT) return pattern->value;
  if (pattern->kind != PATTERN_COMPOUND) return environment[pattern->value];
  Term arguments[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < pattern->arity; i++)
    arguments[i] = pattern_build(terms, &pattern->arguments[i], environment);
  return term_compound(terms, pattern->value, arguments, pattern->arity);
}

Term pattern_find_compound(const Terms *terms, const Pattern *pattern,
                           const Term *environment) {
  Term arguments[TERM_LARGEST_ARITY];
  for (uint32_t i = 0; i < pattern->arity; i++) {
    arguments[i] = pattern_find(terms, &pattern->arguments[i], environment);
    if (!arguments[i]) return 0;
  }
  return term_find(terms, pattern->value, arguments, pattern->arity);
}
