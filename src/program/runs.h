/* Steps of one kind side by side. */
#ifndef TAFL_PROGRAM_RUNS_H
#define TAFL_PROGRAM_RUNS_H

#include "program/order.h"

/* The same steps in another order that respects who needs whom; steps move only
   inside pieces of `piece` steps. */
void runs_sort(const Order *order, uint32_t piece, Order *sorted);

#endif
