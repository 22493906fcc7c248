/* Next values that a program can write where the old ones are: a value may
   replace an input once no later step reads that input, and then needs neither
   a slot nor a copy. */
#ifndef TAFL_PROGRAM_ASSIGN_H
#define TAFL_PROGRAM_ASSIGN_H

#include "program/order.h"

#define ASSIGN_NONE UINT32_MAX

/* Output i, values[i], replaces input targets[i]; values below `inputs` are
   inputs and loops. Moves steps towards the end where that lets more values
   replace their inputs. Returns for each value the input that it replaces, or
   ASSIGN_NONE; release it with memory_delete. */
uint32_t *assign_find(Order *order, uint32_t inputs, const Value *values,
                      const uint32_t *targets, uint32_t count);

#endif
