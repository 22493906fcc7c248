/* Terms, hash-consed: equal terms have equal numbers, so that comparing two
   terms is comparing two integers. An atom of the rules, such as
   (true (cell 1 1 b)), is a term too. (f) and f are the same term. */
#ifndef TAFL_GDL_TERM_H
#define TAFL_GDL_TERM_H

#include <stdbool.h>

#include "base/text.h"
#include "gdl/symbol.h"

typedef uint32_t Term; /* 0: none */

typedef struct TermNode {
  uint64_t hash;  /* of the structure: the same in every store */
  Symbol symbol;  /* functor, constant or variable name (with its '?') */
  uint32_t first; /* of the arguments, in Terms.arguments */
  uint32_t size;  /* symbols in its text, at most TERM_LARGEST_SIZE */
  uint16_t depth; /* of nesting; 0: a constant or variable */
  uint8_t arity;
  bool variable, ground;
} TermNode;

typedef struct Terms {
  Symbols symbols;
  VECTOR(TermNode) nodes;
  VECTOR(Term) arguments;
  Map map; /* nodes by hash */
} Terms;

enum {
  TERM_LARGEST_ARITY = 255,
  TERM_DEEPEST = UINT16_MAX, /* depths and sizes are clamped */
  TERM_LARGEST_SIZE = 1 << 30
};

/* A snapshot of a store. Restoring it forgets the terms and symbols made since
   and repairs the store after a failed trial. */
typedef struct TermsMark {
  SymbolsMark symbols;
  uint32_t nodes, arguments;
} TermsMark;

TermsMark terms_mark(const Terms *terms);
void terms_restore(Terms *terms, const TermsMark *mark);

void terms_init(Terms *terms);
void terms_free(Terms *terms);

Term term_variable(Terms *terms, Symbol name);
Term term_compound(Terms *terms, Symbol functor, const Term *arguments,
                   uint32_t arity); /* arity 0: a constant */
/* Like term_compound, but returns 0 instead of making a new term. */
Term term_find(const Terms *terms, Symbol functor, const Term *arguments,
               uint32_t arity);

static inline Symbol term_symbol(const Terms *terms, Term term) {
  return terms->nodes.data[term].symbol;
}
static inline uint32_t term_arity(const Terms *terms, Term term) {
  return terms->nodes.data[term].arity;
}
static inline const Term *term_arguments(const Terms *terms, Term term) {
  return terms->arguments.data + terms->nodes.data[term].first;
}
static inline Term term_argument(const Terms *terms, Term term, uint32_t i) {
  return term_arguments(terms, term)[i];
}
static inline uint32_t term_depth(const Terms *terms, Term term) {
  return terms->nodes.data[term].depth;
}
static inline uint32_t term_size(const Terms *terms, Term term) {
  return terms->nodes.data[term].size;
}
static inline bool term_is_variable(const Terms *terms, Term term) {
  return terms->nodes.data[term].variable;
}
static inline bool term_is_ground(const Terms *terms, Term term) {
  return terms->nodes.data[term].ground;
}
static inline uint64_t term_hash(const Terms *terms, Term term) {
  return terms->nodes.data[term].hash;
}

/* Does `variable` occur in `term`? */
bool term_contains(const Terms *terms, Term term, Term variable);
/* `term` with each variables[i] replaced by values[i], and its size. */
Term term_substitute(Terms *terms, Term term, const Term *variables,
                     const Term *values, uint32_t count);
uint32_t term_substituted_size(const Terms *terms, Term term,
                               const Term *variables, const Term *values,
                               uint32_t count);
/* Adds each variable of `term` that `set` lacks. */
typedef VECTOR(Term) TermVector;
void term_collect_variables(const Terms *terms, Term term, TermVector *set);
bool term_vector_contains(const TermVector *set, Term term);

void term_write(const Terms *terms, Term term, Text *text);
/* The order of output: by text, numbers by value. */
int term_compare(const Terms *terms, Term a, Term b);
void term_sort(const Terms *terms, Term *list, uint32_t count);
/* The value of a constant that is a decimal number up to 999,999,999, or -1. */
int64_t term_number(const Terms *terms, Term term);

/* Bytes allocated for terms, without symbols. */
size_t terms_bytes(const Terms *terms);

#endif
