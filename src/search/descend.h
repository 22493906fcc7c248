/* The descents of a round, side by side. */
#ifndef TAFL_SEARCH_DESCEND_H
#define TAFL_SEARCH_DESCEND_H

#include "search/batch.h"

/* Returns how many leaves the batch should have under way now if so many
   threads share what the tree allows, and how many playouts each of so many
   leaves should have. */
uint32_t descend_leaves(const Batch *batch, uint32_t sharers);
uint32_t descend_playouts(const Batch *batch, uint32_t leaves);
/* Returns how many leaves may be under way beside those in the thread's lanes;
   in the tree. */
uint32_t descend_extra(const Batch *batch);
/* Starts so many descents, for which there is room, and walks them down. */
void descend_round(Batch *batch, uint32_t count, uint32_t playouts);
/* A descent that will not be backed up stops counting as pending. */
void descend_forget(Search *search, const Path *path);

#endif
