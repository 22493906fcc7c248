/* A SAT solver with assumptions. It is kept between queries: what it learns in
   one helps with the next, and clauses and variables can be added at any time.
   A query can be answered in slices:

       sat_begin(sat, assumptions, count, NULL, 0);
       do answer = sat_continue(sat, 10000); while (answer == SAT_UNKNOWN);

   The same calls give the same answers and the same models. */
#ifndef TAFL_BASE_SAT_H
#define TAFL_BASE_SAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t SatLiteral; /* variable << 1 | negated; variables from 0 */

typedef enum {
  SAT_NO,     /* no assignment satisfies the clauses and assumptions */
  SAT_MAYBE,  /* the decision variables have values, without a contradiction */
  SAT_UNKNOWN /* the propagation limit was reached */
} SatAnswer;

typedef struct Sat Sat;

typedef struct SatStatistics {
  uint32_t variables, fixed; /* fixed: those with one value in every model */
  uint64_t clauses, learnt;  /* now */
  uint64_t propagations, decisions, conflicts, restarts;
  size_t bytes; /* of clauses and watch lists, about */
} SatStatistics;

Sat *sat_new(void);
void sat_delete(Sat *sat);

/* Adds `count` variables and returns the number of the first. */
uint32_t sat_add_variables(Sat *sat, uint32_t count);
void sat_add_clause(Sat *sat, const SatLiteral *literals, uint32_t count);
/* The variable is decided before others that did not take part in conflicts,
   and this is the value that is tried first; else that is false. */
void sat_prefer(Sat *sat, SatLiteral literal);

/* Branches only on the variables in `decide`; NULL: on all, those added later
   included. If these are all variables, SAT_MAYBE means a model; with fewer,
   that no contradiction was found, which is enough for a caller who needs only
   SAT_NO. */
void sat_begin(Sat *sat, const SatLiteral *assumptions, uint32_t count,
               const uint32_t *decide, uint32_t decide_count);
/* Goes on with the query. Adding clauses in between is allowed. */
SatAnswer sat_continue(Sat *sat, uint64_t propagation_limit);
/* Both. */
SatAnswer sat_solve(Sat *sat, const SatLiteral *assumptions, uint32_t count,
                    const uint32_t *decide, uint32_t decide_count,
                    uint64_t propagation_limit);
/* After SAT_MAYBE: returns 1 for true, -1 for false, 0 for no value. */
int sat_value(const Sat *sat, SatLiteral literal);

/* Follows up what the clauses say without any assumption; ends a query that is
   going on. Returns false if they contradict each other. */
bool sat_settle(Sat *sat);
/* The same values as sat_value if the clauses alone imply them, else 0. */
int sat_fixed(const Sat *sat, SatLiteral literal);

SatStatistics sat_statistics(const Sat *sat);

#endif
