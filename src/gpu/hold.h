/* Runs a program with a limited number of registers: while a thread computes
   the gates, in their order, it holds some words; of what does not fit, the
   word whose next use is farthest is let go (Belady 1966). Inputs are loaded
   again from the frame, other values from places that they get in memory. */
#ifndef TAFL_GPU_HOLD_H
#define TAFL_GPU_HOLD_H

#include "gpu/frame.h"

/* As frame_run, for programs without loops; of values that are not inputs, only
   those that are wanted, each once or more, are left in values[]. */
void hold_run(Frame *frame, const Program *program, const Value *wanted,
              uint32_t wanted_count, Reg *values, FrameListener *listener,
              void *context);

#endif
