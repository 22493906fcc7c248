/* The gates of a program in another order, for a thread that holds few words
   and whose memory is slow (gpu/hold.h). Two things make fewer words live for
   long, where the order of program/order.h is the same otherwise:

   - Terms of a join (gpu/joins.h) are joined when they are there, not when the
     tree of its gates wants them.
   - A value that was not used for long is computed once more, if that takes
     fewer gates than storing and loading it would be worth. */
#ifndef TAFL_GPU_REORDER_H
#define TAFL_GPU_REORDER_H

#include "program/order.h"

/* Makes another order that computes the same `wanted` values; other values may
   be missing, and there are new ones. `inputs`: values below are no gates.
   Returns false, and makes nothing, if there are loops or if the order that
   there is seems to cost less. */
bool reorder_make(const Order *order, uint32_t inputs, const Value *wanted,
                  uint32_t wanted_count, Order *made);

#endif
