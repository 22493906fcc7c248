/* For each move of the net, in how many playouts its role made it, and the sum
   of the role's goals over them (MAST), formed for all lanes together. */
#ifndef TAFL_WIDE_CREDIT_H
#define TAFL_WIDE_CREDIT_H

#include "wide/choose.h"

typedef struct CreditSum {
  uint64_t playouts, goals;
} CreditSum;

/* A part of goals: the goals that have it. */
typedef struct CreditTerm {
  NumberVector goals;
  uint32_t weight;
  uint64_t *mask; /* lanes whose goal has it, of those that are over */
} CreditTerm;

/* A goal is the sum of the weights of its terms; all goals have term 0, which
   weighs nothing. */
typedef struct CreditRole {
  uint32_t term_count;
  CreditTerm terms[1 + SLICED_TERMS];
} CreditRole;

typedef struct Credit {
  const Cones *cones;
  CreditRole *roles;
  uint64_t *occurred; /* per move a lane vector: made in the playout at play */
  uint64_t *recent;   /* per move a lane vector of sums, as in sliced.h */
  uint32_t tallies;   /* in `recent` */
  CreditSum *sums;    /* per move, without the recent */
} Credit;

void credit_init(Credit *credit, const Cones *cones);
void credit_free(Credit *credit);

/* One step's choices. */
void credit_note(Credit *credit, const Choose *choose, const uint64_t *memory);
/* Playouts are over; goals[g] are the lanes, among those, that have the goal. A
   lane without any is forgotten. */
void credit_end(Credit *credit, const uint64_t *lanes, const uint64_t *goals);
void credit_drop(Credit *credit); /* forget all playouts at play */
/* Per move, of all playouts that are over. */
const CreditSum *credit_sums(Credit *credit);
void credit_clear(Credit *credit);

#endif
