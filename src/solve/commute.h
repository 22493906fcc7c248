/* Moves that commute: a then b and b then a lead from every state to the same
   one, and both are legal or neither is. Of paths that differ only in the order
   of two such moves a search needs one. What is said here is proved from the
   net, for every state. */
#ifndef TAFL_SOLVE_COMMUTE_H
#define TAFL_SOLVE_COMMUTE_H

#include "solve/packing.h"

typedef struct Commute {
  uint32_t words;   /* of a set of moves */
  uint64_t *after;  /* by move: the moves that need not be made after it */
  uint64_t *none;   /* an empty set */
  uint32_t pairs;   /* that commute */
  uint32_t inverse; /* moves that undo another */
} Commute;

/* Of two consecutive moves that commute, the one with the greater number need
   not be followed by the other. The search has to end when it finds a state
   with the highest goal of the rules: the other order may lead past one.
   `across`: a move that undoes the one before need not be made either, since
   its successor is known.

   Returns false, and has nothing to free, if there are none, or the game is too
   large for the proofs. */
bool commute_init(Commute *commute, const Book *book, const Packing *packing,
                  bool across);
void commute_free(Commute *commute);

static inline const uint64_t *commute_after(const Commute *commute,
                                            uint32_t move) {
  return commute->after + (size_t)move * commute->words;
}
static inline const uint64_t *commute_none(const Commute *commute) {
  return commute->none;
}

#endif
