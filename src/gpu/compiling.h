/* A kernel that is compiled by a thread of its own. */
#ifndef TAFL_GPU_COMPILING_H
#define TAFL_GPU_COMPILING_H

#include "gpu/card.h"

typedef struct Compiling Compiling;

/* Begins to compile; takes over the text. The card is borrowed, until the
   compiling is over, even if it was dropped. Returns NULL if there is no
   thread for it. */
Compiling *compiling_new(const Card *card, Text *ptx, int optimisation);
/* Whoever asked for it has no more use for it. */
void compiling_drop(Compiling *compiling);

/* Returns whether it is over; `wait`: waits for that. */
bool compiling_over(Compiling *compiling, bool wait);
/* After that, once: returns the module, or NULL and says why. */
CUmodule compiling_take(Compiling *compiling, Text *why);
double compiling_seconds(const Compiling *compiling);

#endif
