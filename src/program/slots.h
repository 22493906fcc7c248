/* Assigning values to slots of memory. */
#ifndef TAFL_PROGRAM_SLOTS_H
#define TAFL_PROGRAM_SLOTS_H

#include "program/order.h"

#define SLOT_NONE UINT32_MAX

/* Assigns a slot, from `first` on, to each value whose slots[value] is
   SLOT_NONE. It belongs to the value from the step that computes it to its last
   use. Returns the number of slots. */
uint32_t slots_assign(const Order *order, uint32_t first, uint32_t *slots);

#endif
