/* The Gibbs weight of a move is cached until its average changes. It is
   relative to a Q of 100, so that it fits into a double even at low
   temperatures. */
#include "search/mast.h"

#include <math.h>

static const double reference = 100, out_of_date = -1;

double mast_new_weight(Mast *mast, uint32_t move) {
  return mast->moves.data[move].weight =
             exp((mast_value(mast, move) - reference) / mast->tau);
}

void mast_init(Mast *mast, double unseen, double tau) {
  *mast = (Mast){.unseen = unseen, .tau = tau};
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
