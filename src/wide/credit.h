/* For each move of the net, in how many playouts its role made it, and the sum
   of the role's goals over them (MAST), formed for all lanes together. */
#ifndef TAFL_WIDE_CREDIT_H
#define TAFL_WIDE_CREDIT_H

#include "wide/choose.h"

typedef struct CreditSum {
  uint64_t playouts, goals;
} CreditSum;

enum { CREDIT_SHELVES = 2, CREDIT_TERMS = 1 + SLICED_TERMS };

/* A goal is the sum of the weights of its terms; all goals have term 0, which
   weighs nothing. */
typedef struct CreditRole {
  uint32_t term_count;
  uint32_t weights[CREDIT_TERMS];
} CreditRole;

/* Playouts that are over, not counted yet: at most one of each lane. */
typedef struct CreditShelf {
  uint64_t *lanes;
  uint64_t *occurred; /* per move a lane vector */
  uint64_t *masks;    /* CREDIT_TERMS for each role: lanes that have the term */
} CreditShelf;

typedef struct Credit {
  const Cones *cones;
  CreditRole *roles;
  SlicedGoal *goals;  /* terms of each goal, as masks of a shelf */
  uint64_t *occurred; /* per move: made in the playout at play */
  CreditShelf shelves[CREDIT_SHELVES];
  uint64_t *rest, *part; /* lane vectors at work */
  uint64_t *recent;      /* per move a lane vector of sums, as in sliced.h */
  uint32_t tallies;      /* in `recent` */
  CreditSum *sums;       /* per move, without the recent */
} Credit;

void credit_init(Credit *credit, const Cones *cones);
void credit_free(Credit *credit);

/* One step's choices. */
void credit_note(Credit *credit, const Choose *choose, const uint64_t *memory);
/* The same, of the lanes that moved, in a step in which playouts of `lanes` are
   over; goals[g] are those of them that have the goal. A lane without any is
   forgotten. */
void credit_end(Credit *credit, const uint64_t *memory, const uint64_t *moved,
                const uint64_t *lanes, const uint64_t *goals);
void credit_drop(Credit *credit); /* forget all playouts at play */
/* Per move, of all playouts that are over. */
const CreditSum *credit_sums(Credit *credit);
void credit_clear(Credit *credit);

#endif
