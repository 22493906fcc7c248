/* Alpha-beta below the root. */
#ifndef TAFL_MINIMAX_ALPHABETA_H
#define TAFL_MINIMAX_ALPHABETA_H

#include "minimax/parts.h"

Worker *alphabeta_worker_new(Minimax *minimax);
void alphabeta_worker_delete(Worker *worker);

/* Brings the worker to the root's state. */
void alphabeta_stand(Worker *worker);
/* Searches a move of the root, whose joint move is in plies[0]. */
Result alphabeta_search_move(Worker *worker, uint32_t depth, Score low,
                             Score high);

#endif
