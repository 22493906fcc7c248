/* MAST, the Move-Average Sampling Technique (Finnsson and Björnsson 2010,
   section 3.2; Q_h of the thesis, section 4.5): each move's average return,
   whatever the state it was made in. */
#ifndef TAFL_SEARCH_MAST_H
#define TAFL_SEARCH_MAST_H

#include "base/vector.h"
#include "gdl/rule.h"

typedef struct MastMove {
  double visits, total; /* fractions after a decay */
  /* e^((Q - 100)/τ), the Gibbs weight of what is believed of the average Q;
     negative: out of date */
  double weight;
} MastMove;

typedef struct MastRole {
  double tau; /* temperature of the role's choices */
  /* After so many visits half of a move's difference from the mean of all is
     believed; 0: all of it. */
  double doubt, mean;
} MastRole;

typedef struct Mast {
  double unseen;
  MastRole roles[RULE_ROLES];
  VECTOR(MastMove) moves; /* by number */
} Mast;

void mast_init(Mast *mast, double unseen, double tau);
void mast_free(Mast *mast);
void mast_grow(Mast *mast, uint32_t moves); /* to at least this many */
/* Adds so many returns of a move, by their sum. */
void mast_add(Mast *mast, uint32_t move, double count, double total);
/* Adds all samples of another table, which is empty then. */
void mast_join(Mast *mast, Mast *gain);
/* Makes the table one with the samples of another. */
void mast_copy(Mast *mast, const Mast *from);
/* Keeps this share of every move's samples. */
void mast_decay(Mast *mast, double share);
/* Estimates how far the true values of a role's moves, numbers first … end - 1,
   lie apart, and how far chance has moved their averages. Averages are then
   believed as far as they deserve, and the temperature is so many standard
   deviations of the true values, but at least `least`. */
void mast_temper(Mast *mast, uint32_t role, uint32_t first, uint32_t end,
                 double deviations, double least);

static inline double mast_value(const Mast *mast, uint32_t move) {
  const MastMove *entry = &mast->moves.data[move];
  return entry->visits > 0 ? entry->total / entry->visits : mast->unseen;
}

/* Returns what is believed of a move's value (mast_temper). */
static inline double mast_belief(const Mast *mast, uint32_t role,
                                 uint32_t move) {
  const MastMove *entry = &mast->moves.data[move];
  const MastRole *r = &mast->roles[role];
  return r->doubt > 0
             ? (entry->total + r->doubt * r->mean) / (entry->visits + r->doubt)
             : mast_value(mast, move);
}

double mast_new_weight(Mast *mast, uint32_t role, uint32_t move);

static inline double mast_weight(Mast *mast, uint32_t role, uint32_t move) {
  double weight = mast->moves.data[move].weight;
  return weight >= 0 ? weight : mast_new_weight(mast, role, move);
}

#endif
