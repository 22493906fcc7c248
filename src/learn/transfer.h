/* Weights of one game as a start for another that has the same pieces or
   predicates, by their names (the idea of Banerjee and Stone 2007 and of
   Kuhlmann and Stone 2007: what was learned of one game helps with the next).

   - A feature that is not a fluent of a board, such as a kind (cell _ _ pawn)
     or a pair of neighbours, gets the weight of the feature of the same name.
     If each game has just one board of a shape, its functor may differ.
   - A fluent of a board whose places are in order gets the weight of the same
     piece at the same relative place of the other board, interpolated between
     places if the boards differ in size.

   Nothing is transferred unless the games have the same roles. */
#ifndef TAFL_LEARN_TRANSFER_H
#define TAFL_LEARN_TRANSFER_H

#include "learn/knowledge.h"

/* Returns the share of the evaluation's features, from 0 to 1, that would get a
   weight. */
double transfer_share(const Knowledge *from, const Linear *linear);
/* Sets the weights of these features to `factor` times the others', and those
   of all others to 0. Returns how many were set. */
uint32_t transfer_give(const Knowledge *from, double factor, Linear *linear);
/* Sets all weights to 0 again. */
void transfer_clear(Linear *linear);

#endif
