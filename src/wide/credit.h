/* For each move of the net, in how many playouts its role made it and the sum
   of the role's goals over them (MAST), on request also of the other role's;
   computed for all lanes together. */
#ifndef TAFL_WIDE_CREDIT_H
#define TAFL_WIDE_CREDIT_H

#include "wide/choose.h"
#include "wide/results.h"

enum { CREDIT_TERMS = 1 + SLICED_TERMS };

/* A goal is the sum of the weights of its terms; every goal has term 0, of
   weight 0. */
typedef struct CreditRole {
  uint32_t term_count;
  uint32_t weights[CREDIT_TERMS];
} CreditRole;

typedef struct Credit {
  const Cones *cones;
  CreditRole *roles;
  SlicedGoal *goals;  /* terms of each goal, as masks */
  uint64_t *occurred; /* by move: lanes whose current playout has made it */
  /* Finished playouts that are not counted yet, at most one for each lane: */
  uint64_t *lanes;
  uint64_t *aside;         /* by move: lanes in which it occurred */
  uint64_t *masks;         /* CREDIT_TERMS for each role: lanes with the term */
  uint64_t *recent;        /* by move: a lane vector of sums, as in sliced.h */
  uint64_t *recent_rivals; /* the same for the other role's goals, or NULL */
  uint32_t tallies;        /* in `recent` */
  CreditSum *sums;         /* by move, without the recent ones */
} Credit;

/* `rivals`: sum the other role's goals too, in games of two roles. */
void credit_init(Credit *credit, const Cones *cones, bool rivals);
void credit_free(Credit *credit);

/* Notes the choices of one step. */
void credit_note(Credit *credit, const Choose *choose, const uint64_t *memory);
/* The same for a step in which the playouts of `lanes` end and the lanes
   `moved` moved. goals[g] are the lanes that have the goal, `present` the goals
   that some lane has; lanes without any are not counted. */
void credit_end(Credit *credit, const uint64_t *memory, const uint64_t *moved,
                const uint64_t *lanes, const uint64_t *goals,
                const NumberVector *present);
void credit_drop(Credit *credit); /* forgets the current playouts */
/* Returns the sums by move over all finished playouts. */
const CreditSum *credit_sums(Credit *credit);
void credit_clear(Credit *credit);

#endif
