/* The degrees of truth of single facts, for FluxPlayer's evaluation.

   A fact that holds has the degree p and one that does not 1 − p, but for two
   kinds of facts that do not hold:

   - Facts about things that move, or about quantities, along ordered arguments:
     the nearer a fact of the same contents is that does hold, the higher is the
     degree, between 1 − p and 1 − t. (Schiffel and Thielscher 2007 replace
     truth by distance on boards and along orders. How they join the distances
     of several things is not known to us; here they are joined as a disjunction
     is, by S, and distance is the number of steps along all ordered arguments.)
     Things move if, in random games, a fact about them seldom becomes true
     without another becoming false. It is used for facts that a goal wants to
     be true; where goals want a thing on more than half of all places, they do
     not say where it should be, and nearness is not used.
   - Facts that can no longer become true have the degree 0: once false they
     stay false, or a fact that excludes them stays true (by the analysis; at
     least in all sampled games). This is ours. */
#ifndef TAFL_VALUE_FLUX_FACTS_H
#define TAFL_VALUE_FLUX_FACTS_H

#include "value/fuzzy.h"
#include "value/orders.h"

/* Fluents that differ in ordered arguments alone. */
typedef struct FluxClass {
  NumberVector fluents;
  uint32_t targets;      /* of its fluents, those that are in the cone */
  uint64_t rises, moves; /* sampled: one became true; and another false */
  bool near;             /* nearness is used */
} FluxClass;

typedef struct FluxFact {
  uint32_t fluent, gate;        /* of the cone */
  uint32_t class;               /* whose nearness is used, + 1; 0: none */
  uint32_t first_near;          /* in FluxFacts.near: by fluent of the class */
  uint32_t first_rival, rivals; /* in FluxFacts.rivals */
  bool lost;                    /* false for good whenever it is false */
  bool wanted;                  /* to be true, by a goal */
} FluxFact;

/* Fluents of one word that, if one is true, keep a fact false for good. */
typedef struct FluxRivals {
  uint32_t word;
  uint64_t mask;
} FluxRivals;

typedef struct FluxFacts {
  const Orders *orders; /* borrowed */
  VECTOR(FluxClass) classes;
  uint32_t *class_of; /* by fluent, + 1; 0: none */
  VECTOR(FluxFact) list;
  VECTOR(FluxRivals) rivals;
  VECTOR(float) near; /* degree to the power q, by target and fluent */
  float yes[2], no[2], never[2]; /* powers, by sign */
  float near_most;               /* (1 − t)^q */
} FluxFacts;

/* The first `goals` outputs of the cone are goals. */
void flux_facts_init(FluxFacts *facts, const Analysis *analysis,
                     const Orders *orders, const Cone *cone, uint32_t goals,
                     uint64_t seed);
void flux_facts_free(FluxFacts *facts);

/* Sets the powers of all fluents of the cone. */
void flux_facts_set(const FluxFacts *facts, const Fuzzy *fuzzy,
                    const uint64_t *state, float *power);
/* Appends a line for each class whose nearness is used. */
void flux_facts_write(const FluxFacts *facts, Text *text);

#endif
