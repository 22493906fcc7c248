/* The steps of a round after its descents, in their order. Those that need the
   tree say so. */
#ifndef TAFL_SEARCH_LEAVES_H
#define TAFL_SEARCH_LEAVES_H

#include "search/batch.h"

void leaves_collect_steps(Batch *batch); /* in the tree */
void leaves_expand(Batch *batch);
void leaves_place(Batch *batch); /* in the tree */
void leaves_play(Batch *batch);
void leaves_back_up(Batch *batch); /* in the tree */
/* Drops all leaves whose playouts are under way. */
void leaves_drop(Batch *batch); /* in the tree */

/* Adds what playouts found out about moves to the MAST table of the thread. */
void leaves_take_credit(Batch *batch);
/* Gives the values of that table to the playouts. */
void leaves_set_scores(Batch *batch);
/* The same for playouts elsewhere; sums by move. */
void leaves_add_credit(Batch *batch, const CreditSum *credit);
/* Returns the sum of the returns of the playouts in which a move was made. */
double leaves_credit_return(const Batch *batch, const CreditSum *sum);

/* Backs up a leaf whose playouts are over, or lets go of one that will have
   none; it is free then. In the tree. */
void leaves_finish(Batch *batch, uint32_t number);
void leaves_forget(Batch *batch, uint32_t number);

/* Makes a free leaf, by number, begin its playouts from this state; ends them
   and frees it. For those who have no tree. */
void leaves_begin(Batch *batch, uint32_t number, const uint64_t *state);
void leaves_end(Batch *batch, uint32_t number);
/* The listener of the lanes; its context is the batch. */
WideListener leaves_hear;

#endif
