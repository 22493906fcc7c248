/* The descents of a round, side by side. The caller holds the lock. */
#ifndef TAFL_SEARCH_DESCEND_H
#define TAFL_SEARCH_DESCEND_H

#include "search/batch.h"

/* Starts as many descents as there is room for, but no more than are needed to
   make `simulations` in all (0: no limit), and walks them down. */
void descend_round(Batch *batch, uint64_t simulations);
/* A descent that will not be backed up stops counting as pending. */
void descend_forget(Search *search, const Path *path);

#endif
