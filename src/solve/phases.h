/* Phases of a puzzle, and what no longer matters in them. A phase is a
   condition that stays true once it is (the legality of a move that comes into
   being, or that of one that is gone for good) and under which some fluents
   never change again: the first of two puzzles that are played one after the
   other. From then on these fluents matter only by the values of a few
   conditions on them (was the first puzzle solved). States that differ in
   nothing else are equivalent: the same moves are legal in them, lead to
   equivalent states and to the same goals.

   Everything is read off the circuit with the condition put in, so it is
   proved. */
#ifndef TAFL_SOLVE_PHASES_H
#define TAFL_SOLVE_PHASES_H

#include "solve/packing.h"

typedef struct Phases Phases;

/* Returns NULL if there are none. The packing is borrowed. */
Phases *phases_new(Packing *packing);
void phases_delete(Phases *phases);

/* Replaces keys, one after the other, by those of equivalent states: by the
   first one of each kind that was seen. */
void phases_merge(Phases *phases, uint64_t *keys, uint32_t count);

/* How many there are. */
uint32_t phases_count(const Phases *phases);

#endif
