/* The evaluation of ClunePlayer (Clune 2007, Heuristic Evaluation Functions for
   General Game Playing): features that the rules suggest, weighed by random
   play, in a model of payoff, control and termination. */
#ifndef TAFL_VALUE_CLUNE_H
#define TAFL_VALUE_CLUNE_H

#include "game/book.h"
#include "game/budget.h"
#include "value/evaluation.h"

/* Plays at random for the budget to weigh the features. Returns NULL if the
   game has no net, or more than eight roles. */
Evaluation *clune_new(Book *book, const Budget *budget, uint64_t seed);

#endif
