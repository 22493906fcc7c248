/* Lets memory bring words near before they are loaded. */
#ifndef TAFL_GPU_PREFETCH_H
#define TAFL_GPU_PREFETCH_H

#include "gpu/ptx.h"

/* Of the code from a place in the body on, which runs from there to its end:
   before each load of local memory stands a prefetch, into the second cache, of
   the word that is loaded so many loads later; before the first ones two, until
   they are so many ahead. Nothing follows from a prefetch but time, so words
   that are stored in between do no harm. They do not count as instructions. */
void prefetch_add(Ptx *ptx, size_t from, uint32_t loads);

#endif
