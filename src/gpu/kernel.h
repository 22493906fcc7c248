/* A kernel that is compiled beside the first one, and taken when it is there.
 */
#ifndef TAFL_GPU_KERNEL_H
#define TAFL_GPU_KERNEL_H

#include "gpu/compiling.h"

typedef struct Kernel {
  Text ptx;             /* until it is compiled; empty: there will be none */
  Compiling *compiling; /* NULL: there is none, or it was taken */
  CUmodule module;
  CUfunction play;
  uint32_t fitting; /* blocks at once */
  bool ready;       /* set by whoever has taken it */
  double seconds;   /* to compile it */
  Text why;         /* there is none */
} Kernel;

/* Begins to compile it, if there is a text. */
void kernel_begin(Kernel *kernel, const Card *card, int optimisation);
/* Returns true if it has been taken just now: it is loaded, and can be launched
   with blocks of so many threads and bytes of shared memory. Once; `wait`:
   waits for it. */
bool kernel_take(Kernel *kernel, const Card *card, bool wait, uint32_t threads,
                 uint32_t shared);
void kernel_unload(Kernel *kernel, const Card *card);
void kernel_free(Kernel *kernel); /* what is not the driver's */

#endif
