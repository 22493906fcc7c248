/* The rules of a game: Horn clauses whose bodies are flat lists of literals.
   `or` has been split into several rules, `not` stands before single atoms, and
   (not (distinct a b)) has been solved by making a and b equal. */
#ifndef TAFL_GDL_RULE_H
#define TAFL_GDL_RULE_H

#include "gdl/parse.h"

typedef enum { POSITIVE, NEGATIVE, UNEQUAL } Sign;

typedef struct Literal {
  Sign sign;
  Term atom; /* of UNEQUAL: (distinct a b) */
  const Form *form;
} Literal;

typedef VECTOR(Literal) LiteralVector;

typedef struct Rule {
  Term head;
  const Form *form, *head_form;
  uint32_t first, count; /* its body, in Rules.literals */
} Rule;

typedef struct Rules {
  Terms terms;
  Arena arena; /* the forms */
  VECTOR(Rule) list;
  VECTOR(Literal) literals;
  TermVector roles; /* in order of appearance */
} Rules;

/* Limits far beyond any real game; they keep later passes over a rule short. */
enum {
  RULE_ALTERNATIVES = 4096, /* rules that one rule's `or` may expand to */
  RULE_LONGEST_BODY = 1000, /* literals */
  RULE_VARIABLES = 1000,    /* in one rule */
  RULE_TERM_SIZE = 100000,  /* symbols in a term that equalities make */
  RULE_ROLES = 256,         /* in one game */
  RULE_TOTAL = 4000000      /* rules and literals in one game */
};

/* Reads all rules of the text. What is not a rule is reported and left out;
   extensions found in real collections get a warning. */
void rules_read(Rules *rules, const Source *source, Report *report);
void rules_free(Rules *rules);

static inline const Literal *rule_body(const Rules *rules, const Rule *rule) {
  return rules->literals.data + rule->first;
}

/* Writes the rule as KIF text. */
void rule_write(const Rules *rules, const Rule *rule, Text *text);
/* Arguments that the keyword takes as a predicate; -1 if it is not one. */
int rule_keyword_arity(Symbol keyword);

#endif
