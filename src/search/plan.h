/* The best way that simulations of a puzzle have found, so that it is never
   lost: in the tree as nodes, and as a list of moves in case that the tree has
   no room for them. */
#ifndef TAFL_SEARCH_PLAN_H
#define TAFL_SEARCH_PLAN_H

#include "search/parts.h"

void plan_clear(Search *search);
/* Adds the sequential simulation's whole path to the tree if its result, in
   search->own.values, is good enough (setting path). Call it before the backup,
   which then reaches all of its nodes. `played`: it ended with a playout. */
void plan_offer(Search *search, bool played);
/* Adds the nodes of the plan again after others were recycled. */
void plan_restore(Search *search);
/* Call it, if there are plans, after the root has moved on by a joint move. */
void plan_advance(Search *search, const Move *joint);
/* Returns true if nothing better than the plan is possible: all that is left
   is to play it. */
bool plan_done(const Search *search);

#endif
