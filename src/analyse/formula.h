/* A boolean formula that grows, as clauses of a SAT solver. Literals are those
   of the solver; the first variable is the constant false, so that constants
   look like those of a net. What the clauses have fixed already is replaced by
   constants, and equal conjunctions are made once. */
#ifndef TAFL_ANALYSE_FORMULA_H
#define TAFL_ANALYSE_FORMULA_H

#include "base/map.h"
#include "base/sat.h"
#include "net/net.h"

enum { FORMULA_FALSE = 0, FORMULA_TRUE = 1 };
static const SatLiteral FORMULA_NONE = UINT32_MAX; /* no literal */

typedef struct FormulaAnd {
  uint32_t first, count; /* inputs, sorted */
  SatLiteral literal;
} FormulaAnd;

typedef VECTOR(SatLiteral) SatLiterals;

typedef struct Formula {
  Sat *sat;
  Map map; /* of `ands` */
  VECTOR(FormulaAnd) ands;
  SatLiterals inputs, list;
} Formula;

void formula_init(Formula *formula);
void formula_free(Formula *formula);

/* The literal, or the constant that it is known to be. */
SatLiteral formula_known(const Formula *formula, SatLiteral literal);

SatLiteral formula_variable(Formula *formula);
/* These two overwrite the list, which may be of any literals. */
SatLiteral formula_and(Formula *formula, SatLiteral *list, uint32_t count);
SatLiteral formula_or(Formula *formula, SatLiteral *list, uint32_t count);
static inline SatLiteral formula_and_two(Formula *formula, SatLiteral a,
                                         SatLiteral b) {
  return formula_and(formula, (SatLiteral[]){a, b}, 2);
}
static inline SatLiteral formula_or_two(Formula *formula, SatLiteral a,
                                        SatLiteral b) {
  return formula_and_two(formula, a ^ 1, b ^ 1) ^ 1;
}

/* Constraints. */
void formula_require(Formula *formula, const SatLiteral *clause,
                     uint32_t count);
static inline void formula_require_two(Formula *formula, SatLiteral a,
                                       SatLiteral b) {
  formula_require(formula, (SatLiteral[]){a, b}, 2);
}
void formula_at_most_one(Formula *formula, const SatLiteral *list,
                         uint32_t count);
/* Fills sums[i], i from 0 to most: more than i of the list are true. */
void formula_sums(Formula *formula, const SatLiteral *list, uint32_t count,
                  uint32_t most, SatLiteral *sums);

/* Computes the gates of a net. values[gate] is FORMULA_NONE if it is not known
   yet; fluents and moves must be, and so must what the wanted gates read. */
void formula_evaluate(Formula *formula, const Net *net, const bool *wanted,
                      SatLiteral *values);
static inline SatLiteral formula_signal(const SatLiteral *values,
                                        Signal signal) {
  return values[signal_gate(signal)] ^ (SatLiteral)signal_negated(signal);
}

#endif
