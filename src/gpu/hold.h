/* Runs a program with a limited number of registers: while a thread computes
   the gates, in their order, it holds some words; of what does not fit, the
   word whose next use is farthest is let go (Belady 1966). It goes to shared
   memory, where a thread has some seats, by the same rule. What does not fit
   there either is loaded again from the frame if it is an input; other values
   get places in local memory.

   Memory is slow, and a thread waits at the first use of a word that is not
   there yet: so the loads of many steps are together, before these steps. */
#ifndef TAFL_GPU_HOLD_H
#define TAFL_GPU_HOLD_H

#include "gpu/frame.h"

#define HOLD_NONE UINT32_MAX

/* As frame_run, for orders without loops; of values that are not inputs, only
   those that are wanted, each once or more, are left in values[]. `heard`, or
   NULL: by value, a fluent that the listener loads, or HOLD_NONE. */
void hold_run(Frame *frame, const Order *order, const Value *wanted,
              uint32_t wanted_count, const uint32_t *heard, Reg *values,
              FrameListener *listener, void *context);

#endif
