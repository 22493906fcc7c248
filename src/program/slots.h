/* Where values live. */
#ifndef TAFL_PROGRAM_SLOTS_H
#define TAFL_PROGRAM_SLOTS_H

#include "program/order.h"

#define SLOT_NONE UINT32_MAX

/* Give a slot from `first` on to each value whose slots[value] is SLOT_NONE, so
   that it is the value's own from the step that makes it to the last that needs
   it. Returns the number of slots. */
uint32_t slots_assign(const Order *order, uint32_t first, uint32_t *slots);

#endif
