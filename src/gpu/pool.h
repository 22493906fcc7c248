/* What the searches of a process have of its card. Opening the card and making
   a Gpu takes up to seconds, so a thread of the pool does it while the callers
   do other things. The thread also deletes what was left while the card still
   worked on it, which may be never. */
#ifndef TAFL_GPU_POOL_H
#define TAFL_GPU_POOL_H

#include "gpu/gpu.h"

typedef struct PoolPlace PoolPlace;

/* Returns whether this machine has a driver. */
bool pool_exists(void);
/* Asks for a Gpu; the first call opens the card. The cones are borrowed until
   pool_leave returns. Returns NULL if there is no driver, if all places are
   taken, or if this process is a child of the one that opened the card. */
PoolPlace *pool_ask(const Cones *cones, const GpuOptions *options);
/* Returns the Gpu, or NULL if it is not there yet, or never will be. Does not
   wait. */
Gpu *pool_gpu(PoolPlace *place);
/* Returns true if there will be none, with a sentence in `why`; that is empty
   if this machine has no card. */
bool pool_refused(PoolPlace *place, Text *why);
/* Gives the place back. Returns within milliseconds, whatever the driver is
   doing: waits only until the thread has stopped reading the cones. */
void pool_leave(PoolPlace *place);

#endif
