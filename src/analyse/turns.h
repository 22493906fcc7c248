/* Who has a choice when. A waiting move is one that is legal only where its
   role has no other; a role may have a choice only where none of its waiting
   moves is legal. Moves take turns if never two roles have a choice in one
   state. */
#ifndef TAFL_ANALYSE_TURNS_H
#define TAFL_ANALYSE_TURNS_H

#include "analyse/evidence.h"
#include "analyse/prover.h"
#include "analyse/sample.h"

static const uint32_t no_fluent = UINT32_MAX, no_role = UINT32_MAX;

typedef struct RoleTurn {
  double choice;   /* share of the sampled states with two or more moves */
  double moves;    /* mean of legal moves where there is a choice */
  uint32_t fluent; /* true wherever the role has a choice; no_fluent */
  Evidence fluent_known; /* that it is so */
  bool fluent_exact;     /* sampled: and only there */
} RoleTurn;

typedef struct Turns {
  uint32_t role_count;
  RoleTurn *roles;
  Evidence *waiting;   /* by move */
  Evidence taking;     /* never two roles with a choice */
  uint64_t *seen_many; /* by move, while sampling: lanes, legal among others */
  uint64_t *seen;
  uint64_t *without; /* by role and fluent: a choice, the fluent false */
  uint64_t *extra; /* by role and fluent: states, no choice, the fluent true */
  uint64_t *choices; /* by role: states with one */
  uint64_t *legal;   /* by role: moves in them */
  uint64_t states;
  bool together; /* two roles had a choice */
} Turns;

void turns_init(Turns *turns, const Net *net);
void turns_free(Turns *turns);
void turns_look(Turns *turns, const Sample *sample);
/* What was seen, then what can be proved of it. */
void turns_conclude(Turns *turns, const Net *net);
void turns_prove(Turns *turns, const Net *net, Prover *prover);

/* Returns the role whose turn it is in a state (bit i is fluent i), or no_role
   if the turn fluents do not say: none is true, or those of several roles. */
uint32_t turns_mover(const Turns *turns, const uint64_t *state);

#endif
