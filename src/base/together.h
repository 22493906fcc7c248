/* Work on several things at the same time, in threads that end with it. */
#ifndef TAFL_BASE_TOGETHER_H
#define TAFL_BASE_TOGETHER_H

#include "base/trial.h"

/* Calls `work` with each of `count` items of `size` bytes, in as many threads
   as there are processors. Each item must be complete in itself: nothing that
   the work on one writes may be read by that on another. What the work
   allocates is the calling thread's, in whose trial all of it is.

   A thread has a share of the memory that is left. Where that is not enough,
   the work is called again with the item, in the calling thread and with all
   of the memory: it must begin anew then. So the outcome does not depend on the
   number of threads. */
void together_run(TrialWork *work, void *items, size_t size, uint32_t count);

#endif
