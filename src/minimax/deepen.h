/* Iterative deepening at the root, by one thread or several. */
#ifndef TAFL_MINIMAX_DEEPEN_H
#define TAFL_MINIMAX_DEEPEN_H

#include "minimax/parts.h"

/* Deepens until the limit is reached or the value is proven, with at most so
   many threads (0: all). Returns false if one of several threads ran out of
   memory. */
bool deepen_think(Minimax *minimax, uint32_t threads);
/* Publishes the best move so far for minimax_best. */
void deepen_publish(Minimax *minimax);

#endif
