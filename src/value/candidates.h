/* Candidate features of Clune 2007: expressions that occur in the rules, read
   as numbers.

   - The number of solutions of an expression such as (cell ?x ?y white): of
     true facts that match it. Expressions are those in the conditions of the
     rules and in `next`, as they stand, or with constants for all arguments
     that have no order; and all these with a constant for any one argument of
     few values.
   - Symbol distance: the sum of the steps that the matching facts are along an
     ordered argument, from its first value.
   - Partial solutions of each role's highest goal and of `terminal`
     (value/degree.h).

   How ClunePlayer combines distances of several facts, and which variables it
   replaces, is not known to us in detail: sums are ours, because they can be
   kept up to date from state to state, and the limits below. */
#ifndef TAFL_VALUE_CANDIDATES_H
#define TAFL_VALUE_CANDIDATES_H

#include "value/degree.h"
#include "value/orders.h"

typedef enum {
  CANDIDATE_NUMBER,
  CANDIDATE_DISTANCE,
  CANDIDATE_PARTIAL
} CandidateClass;

typedef struct Candidate {
  CandidateClass class;
  uint32_t kind;      /* in Orders.kinds, of facts */
  uint32_t constants; /* in Candidates.constants: by argument, 0: any */
  uint32_t argument;  /* of a distance */
  uint32_t output;    /* of a partial solution: in the cone */
  uint32_t goal;      /* and of which goal, in the net; UINT32_MAX: terminal */
  uint64_t identity;  /* equal for equal functions of the facts */
} Candidate;

/* What a true fact adds to a candidate. */
typedef struct CandidateTerm {
  uint32_t candidate;
  int32_t weight;
} CandidateTerm;

enum { CANDIDATES_MOST = 512 };

typedef struct Candidates {
  const Analysis *analysis; /* borrowed */
  Orders orders;
  VECTOR(Candidate) list;
  TermVector constants;
  Map tried;                     /* expressions, */
  VECTOR(uint64_t) tried_hashes; /* by hash */
  NumberVector first;            /* by fluent, and one more: in `terms` */
  VECTOR(CandidateTerm) terms;
  bool has_cone;
  Cone cone; /* of partial solutions */
  Degree degree;
} Candidates;

void candidates_init(Candidates *candidates, const Analysis *analysis);
void candidates_free(Candidates *candidates);

/* Sets the values of all candidates in the state. `partial`: also those of
   partial solutions, which else are left as they are. */
void candidates_values(const Candidates *candidates, const uint64_t *state,
                       bool partial, float *values);
/* Appends what it is, without a line end. */
void candidates_write(const Candidates *candidates, uint32_t candidate,
                      Text *text);

#endif
