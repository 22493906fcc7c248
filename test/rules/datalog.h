/* Small random programs, stratified but otherwise unrestricted, and an
   evaluation too simple to be wrong: it tries all values of all variables until
   nothing new follows, stratum by stratum. */
#ifndef TAFL_TEST_RULES_DATALOG_H
#define TAFL_TEST_RULES_DATALOG_H

#include "base/random.h"
#include "gdl/rule.h"
#include "support/unit.h"

enum {
  VALUES = 3,
  VARIABLES = 4,
  WIDEST = 3,
  TUPLES = 27,      /* VALUES ^ WIDEST */
  ASSIGNMENTS = 81, /* VALUES ^ VARIABLES */
  INPUTS = 4,
  PREDICATES = 8, /* inputs first */
  STRATA = 2,
  LONGEST = 4,
  CLAUSES = 20
};

typedef enum { FACTS, FLUENT, MOVES, DERIVED } Kind;

/* An argument below VALUES is a value, any other a variable. */
typedef struct Atom {
  uint32_t predicate, arguments[WIDEST];
} Atom;

typedef struct Clause {
  Atom head;
  uint32_t count;
  Atom body[LONGEST];
  Sign signs[LONGEST]; /* UNEQUAL: the first two arguments */
} Clause;

typedef struct Program {
  Kind kinds[PREDICATES];
  uint32_t arities[PREDICATES], strata[PREDICATES];
  bool of_moves[PREDICATES]; /* depends on moves */
  Clause clauses[CLAUSES];
  uint32_t clause_count;
  Atom question; /* terminal if it holds */
} Program;

/* Which tuples of each predicate hold; a tuple is a number of base VALUES. */
typedef bool Model[PREDICATES][TUPLES];

uint32_t tuple_of(const Program *program, const Atom *atom,
                  const uint32_t *values);

/* Derives everything that follows from the inputs in `model`. */
void derive(const Program *program, Model model);

void make_program(Program *program, Random *random);

#endif
