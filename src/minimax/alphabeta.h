/* Alpha-beta below the root. */
#ifndef TAFL_MINIMAX_ALPHABETA_H
#define TAFL_MINIMAX_ALPHABETA_H

#include "minimax/parts.h"

Worker *alphabeta_worker_new(Minimax *minimax, uint32_t number);
void alphabeta_worker_delete(Worker *worker);
/* Returns true, now and from then on, once the thread has to stop. */
bool alphabeta_stopped(Worker *worker);
/* Makes room for the sums of the evaluation. */
void alphabeta_take_evaluation(Worker *worker);

/* Brings the worker to the root's state. */
void alphabeta_stand(Worker *worker);
/* Returns the child that the move of the role in turn at the root leads to, or
   NULL if there is none. */
const Child *alphabeta_root_child(Worker *worker, Move move);
/* Searches a move of the role in turn at the root. Scores are from the view of
   the role that thinks. */
Result alphabeta_search_move(Worker *worker, Move move, uint32_t depth,
                             Score low, Score high);

#endif
