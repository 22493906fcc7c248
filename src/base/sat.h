/* A small solver for propositional clauses under assumptions, kept between
   questions: what it learns of one helps with the next. */
#ifndef TAFL_BASE_SAT_H
#define TAFL_BASE_SAT_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t SatLiteral; /* variable << 1 | negated; variables from 0 */

typedef enum {
  SAT_NO,     /* no assignment makes the clauses and assumptions true */
  SAT_MAYBE,  /* the variables to decide have values, nothing contradicts */
  SAT_UNKNOWN /* more propagations than allowed */
} SatAnswer;

typedef struct Sat Sat;

Sat *sat_new(void);
void sat_delete(Sat *sat);

/* The number of the first of `count` new variables. */
uint32_t sat_add_variables(Sat *sat, uint32_t count);
void sat_add_clause(Sat *sat, const SatLiteral *literals, uint32_t count);

/* The solver branches on the variables in `decide` only. With all variables
   there SAT_MAYBE is a model; with fewer it says that no contradiction shows,
   which is all that somebody wants who can use SAT_NO only. */
SatAnswer sat_solve(Sat *sat, const SatLiteral *assumptions, uint32_t count,
                    const uint32_t *decide, uint32_t decide_count,
                    uint64_t propagation_limit);
/* After SAT_MAYBE: 1 true, -1 false, 0 no value. */
int sat_value(const Sat *sat, SatLiteral literal);

#endif
