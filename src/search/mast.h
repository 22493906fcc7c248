/* MAST, the Move-Average Sampling Technique (Finnsson and Björnsson 2010,
   section 3.2; Q_h of the thesis, section 4.5): each move's average return,
   whatever the state it was made in. */
#ifndef TAFL_SEARCH_MAST_H
#define TAFL_SEARCH_MAST_H

#include "base/vector.h"
#include "gdl/rule.h"

typedef struct MastMove {
  double visits, total; /* fractions after a decay */
  double weight; /* e^((Q - 100)/τ), the Gibbs weight; negative: out of date */
} MastMove;

typedef struct Mast {
  double unseen;
  double taus[RULE_ROLES]; /* temperature of each role's choices */
  VECTOR(MastMove) moves; /* by number */
} Mast;

void mast_init(Mast *mast, double unseen, double tau);
void mast_free(Mast *mast);
void mast_grow(Mast *mast, uint32_t moves); /* to at least this many */
/* Adds one return of a move, or the sum of several. */
void mast_add(Mast *mast, uint32_t move, double value);
void mast_add_many(Mast *mast, uint32_t move, double count, double total);
/* Keeps this share of every move's samples. */
void mast_decay(Mast *mast, double share);
/* Sets a role's temperature to so many standard deviations of the values of its
   moves, weighted by visits, but at least to `least`. The moves are numbers
   first … end - 1. */
void mast_temper(Mast *mast, uint32_t role, uint32_t first, uint32_t end,
                 double deviations, double least);

static inline double mast_value(const Mast *mast, uint32_t move) {
  const MastMove *entry = &mast->moves.data[move];
  return entry->visits > 0 ? entry->total / entry->visits : mast->unseen;
}

double mast_new_weight(Mast *mast, uint32_t role, uint32_t move);

static inline double mast_weight(Mast *mast, uint32_t role, uint32_t move) {
  double weight = mast->moves.data[move].weight;
  return weight >= 0 ? weight : mast_new_weight(mast, role, move);
}

#endif
