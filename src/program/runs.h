/* Sorting steps into runs of one kind. */
#ifndef TAFL_PROGRAM_RUNS_H
#define TAFL_PROGRAM_RUNS_H

#include "program/order.h"

/* Reorders the steps so that those of one kind are adjacent, respecting
   dependencies; steps move only within pieces of `piece` steps. */
void runs_sort(const Order *order, uint32_t piece, Order *sorted);

#endif
