/* A thread's leaves on the graphics card (offload.h). They have a stream of
   their own, a batch beside that of the thread's lanes; one of its rounds sends
   its leaves to the card and backs up those of an earlier round that are
   done. */
#ifndef TAFL_SEARCH_FEEDER_H
#define TAFL_SEARCH_FEEDER_H

#include "search/batch.h"
#include "search/offload.h"

/* For the thread of this number. */
Feeder *feeder_new(Batch *batch, Offload *offload, uint32_t number);
void feeder_delete(Feeder *feeder);

/* Looks whether the card has done something, without waiting. Returns true if a
   round is worth it: there are results, or room for leaves. In the tree. */
bool feeder_wants(Feeder *feeder);
/* Return what the next round should have: leaves under way, the new ones among
   them, and playouts of each new one. */
uint32_t feeder_leaves(const Feeder *feeder);
uint32_t feeder_playouts(const Feeder *feeder);
/* Sends the leaves of this round. */
void feeder_play(Feeder *feeder);
/* In the tree. */
void feeder_back_up(Feeder *feeder);
/* The scores of the batch are new. */
void feeder_set_scores(Feeder *feeder);
/* Forgets the leaves under way; what arrives of them is dropped. In the tree.
 */
void feeder_drop(Feeder *feeder);

#endif
