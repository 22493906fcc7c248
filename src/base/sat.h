/* A small SAT solver with assumptions. It is kept between queries: what it
   learns in one helps with the next. */
#ifndef TAFL_BASE_SAT_H
#define TAFL_BASE_SAT_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t SatLiteral; /* variable << 1 | negated; variables from 0 */

typedef enum {
  SAT_NO,     /* no assignment satisfies the clauses and assumptions */
  SAT_MAYBE,  /* the decision variables have values, without a contradiction */
  SAT_UNKNOWN /* the propagation limit was reached */
} SatAnswer;

typedef struct Sat Sat;

Sat *sat_new(void);
void sat_delete(Sat *sat);

/* Adds `count` variables and returns the number of the first. */
uint32_t sat_add_variables(Sat *sat, uint32_t count);
void sat_add_clause(Sat *sat, const SatLiteral *literals, uint32_t count);

/* Branches only on the variables in `decide`. If these are all variables,
   SAT_MAYBE means a model; with fewer, that no contradiction was found, which
   is enough for a caller who needs only SAT_NO. */
SatAnswer sat_solve(Sat *sat, const SatLiteral *assumptions, uint32_t count,
                    const uint32_t *decide, uint32_t decide_count,
                    uint64_t propagation_limit);
/* After SAT_MAYBE: returns 1 for true, -1 for false, 0 for no value. */
int sat_value(const Sat *sat, SatLiteral literal);

#endif
