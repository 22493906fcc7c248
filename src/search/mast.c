/* The Gibbs weight of a move is cached until its average changes. It is
   relative to a Q of 100, so that it fits into a double even at low
   temperatures. */
#include "search/mast.h"

#include <math.h>

static const double reference = 100, out_of_date = -1;
static const double nothing = 1e-9; /* variance */

double mast_new_weight(Mast *mast, uint32_t role, uint32_t move) {
  return mast->moves.data[move].weight =
             exp((mast_belief(mast, role, move) - reference) /
                 mast->roles[role].tau);
}

void mast_init(Mast *mast, double unseen, double tau) {
  *mast = (Mast){.unseen = unseen};
  for (uint32_t role = 0; role < RULE_ROLES; role++)
    mast->roles[role].tau = tau;
}

void mast_free(Mast *mast) {
  vector_free(&mast->moves);
}

void mast_grow(Mast *mast, uint32_t moves) {
  MastMove fresh = {.weight = out_of_date};
  while (mast->moves.count < moves) vector_push(&mast->moves, fresh);
}

void mast_add(Mast *mast, uint32_t move, double count, double total) {
  mast->moves.data[move].visits += count;
  mast->moves.data[move].total += total;
  mast->moves.data[move].weight = out_of_date;
}

void mast_join(Mast *mast, Mast *gain) {
  for (uint32_t i = 0; i < gain->moves.count; i++) {
    MastMove *entry = &gain->moves.data[i];
    if (!(entry->visits > 0)) continue;
    mast_add(mast, i, entry->visits, entry->total);
    entry->visits = entry->total = 0;
  }
}

void mast_copy(Mast *mast, const Mast *from) {
  mast_grow(mast, from->moves.count);
  for (uint32_t i = 0; i < from->moves.count; i++)
    mast->moves.data[i] = from->moves.data[i];
}

void mast_decay(Mast *mast, double share) {
  for (uint32_t i = 0; i < mast->moves.count; i++) {
    MastMove *entry = &mast->moves.data[i];
    entry->visits *= share;
    entry->total *= share;
    if (entry->visits < 1e-3) entry->visits = entry->total = 0;
    entry->weight = out_of_date;
  }
}

/* Sums over the moves of a role that were seen. */
typedef struct Sums {
  double moves, visits, total;
  double squares; /* of the averages, weighted by visits */
} Sums;

static Sums sum_up(const Mast *mast, uint32_t first, uint32_t end) {
  Sums sums = {0};
  for (uint32_t i = first; i < end; i++) {
    const MastMove *entry = &mast->moves.data[i];
    if (!(entry->visits > 0)) continue;
    sums.moves++;
    sums.visits += entry->visits;
    sums.total += entry->total;
    sums.squares += entry->total * entry->total / entry->visits;
  }
  return sums;
}

/* The variance of one return about a mean, if all are 0 or 100; it is less for
   other goals. */
static double variance_of_return(double mean) {
  return mean > 0 && mean < 100 ? mean * (100 - mean) : 2500;
}

/* Averages differ by the variance of the true values and by that of chance,
   which is V/n after n returns, and KV/N in the mean over K moves with N
   returns in all, weighted by visits. With σ² for the former, the best estimate
   of a true value is the average with V/σ² returns of the mean added. */
void mast_temper(Mast *mast, uint32_t role, uint32_t first, uint32_t end,
                 double deviations, double least) {
  Sums sums = sum_up(mast, first, end);
  if (!(sums.visits > 0)) return;
  MastRole *r = &mast->roles[role];
  r->mean = sums.total / sums.visits;
  double chance = variance_of_return(r->mean);
  double variance = sums.squares / sums.visits - r->mean * r->mean -
                    sums.moves * chance / sums.visits;
  if (variance < nothing) variance = nothing;
  r->doubt = chance / variance;
  r->tau = deviations * sqrt(variance);
  if (r->tau < least) r->tau = least;
  for (uint32_t i = first; i < end; i++)
    mast->moves.data[i].weight = out_of_date;
}
