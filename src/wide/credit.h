/* For each move of the net, in how many playouts its role made it, and the sum
   of the role's goals over them (MAST), and if asked for that of the other
   role's, formed for all lanes together. */
#ifndef TAFL_WIDE_CREDIT_H
#define TAFL_WIDE_CREDIT_H

#include "wide/choose.h"
#include "wide/results.h"

enum { CREDIT_TERMS = 1 + SLICED_TERMS };

/* A goal is the sum of the weights of its terms; all goals have term 0, which
   weighs nothing. */
typedef struct CreditRole {
  uint32_t term_count;
  uint32_t weights[CREDIT_TERMS];
} CreditRole;

typedef struct Credit {
  const Cones *cones;
  CreditRole *roles;
  SlicedGoal *goals;  /* terms of each goal, as masks */
  uint64_t *occurred; /* per move a lane vector: made in the playout at play */
  /* Playouts that are over, not counted yet, at most one of each lane: */
  uint64_t *lanes, *aside; /* what occurred in them */
  uint64_t *masks;         /* CREDIT_TERMS for each role: lanes with the term */
  uint64_t *recent;        /* per move a lane vector of sums, as in sliced.h */
  uint64_t *recent_rivals; /* the same of the other role's goals, or NULL */
  uint32_t tallies;        /* in `recent` */
  CreditSum *sums;         /* per move, without the recent */
} Credit;

/* The other role's goals only in games of two roles. */
void credit_init(Credit *credit, const Cones *cones, bool rivals);
void credit_free(Credit *credit);

/* One step's choices. */
void credit_note(Credit *credit, const Choose *choose, const uint64_t *memory);
/* The same, of the lanes that moved, in a step in which playouts of `lanes` are
   over; goals[g] are those of them that have the goal, `present` the goals that
   some have. A lane without any is forgotten. */
void credit_end(Credit *credit, const uint64_t *memory, const uint64_t *moved,
                const uint64_t *lanes, const uint64_t *goals,
                const NumberVector *present);
void credit_drop(Credit *credit); /* forget all playouts at play */
/* Per move, of all playouts that are over. */
const CreditSum *credit_sums(Credit *credit);
void credit_clear(Credit *credit);

#endif
