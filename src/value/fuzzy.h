/* Degrees of truth of the formulas of a cone (Schiffel and Thielscher 2007).

   A fact that holds has the degree p, one that does not 1 − p, and the t-norm T
   with its dual S gives conjunctions and disjunctions theirs:

     S(a, b) = (a^q + b^q)^(1/q)      T(a, b) = 1 − S(1 − a, 1 − b)

   with q = 25, so that each further fact that is missing lowers a conjunction a
   little. If all parts of a conjunction are true (above ½) its degree is at
   least the threshold t, and dually for disjunctions, so that however deep a
   formula is, it has more than ½ if it is true and less if it is false.

   Degrees are kept as powers, by reading: power[r] is (1 − degree of r)^q.
   Conjunctions are sums of those, and what costs is the step from a reading to
   its negation, for which there is a table.

   Recursive definitions are not in the paper. Within their stages disjunctions
   are maxima: with S, which grows with every repetition, variables that read
   each other in circles would raise each other. */
#ifndef TAFL_VALUE_FUZZY_H
#define TAFL_VALUE_FUZZY_H

#include "value/cone.h"

enum {
  FUZZY_Q = 25,
  FUZZY_EXPONENTS = 64, /* powers of two that the table spans */
  FUZZY_STEPS = 128     /* entries to each */
};
static const double fuzzy_p = 0.75, fuzzy_t = 0.55;

typedef struct Fuzzy {
  const Cone *cone;  /* borrowed */
  bool *maximum;     /* by gate: its inputs' largest power, not their sum */
  uint32_t *first;   /* by gate, and one more: in `readers` */
  uint32_t *readers; /* gates of the same stage that read it, if it has loops */
  float *table;
  float threshold; /* the power of t */
} Fuzzy;

void fuzzy_init(Fuzzy *fuzzy, const Cone *cone);
void fuzzy_free(Fuzzy *fuzzy);

/* (1 − degree)^q, and back. */
float fuzzy_power(double degree);
double fuzzy_degree(float power);
/* The power of the negation. */
float fuzzy_negation(const Fuzzy *fuzzy, float power);

/* Sets power[2g] and power[2g + 1] of all gates but fluents, whose are given.
 */
void fuzzy_run(const Fuzzy *fuzzy, float *power);

#endif
