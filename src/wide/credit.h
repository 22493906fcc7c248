/* For each move of the net, in how many playouts its role made it, and the sum
   of the role's goals over them (MAST), formed for all lanes together. */
#ifndef TAFL_WIDE_CREDIT_H
#define TAFL_WIDE_CREDIT_H

#include "wide/choose.h"

typedef struct CreditSum {
  uint64_t playouts, goals;
} CreditSum;

/* What is counted for a role's moves: term 0 is playouts with any goal, the
   others make up the goal: the sum of the weights of those that hold. */
typedef struct CreditRole {
  uint32_t term_count;
  uint64_t weights[8];
  uint64_t *masks[2]; /* lane vectors of the terms, for even and odd playouts */
  uint64_t *sums; /* of each of the role's moves and each term: a lane vector
                     of counts, one for each word */
} CreditRole;

typedef struct Credit {
  const Cones *cones;
  CreditRole *roles;
  uint32_t *terms;    /* of each goal: a bit for each term it has */
  uint64_t *occurred; /* per move two lane vectors: of even and odd playouts */
  uint64_t *odd;      /* lanes whose playout at play is odd */
  uint64_t *over[2]; /* lanes whose even (odd) playout is over, not yet added */
  CreditSum *sums;   /* per move, made by credit_sums */
} Credit;

void credit_init(Credit *credit, const Cones *cones);
void credit_free(Credit *credit);

/* One step's choices. */
void credit_note(Credit *credit, const Choose *choose, const uint64_t *memory);
/* Playouts are over; goals[g] are the lanes, among those, that have the goal. A
   lane without any is forgotten. */
void credit_end(Credit *credit, const uint64_t *lanes, const uint64_t *goals);
/* Per move, of all playouts that are over. */
const CreditSum *credit_sums(Credit *credit);
void credit_clear(Credit *credit);

#endif
