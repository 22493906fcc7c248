/* A search that lets an ally play out all of its leaves, in the thread that
   calls: rounds of a courier (search/courier.h) as src/search/workers.c makes
   them beside its other threads, but alone. With an ally that depends on its
   seed alone (scale/handful.h), so do the answers. */
#ifndef TAFL_TEST_SCALE_LOCKSTEP_H
#define TAFL_TEST_SCALE_LOCKSTEP_H

#include "search/search.h"

typedef struct Lockstep Lockstep;

/* The search, which must have lanes, and the ally are borrowed. */
Lockstep *lockstep_new(Search *search, Ally *ally);
void lockstep_delete(Lockstep *lockstep);

/* Thinks until the playouts are made, or nothing is left to find out; then
   search_best is the answer. Returns how many were made. */
uint64_t lockstep_think(Lockstep *lockstep, uint64_t playouts);

#endif
