/* max^n (Luckhardt and Irani 1986): every role wants the most for itself. */
#ifndef TAFL_MINIMAX_SEVERAL_H
#define TAFL_MINIMAX_SEVERAL_H

#include "minimax/parts.h"

/* Searches a move of the role in turn at the root. Returns the score from that
   role's view; `own` gets that of the role that thinks. */
Result several_search_move(Worker *worker, Move move, uint32_t depth,
                           Score *own);

#endif
