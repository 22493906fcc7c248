/* A stream of simulations whose leaves an ally plays out (ally.h). Its thread
   descends, expands and backs up like the others, and carries leaves to the
   ally and results back in between; it also brings what the ally found at the
   root. */
#ifndef TAFL_SEARCH_COURIER_H
#define TAFL_SEARCH_COURIER_H

#include "search/batch.h"

/* The ally is borrowed. */
Courier *courier_new(Batch *batch, Ally *ally);
void courier_delete(Courier *courier);

/* Thinking begins, for so many seconds (0: not known), or ends; before all
   other threads start, and after they have ended. */
void courier_begin(Courier *courier, double seconds);
void courier_end(Courier *courier);
/* Ends a wait of the courier. Of any thread. */
void courier_wake(Courier *courier);

/* Returns how many leaves the ally should have under way now. In the tree. */
uint32_t courier_leaves(Courier *courier);
/* Returns how many playouts each of the next leaves should have. */
uint32_t courier_playouts(const Courier *courier);
/* Sends the leaves of this round, and takes what is done; waits a little if
   there is neither. */
void courier_play(Courier *courier);
/* In the tree. */
void courier_back_up(Courier *courier);
/* Gives the ally the values of the thread's MAST table. */
void courier_set_scores(Courier *courier);

#endif
