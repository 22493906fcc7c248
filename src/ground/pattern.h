/* Arguments of rules, compiled to be matched with ground terms or built from
   the variables' values. */
#ifndef TAFL_GROUND_PATTERN_H
#define TAFL_GROUND_PATTERN_H

#include "base/arena.h"
#include "gdl/term.h"

typedef enum {
  PATTERN_CONSTANT, /* value: the term */
  PATTERN_BOUND,    /* value: the slot of a variable that has a value */
  PATTERN_BIND,     /* value: the slot of a variable that gets its value here */
  PATTERN_COMPOUND  /* value: the functor; the arguments are patterns */
} PatternKind;

typedef struct Pattern {
  PatternKind kind;
  uint32_t value;
  uint32_t arity;
  struct Pattern *arguments;
} Pattern;

/* The variables of a rule: a variable's place is its slot. `bound` says which
   have a value before the next pattern. */
typedef struct PatternScope {
  const Terms *terms;
  Arena *arena;
  TermVector variables;
  bool *bound; /* by slot */
} PatternScope;

uint32_t pattern_slot(const PatternScope *scope, Term variable);
/* Compiles a term and marks its variables as bound. */
void pattern_make(PatternScope *scope, Term term, Pattern *pattern);
/* Do all variables of the term have a value in `bound`? */
bool pattern_is_bound(const PatternScope *scope, const bool *bound, Term term);

bool pattern_match_compound(const Terms *terms, const Pattern *pattern,
                            Term *environment, Term term);
Term pattern_find_compound(const Terms *terms, const Pattern *pattern,
                           const Term *environment);

/* Matches with a ground term, binding variables in the environment. */
static inline bool pattern_match(const Terms *terms, const Pattern *pattern,
                                 Term *environment, Term term) {
  switch (pattern->kind) {
  case PATTERN_CONSTANT: return pattern->value == term;
  case PATTERN_BOUND: return environment[pattern->value] == term;
  case PATTERN_BIND: environment[pattern->value] = term; return true;
  case PATTERN_COMPOUND: break;
  }
  return pattern_match_compound(terms, pattern, environment, term);
}

/* The term of a pattern whose variables all have values, or 0 if the store
   lacks it. */
static inline Term pattern_find(const Terms *terms, const Pattern *pattern,
                                const Term *environment) {
  if (pattern->kind == PATTERN_CONSTANT) return pattern->value;
  if (pattern->kind != PATTERN_COMPOUND) return environment[pattern->value];
  return pattern_find_compound(terms, pattern, environment);
}

/* The same, made if the store lacks it. */
Term pattern_build(Terms *terms, const Pattern *pattern,
                   const Term *environment);

#endif
