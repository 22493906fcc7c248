/* Who moves when. A waiting move is legal only where its role has no other, so
   a role has a choice only where none of its waiting moves is legal. Roles take
   turns if no two of them ever have a choice in the same state. */
#ifndef TAFL_ANALYSE_TURNS_H
#define TAFL_ANALYSE_TURNS_H

#include "analyse/evidence.h"
#include "analyse/prover.h"
#include "analyse/sample.h"

static const uint32_t no_fluent = UINT32_MAX;

typedef struct RoleTurn {
  double choice;   /* share of the sampled states with two or more moves */
  double moves;    /* mean number of legal moves where there is a choice */
  uint32_t fluent; /* true wherever the role has a choice, or no_fluent */
  Evidence fluent_known; /* that it is */
  bool fluent_exact;     /* sampled: true only there */
} RoleTurn;

typedef struct Turns {
  uint32_t role_count;
  RoleTurn *roles;
  Evidence *waiting; /* by move */
  Evidence taking;   /* roles take turns */
  /* scratch of sampling: */
  uint64_t *seen;      /* by move: lanes in which it was legal, */
  uint64_t *seen_many; /* and not alone */
  uint64_t *without;   /* by role and fluent: lanes, choice but fluent false */
  uint64_t *extra;     /* by role and fluent: states, no choice but true */
  uint64_t *choices;   /* by role: states with a choice, */
  uint64_t *legal;     /* and legal moves in them */
  uint64_t states;
  bool together; /* two roles had a choice at once */
} Turns;

void turns_init(Turns *turns, const Net *net);
void turns_free(Turns *turns);
void turns_look(Turns *turns, const Sample *sample);
/* Concludes from the samples, then proves what can be proved. */
void turns_conclude(Turns *turns, const Net *net);
void turns_prove(Turns *turns, const Net *net, Prover *prover);

#endif
