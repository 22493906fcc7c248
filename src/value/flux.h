/* The evaluation of FluxPlayer (Schiffel and Thielscher 2007, Fluxplayer: A
   Successful General Game Player): the degree to which the goal is true. */
#ifndef TAFL_VALUE_FLUX_H
#define TAFL_VALUE_FLUX_H

#include "game/book.h"
#include "value/evaluation.h"

/* Returns NULL if the game has no net, or no formula of a goal that is small
   enough. */
Evaluation *flux_new(Book *book);

#endif
