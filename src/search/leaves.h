/* The steps of a round after its descents, in their order. The caller holds the
   lock where it says so. */
#ifndef TAFL_SEARCH_LEAVES_H
#define TAFL_SEARCH_LEAVES_H

#include "search/batch.h"

void leaves_collect_steps(Batch *batch); /* locked */
void leaves_expand(Batch *batch);
void leaves_place(Batch *batch); /* locked */
void leaves_play(Batch *batch);
void leaves_back_up(Batch *batch); /* locked */
/* Adds what playouts found out about moves to MAST, and gives MAST's values to
   the playouts. */
void leaves_exchange_scores(Batch *batch); /* locked */
/* Drops all leaves whose playouts are under way. */
void leaves_drop(Batch *batch); /* locked */
/* The listener of the lanes; its context is the batch. */
WideListener leaves_hear;

#endif
