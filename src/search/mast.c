/* The Gibbs weight of a move is cached until its average changes. It is
   relative to a Q of 100, so that it fits into a double even at low
   temperatures. */
#include "search/mast.h"

#include <math.h>

static const double reference = 100, out_of_date = -1;

double mast_new_weight(Mast *mast, uint32_t role, uint32_t move) {
  return mast->moves.data[move].weight =
             exp((mast_value(mast, move) - reference) / mast->taus[role]);
}

void mast_init(Mast *mast, double unseen, double tau) {
  *mast = (Mast){.unseen = unseen};
  for (uint32_t role = 0; role < RULE_ROLES; role++) mast->taus[role] = tau;
}

void mast_free(Mast *mast) {
  vector_free(&mast->moves);
}

void mast_grow(Mast *mast, uint32_t moves) {
  MastMove fresh = {.weight = out_of_date};
  while (mast->moves.count < moves) vector_push(&mast->moves, fresh);
}

void mast_add_many(Mast *mast, uint32_t move, double count, double total) {
  mast->moves.data[move].visits += count;
  mast->moves.data[move].total += total;
  mast->moves.data[move].weight = out_of_date;
}

void mast_add(Mast *mast, uint32_t move, double value) {
  mast_add_many(mast, move, 1, value);
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

void mast_temper(Mast *mast, uint32_t role, uint32_t first, uint32_t end,
                 double deviations, double least) {
  double visits = 0, total = 0, squares = 0;
  for (uint32_t i = first; i < end; i++) {
    const MastMove *entry = &mast->moves.data[i];
    if (!(entry->visits > 0)) continue;
    visits += entry->visits;
    total += entry->total;
    squares += entry->total * entry->total / entry->visits;
  }
  if (!(visits > 0)) return;
  double mean = total / visits, variance = squares / visits - mean * mean;
  double tau = deviations * sqrt(variance > 0 ? variance : 0);
  mast->taus[role] = tau > least ? tau : least;
  for (uint32_t i = first; i < end; i++)
    mast->moves.data[i].weight = out_of_date;
}
